/** The form of an agent profile. It edits the same text as the other collections: each control writes one key of the frontmatter. */
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { joinDocument, readList, readScalar, setList, setScalar, splitDocument } from "../frontmatter.js";
import type { Bus } from "../host.js";
import { Marked } from "../invisible.js";
import { Button, Chip, Icon } from "../ui.js";
import type { CollectionState, CollectionStore } from "./store.js";
import { Field } from "./workspace.js";

/** The presets that a profile may name; closed sets of the directory. */
const ICONS = [
  ["agent", "🤖"],
  ["code", "⌨️"],
  ["search", "🔎"],
  ["terminal", "🖥️"],
  ["database", "🗄️"],
  ["test", "🧪"],
  ["review", "👓"],
  ["docs", "📄"],
  ["design", "🎨"],
] as const;
const COLORS = ["neutral", "blue", "purple", "teal", "green", "amber", "rose"] as const;

interface Choice {
  readonly id: string;
  readonly text: string;
}

interface Model {
  readonly id: string;
  readonly efforts: readonly string[];
}

interface Catalogs {
  readonly skills?: readonly Choice[];
  readonly functions?: readonly Choice[];
  readonly agents?: readonly Choice[];
  readonly models?: readonly Model[];
}

/** Lists to choose from. One that can't be had leaves its selection as it is. */
function useCatalogs(bus: Bus): Catalogs {
  const [catalogs, setCatalogs] = useState<Catalogs>({});
  useEffect(() => {
    let isGone = false;
    const load = (name: keyof Catalogs, list: Promise<readonly Choice[] | readonly Model[]>): void => {
      list.then(
        (value) => !isGone && setCatalogs((before) => ({ ...before, [name]: value })),
        () => {},
      );
    };
    load("skills", choices(bus, "directory::skills::list", "skills", "id", "title"));
    load("agents", choices(bus, "directory::agents::list", "agents", "id", "name"));
    load("functions", choices(bus, "engine::functions::list", "functions", "function_id", "description"));
    load("models", models(bus));
    return () => {
      isGone = true;
    };
  }, [bus]);
  return catalogs;
}

async function choices(bus: Bus, functionId: string, list: string, id: string, text: string): Promise<Choice[]> {
  const answer = await bus.trigger<Record<string, Record<string, unknown>[]>>(functionId, {});
  return (answer[list] ?? []).map((row) => ({ id: String(row[id] ?? ""), text: String(row[text] ?? "") }));
}

async function models(bus: Bus): Promise<Model[]> {
  const { models: rows = [] } = await bus.trigger<{ models?: Record<string, unknown>[] }>(
    "router::models::list",
    {},
    { timeoutMs: 3_000 },
  );
  return rows.map((row) => {
    const efforts = row["reasoning_efforts"];
    return { id: String(row["id"] ?? ""), efforts: Array.isArray(efforts) ? efforts.map(String) : [] };
  });
}

interface AgentEditorProps {
  readonly bus: Bus;
  readonly store: CollectionStore;
  readonly state: CollectionState;
  readonly onDelete: () => void;
}

export function AgentEditor({ bus, store, state, onDelete }: AgentEditorProps): ReactNode {
  const id = useId();
  const catalogs = useCatalogs(bus);
  const { content, creating, key = "" } = state;
  const set = (field: string) => (value: string) => store.edit(setScalar(content, field, value === "" ? undefined : value));
  const name = readScalar(content, "name") ?? "";
  return (
    <div className="agent-form">
      <div className="identity">
        <Avatar content={content} set={set} />
        <div className="fields">
          <Field
            id={`${id}-name`}
            label="Name"
            value={name}
            onChange={(value) => store.edit(setScalar(content, "name", value))}
            hint={
              creating && key !== "" ? `Saved as ${key}.md; the file keeps its name afterwards.` : `${key === "" ? "…" : key}.md`
            }
          />
          <Field
            id={`${id}-description`}
            label="Description"
            value={readScalar(content, "description") ?? ""}
            onChange={set("description")}
          />
        </div>
      </div>
      <div className="pair">
        <ModelFields content={content} set={set} models={catalogs.models} id={id} />
        <Extends content={content} set={set} agents={catalogs.agents} own={key} id={id} />
      </div>
      <details className="group" open>
        <summary>System prompt</summary>
        <SystemPrompt store={store} content={content} id={id} />
      </details>
      <Picker store={store} content={content} field="skills" label="Skills" catalog={catalogs.skills} same={skillKey} />
      <Picker store={store} content={content} field="functions" label="Functions" catalog={catalogs.functions} same={functionKey} />
      {!creating && state.document !== undefined && !state.document.builtin && (
        <section className="danger-zone" aria-label="Danger zone">
          <p>Removes the file. Profiles that extend this one keep only their own values.</p>
          <Button kind="danger" onClick={onDelete}>
            <Icon name="trash" /> Delete profile
          </Button>
        </section>
      )}
    </div>
  );
}

/** `x` and `x/index` are the same skill. */
const skillKey = (id: string): string => id.replace(/\/index$/, "");
const functionKey = (id: string): string => id;

interface ContentProps {
  readonly content: string;
  readonly set: (field: string) => (value: string) => void;
}

function Avatar({ content, set }: ContentProps): ReactNode {
  const logo = readScalar(content, "logo") ?? "";
  const icon = readScalar(content, "icon") ?? "";
  const color = readScalar(content, "color") ?? "";
  const glyph = logo || ICONS.find(([token]) => token === icon)?.[1] || "🤖";
  return (
    <details className="avatar">
      <summary aria-label="Avatar" className={`avatar-face tint-${color || "none"}`}>
        <span aria-hidden="true">{glyph}</span>
      </summary>
      <div className="popover">
        <fieldset>
          <legend>Icon</legend>
          <div className="choices">
            <Option label="none" pressed={icon === ""} onClick={() => set("icon")("")} />
            {ICONS.map(([token, emoji]) => (
              <Option key={token} label={token} face={emoji} pressed={icon === token} onClick={() => set("icon")(token)} />
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>Colour</legend>
          <div className="choices">
            <Option label="none" pressed={color === ""} onClick={() => set("color")("")} />
            {COLORS.map((token) => (
              <Option key={token} label={token} pressed={color === token} onClick={() => set("color")(token)} />
            ))}
          </div>
        </fieldset>
        <div className="field">
          <label>
            Emoji instead of the icon
            <input type="text" value={logo} maxLength={8} onChange={(event) => set("logo")(event.target.value)} />
          </label>
        </div>
      </div>
    </details>
  );
}

interface OptionProps {
  readonly label: string;
  readonly face?: string;
  readonly pressed: boolean;
  readonly onClick: () => void;
}

function Option({ label, face, pressed, onClick }: OptionProps): ReactNode {
  return (
    <button type="button" className="option" aria-pressed={pressed} aria-label={label} title={label} onClick={onClick}>
      {face ?? label}
    </button>
  );
}

function ModelFields({
  content,
  set,
  models,
  id,
}: ContentProps & { readonly models: readonly Model[] | undefined; readonly id: string }): ReactNode {
  const model = readScalar(content, "model") ?? "";
  const effort = readScalar(content, "reasoning_effort") ?? "";
  const efforts = models?.find((each) => each.id === model)?.efforts ?? [];
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-model`}>Model</label>
        <div className="with-clear">
          <input
            id={`${id}-model`}
            type="text"
            list={`${id}-models`}
            value={model}
            placeholder="the send decides"
            onChange={(event) => set("model")(event.target.value)}
          />
          {model !== "" && (
            <Button kind="ghost" onClick={() => set("model")("")} label="Clear the model">
              <Icon name="close" />
            </Button>
          )}
        </div>
        <datalist id={`${id}-models`}>
          {(models ?? []).map((each) => (
            <option key={each.id} value={each.id} />
          ))}
        </datalist>
      </div>
      <div className="field">
        <label htmlFor={`${id}-effort`}>Reasoning effort</label>
        <input
          id={`${id}-effort`}
          type="text"
          list={`${id}-efforts`}
          value={effort}
          placeholder="default of the model"
          onChange={(event) => set("reasoning_effort")(event.target.value)}
        />
        <datalist id={`${id}-efforts`}>
          {efforts.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
    </>
  );
}

interface ExtendsProps extends ContentProps {
  readonly agents: readonly Choice[] | undefined;
  readonly own: string;
  readonly id: string;
}

function Extends({ content, set, agents = [], own, id }: ExtendsProps): ReactNode {
  const value = readScalar(content, "extends") ?? "";
  const others = agents.filter((agent) => agent.id !== own);
  const isUnknown = value !== "" && !others.some((agent) => agent.id === value);
  return (
    <div className="field">
      <label htmlFor={`${id}-extends`}>Extends</label>
      <select id={`${id}-extends`} value={value} onChange={(event) => set("extends")(event.target.value)}>
        <option value="">nothing</option>
        {isUnknown && <option value={value}>{value} (not found)</option>}
        {others.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.text || agent.id}
          </option>
        ))}
      </select>
    </div>
  );
}

function SystemPrompt({
  store,
  content,
  id,
}: {
  readonly store: CollectionStore;
  readonly content: string;
  readonly id: string;
}): ReactNode {
  const parts = splitDocument(content);
  const isWindows = parts.newline === "\r\n";
  const edit = (text: string): void =>
    store.edit(joinDocument({ ...parts, body: isWindows ? text.replaceAll("\n", "\r\n") : text }));
  return (
    <textarea
      id={`${id}-prompt`}
      className="editor prompt"
      aria-label="System prompt"
      value={parts.body.replaceAll("\r\n", "\n")}
      spellCheck={false}
      onChange={(event) => edit(event.target.value)}
    />
  );
}

interface PickerProps {
  readonly store: CollectionStore;
  readonly content: string;
  readonly field: "skills" | "functions";
  readonly label: string;
  readonly catalog: readonly Choice[] | undefined;
  readonly same: (id: string) => string;
}

const SHOWN_CHOICES = 100;

function Picker({ store, content, field, label, catalog, same }: PickerProps): ReactNode {
  const [filter, setFilter] = useState("");
  const selected = readList(content, field) ?? [];
  const chosen = new Set(selected.map(same));
  const known = useMemo(() => new Map((catalog ?? []).map((choice) => [same(choice.id), choice])), [catalog, same]);
  const wanted = filter.trim().toLowerCase();
  const available = (catalog ?? []).filter(
    ({ id, text }) => !chosen.has(same(id)) && (wanted === "" || `${id} ${text}`.toLowerCase().includes(wanted)),
  );
  const write = (ids: readonly string[]): void => store.edit(setList(content, field, ids));
  return (
    <details className="group">
      <summary>
        {label} <Chip>{selected.length}</Chip>
      </summary>
      <div className="picker">
        <h3>Selected</h3>
        {selected.length === 0 && <p className="hint">None.</p>}
        <ul>
          {selected.map((id) => (
            <li key={id}>
              <code>
                <Marked text={id} />
              </code>
              {catalog !== undefined && !known.has(same(id)) && <Chip tone="warn">not found</Chip>}
              <Button kind="ghost" onClick={() => write(selected.filter((each) => each !== id))} label={`Remove ${id}`}>
                <Icon name="close" />
              </Button>
            </li>
          ))}
        </ul>
        <h3>Available</h3>
        {catalog === undefined ? (
          <p className="hint">The list can’t be read now; what is selected stays.</p>
        ) : (
          <>
            <input
              type="search"
              value={filter}
              placeholder="Filter"
              aria-label={`Filter ${label.toLowerCase()} to add`}
              onChange={(event) => setFilter(event.target.value)}
            />
            <ul className="available">
              {available.slice(0, SHOWN_CHOICES).map(({ id, text }) => (
                <li key={id}>
                  <code>
                    <Marked text={id} />
                  </code>
                  <span className="hint">
                    <Marked text={text} />
                  </span>
                  <Button kind="ghost" onClick={() => write([...selected, id])} label={`Add ${id}`}>
                    <Icon name="plus" />
                  </Button>
                </li>
              ))}
            </ul>
            {available.length > SHOWN_CHOICES && (
              <p className="hint">{available.length - SHOWN_CHOICES} more: filter to see them.</p>
            )}
          </>
        )}
      </div>
    </details>
  );
}
