/** The settings form. What is dirty, valid, saved and reset is the console's business; the form never writes a key nobody touched. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Bus, ConfigFormProps } from "../host.js";
import { Marked } from "../invisible.js";
import { Chip } from "../ui.js";
import {
  flagOf,
  MODES,
  modeOf,
  type NumberField,
  needsModel,
  numberFault,
  parseNumber,
  SECTIONS,
  type SettingsField,
  withField,
} from "./fields.js";

const FIELD_NAMES = new Set(SECTIONS.flatMap(({ fields }) => fields.map(({ name }) => name)));

function fieldOf(pointer: string): string {
  return (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

export function SettingsForm({
  value,
  onChange,
  errors = new Map(),
  focusField,
  bus,
}: ConfigFormProps & { readonly bus?: Bus }): ReactNode {
  const draft = value ?? {};
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const wanted = focusField?.[0];
  useEffect(() => {
    const field = wanted === undefined ? null : root.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(wanted)}"]`);
    field?.scrollIntoView({ block: "center" });
    field?.focus();
  }, [wanted]);
  const set = (name: string) => (next: unknown) => onChange(withField(draft, name, next));
  const mode = modeOf(draft["function_search_mode"]);
  return (
    <div className="settings" ref={root}>
      <ErrorSummary errors={errors} />
      {SECTIONS.map(({ title, fields }) => (
        <section key={title} className="settings-section" aria-labelledby={`${id}-${title}`}>
          <h3 id={`${id}-${title}`}>{title}</h3>
          {title === "Function search" && needsModel(mode, draft["function_search_model_path"]) && (
            <div className="notice warn">
              <p>Model required: hybrid search has no model while the model directory is null. It ranks by words until then.</p>
            </div>
          )}
          {fields.map((field) => (
            <SettingsRow
              key={field.name}
              field={field}
              value={draft[field.name]}
              fault={faultOf(errors, field.name)}
              onChange={set(field.name)}
            />
          ))}
          {title === "Search guidance" && bus !== undefined && <HintPreview bus={bus} />}
        </section>
      ))}
    </div>
  );
}

function faultOf(errors: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [pointer, message] of errors) if (fieldOf(pointer) === name) return message;
  return undefined;
}

function ErrorSummary({ errors }: { readonly errors: ReadonlyMap<string, string> }): ReactNode {
  if (errors.size === 0) return null;
  const unknown = [...errors].filter(([pointer]) => !FIELD_NAMES.has(fieldOf(pointer)));
  return (
    <div className="notice alert" role="alert">
      <p>{errors.size === 1 ? "One setting is not valid." : `${errors.size} settings are not valid.`}</p>
      {unknown.length > 0 && (
        <ul>
          {unknown.map(([pointer, message]) => (
            <li key={pointer}>
              <code>{pointer === "" ? "(all)" : pointer}</code> <Marked text={message} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface RowProps {
  readonly field: SettingsField;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** What every control of a row shares: where it is found, and what describes it. */
interface ControlProps {
  readonly id: string;
  readonly "data-field": string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": true | undefined;
}

function SettingsRow({ field, value, fault: given, onChange }: RowProps): ReactNode {
  const id = useId();
  const [own, setOwn] = useState<string>();
  const fault = own ?? given;
  const control: ControlProps = {
    id,
    "data-field": field.name,
    "aria-describedby": fault === undefined ? `${id}-hint` : `${id}-hint ${id}-fault`,
    "aria-invalid": fault === undefined ? undefined : true,
  };
  const isLabelled = field.kind !== "mode";
  return (
    <div className={`settings-row ${field.kind}`}>
      <div className="settings-label">
        {isLabelled ? <label htmlFor={id}>{field.label}</label> : <span id={`${id}-label`}>{field.label}</span>}
        {field.restart === true && <Chip>Restart required</Chip>}
        <span id={`${id}-hint`} className="hint">
          {field.hint}
        </span>
        {fault !== undefined && (
          <span id={`${id}-fault`} className="fault">
            <Marked text={fault} />
          </span>
        )}
      </div>
      <Control field={field} value={value} control={control} onChange={onChange} onFault={setOwn} />
    </div>
  );
}

interface AnyControlProps {
  readonly field: SettingsField;
  readonly value: unknown;
  readonly control: ControlProps;
  readonly onChange: (value: unknown) => void;
  readonly onFault: (fault: string | undefined) => void;
}

function Control({ field, value, control, onChange, onFault }: AnyControlProps): ReactNode {
  switch (field.kind) {
    case "flag":
      return (
        <input
          {...control}
          type="checkbox"
          className="switch"
          checked={flagOf(value, field.fallback)}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case "mode":
      return <ModeControl value={value} control={control} onChange={onChange} />;
    case "number":
      return <NumberControl field={field} value={value} control={control} onChange={onChange} onFault={onFault} />;
    case "secret":
      return (
        <input
          {...control}
          type="password"
          autoComplete="new-password"
          spellCheck={false}
          placeholder={field.placeholder}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "text":
      return (
        <input
          {...control}
          type="text"
          spellCheck={false}
          placeholder={field.placeholder}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

function ModeControl({ value, control, onChange }: Omit<AnyControlProps, "field" | "onFault">): ReactNode {
  const mode = modeOf(value);
  return (
    <div className="modes" role="radiogroup" aria-labelledby={`${control.id}-label`} aria-describedby={control["aria-describedby"]}>
      {MODES.map((each) => (
        <label key={each.value} className="mode">
          <input
            type="radio"
            name={control.id}
            value={each.value}
            checked={each.value === mode}
            data-field={each.value === mode ? control["data-field"] : undefined}
            onChange={() => onChange(each.value)}
          />
          <span>
            <b>{each.label}</b>
            <span className="hint">{each.hint}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

interface NumberControlProps extends AnyControlProps {
  readonly field: NumberField;
}

/** Keeps what is being typed, so that `0.` isn't eaten on the way to `0.5`; hands it over on blur or Enter. */
function NumberControl({ field, value, control, onChange, onFault }: NumberControlProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const [before, setBefore] = useState(value);
  if (before !== value) {
    setBefore(value);
    setTyped(undefined);
    onFault(undefined);
  }
  const commit = (): void => {
    if (typed === undefined) return;
    const parsed = parseNumber(typed);
    const fault =
      parsed === undefined ? "must be a number" : parsed.value === undefined ? undefined : numberFault(field, parsed.value);
    onFault(fault);
    if (fault !== undefined || parsed === undefined) return;
    setTyped(undefined);
    if (parsed.value !== value) onChange(parsed.value);
  };
  return (
    <input
      {...control}
      type="text"
      inputMode="decimal"
      placeholder={field.placeholder}
      value={typed ?? (typeof value === "number" ? String(value) : "")}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

/** The words a model would get, one text for each way in which functions are shown to it. */
function HintPreview({ bus }: { readonly bus: Bus }): ReactNode {
  const [texts, setTexts] = useState<readonly (readonly [string, string])[]>();
  const load = (): void => {
    if (texts !== undefined) return;
    bus.trigger<Record<string, unknown>>("directory::hint-preview", {}).then(
      (answer) => setTexts(Object.entries(answer).filter((entry): entry is [string, string] => typeof entry[1] === "string")),
      () => setTexts([]),
    );
  };
  return (
    <details className="group" onToggle={load}>
      <summary>What the hint says</summary>
      {texts?.length === 0 && <p className="hint">It can’t be read now.</p>}
      {texts?.map(([exposure, text]) => (
        <div key={exposure}>
          <h4>{exposure}</h4>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0}>
            <Marked text={text} />
          </pre>
        </div>
      ))}
    </details>
  );
}
