/** The open document: its name and description, its text, and how it will read. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef } from "react";
import { readScalar, setFlag, setScalar, splitDocument } from "../frontmatter.js";
import type { Bus } from "../host.js";
import { Marked } from "../invisible.js";
import { Markdown } from "../markdown.js";
import { Button, bytesText, Chip, Icon, useStored } from "../ui.js";
import { AgentEditor } from "./agent-editor.js";
import { withKeysOf, withoutKeys } from "./managed-keys.js";
import type { CollectionState, CollectionStore } from "./store.js";

export type Mode = "edit" | "split" | "preview";
const MODES: readonly Mode[] = ["edit", "split", "preview"];
const isMode = (value: unknown): value is Mode => MODES.includes(value as Mode);
const LEAST_SHARE = 25;
const isShare = (value: unknown): value is number =>
  typeof value === "number" && value >= LEAST_SHARE && value <= 100 - LEAST_SHARE;

interface WorkspaceProps {
  readonly bus: Bus;
  readonly store: CollectionStore;
  readonly state: CollectionState;
  readonly isDirty: boolean;
  readonly storagePrefix: string;
  readonly onBack: () => void;
  readonly onDelete: () => void;
  readonly onRevert: () => void;
  readonly onReload: () => void;
}

export function Workspace(props: WorkspaceProps): ReactNode {
  const { store, state, storagePrefix, bus } = props;
  const [mode, setMode] = useStored<Mode>(`${storagePrefix}:mode`, "split", isMode);
  const { collection } = store;
  const isReadOnly = state.document?.readOnly === true;
  return (
    <section className="workspace" aria-label={state.creating ? `New ${collection.noun}` : `${collection.noun} ${state.key}`}>
      <Header {...props} mode={mode} onMode={collection.id === "agents" ? undefined : setMode} isReadOnly={isReadOnly} />
      <Notices {...props} />
      {state.status === "loading" && state.content === "" ? (
        <div className="skeleton" role="status" aria-label="Loading">
          <div className="skeleton-row" />
          <div className="skeleton-row" />
          <div className="skeleton-row tall" />
        </div>
      ) : collection.id === "agents" ? (
        <AgentEditor bus={bus} store={store} state={state} onDelete={props.onDelete} />
      ) : (
        <TextDocument store={store} state={state} mode={mode} storagePrefix={storagePrefix} isReadOnly={isReadOnly} />
      )}
      <StatusBar {...props} isReadOnly={isReadOnly} />
    </section>
  );
}

interface HeaderProps extends WorkspaceProps {
  readonly mode: Mode;
  readonly onMode: ((mode: Mode) => void) | undefined;
  readonly isReadOnly: boolean;
}

function Header({ store, state, isDirty, onBack, onDelete, onRevert, mode, onMode, isReadOnly }: HeaderProps): ReactNode {
  const { collection } = store;
  const isBuiltin = state.document?.builtin === true;
  const canDelete = !state.creating && !isBuiltin && !isReadOnly && state.document !== undefined;
  return (
    <div className="workspace-head">
      <span className="back">
        <Button kind="ghost" onClick={onBack} label={`Back to the ${collection.label.toLowerCase()}`}>
          <Icon name="back" />
        </Button>
      </span>
      <h2 className="breadcrumb">
        {state.creating ? `New ${collection.noun}` : <Marked text={state.key ?? ""} />}
        {isDirty && (
          <span className="dirty" role="img" aria-label="unsaved changes">
            ●
          </span>
        )}
        {isBuiltin && <Chip>built-in</Chip>}
      </h2>
      {onMode !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own look and legend
        <div className="segments" role="group" aria-label="View">
          {MODES.map((each) => (
            <button
              key={each}
              type="button"
              className={`segment ${each}`}
              aria-pressed={mode === each}
              onClick={() => onMode(each)}
            >
              {each}
            </button>
          ))}
        </div>
      )}
      <div className="actions">
        {canDelete && (
          <Button kind="ghost" onClick={onDelete}>
            Delete
          </Button>
        )}
        <Button onClick={onRevert} disabled={!isDirty && !state.creating}>
          {state.creating ? "Discard" : "Revert"}
        </Button>
        <Button kind="primary" onClick={() => void store.save()} disabled={!isDirty || isReadOnly} shortcut="Control+S Meta+S">
          {state.creating ? "Create" : "Save"}
        </Button>
      </div>
    </div>
  );
}

function Notices({ store, state, onReload }: WorkspaceProps): ReactNode {
  const { external, error, document } = state;
  return (
    <>
      {external !== undefined && (
        <div className="notice warn" role="alert">
          <p>
            {external.content === null
              ? "This file was removed outside this page. What you have written is still here."
              : "This file was changed outside this page. What you have written is still here."}
          </p>
          {external.content === null ? (
            <Button onClick={() => store.keepAsNew()}>Keep as a new entry</Button>
          ) : (
            <Button onClick={onReload}>Reload and discard mine</Button>
          )}
        </div>
      )}
      {error !== undefined && (
        <div className="notice alert" role="alert">
          <p>
            <Marked text={error} />
          </p>
        </div>
      )}
      {document?.builtin === true && (
        <div className="notice plain">
          <p>This one comes with the worker. Saving writes a local file that stands in front of it.</p>
        </div>
      )}
      {document?.inheritanceError !== undefined && (
        <div className="notice warn">
          <p>
            <Marked text={document.inheritanceError} />
          </p>
        </div>
      )}
    </>
  );
}

/** What the fields above the editor hold; the editor shows the rest. */
function managedKeys(store: CollectionStore, content: string): string[] {
  return [
    store.collection.nameField(content),
    "description",
    ...(store.collection.id === "skills" ? ["disable-model-invocation"] : []),
  ];
}

interface DocumentProps {
  readonly store: CollectionStore;
  readonly state: CollectionState;
  readonly mode: Mode;
  readonly storagePrefix: string;
  readonly isReadOnly: boolean;
}

function TextDocument({ store, state, mode, storagePrefix, isReadOnly }: DocumentProps): ReactNode {
  const [share, setShare] = useStored<number>(`${storagePrefix}:split`, 50, isShare);
  const box = useRef<HTMLDivElement>(null);
  const { body } = splitDocument(state.content);
  return (
    <>
      {!isReadOnly && <Fields store={store} state={state} />}
      <div ref={box} className={`panes ${mode}`}>
        {mode !== "preview" && (
          <Editor store={store} state={state} isReadOnly={isReadOnly} share={mode === "split" ? share : 100} />
        )}
        {mode === "split" && <Divider box={box} share={share} onShare={setShare} />}
        {mode !== "edit" && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          <section className="preview" aria-label="Preview" tabIndex={0}>
            <Markdown text={body} />
          </section>
        )}
      </div>
    </>
  );
}

function Fields({ store, state }: { readonly store: CollectionStore; readonly state: CollectionState }): ReactNode {
  const id = useId();
  const { collection } = store;
  const { content, creating, key } = state;
  const nameField = collection.nameField(content);
  const set = (field: string) => (value: string) => store.edit(setScalar(content, field, value === "" ? undefined : value));
  return (
    <div className="fields">
      {creating && (
        <Field
          id={`${id}-key`}
          label={collection.keyLabel}
          hint={collection.keyHint}
          value={key ?? ""}
          onChange={(value) => store.setNewKey(value)}
        />
      )}
      {!(creating && collection.id === "system-prompts") && (
        <Field
          id={`${id}-name`}
          label={collection.id === "system-prompts" ? "Name" : "Title"}
          value={readScalar(content, nameField) ?? (collection.id === "system-prompts" ? (key ?? "") : "")}
          onChange={set(nameField)}
        />
      )}
      <Field
        id={`${id}-description`}
        label="Description"
        value={readScalar(content, "description") ?? ""}
        onChange={set("description")}
      />
      {collection.id === "skills" && <InvocationFlag store={store} content={content} id={`${id}-flag`} />}
    </div>
  );
}

function InvocationFlag({
  store,
  content,
  id,
}: {
  readonly store: CollectionStore;
  readonly content: string;
  readonly id: string;
}): ReactNode {
  const value = readScalar(content, "disable-model-invocation");
  if (value !== undefined && value !== "true" && value !== "false") {
    return <p className="hint">disable-model-invocation is not a plain true or false: edit it in the text.</p>;
  }
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={value === "true"}
        onChange={(event) => store.edit(setFlag(content, "disable-model-invocation", event.target.checked))}
      />
      <label htmlFor={id}>Models don’t pick it on their own</label>
    </div>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly onChange: (value: string) => void;
}

export function Field({ id, label, value, hint, onChange }: FieldProps): ReactNode {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}

interface EditorProps {
  readonly store: CollectionStore;
  readonly state: CollectionState;
  readonly isReadOnly: boolean;
  readonly share: number;
}

/** Shows the document without the keys that have fields of their own, and puts them back untouched with each change. */
function Editor({ store, state, isReadOnly, share }: EditorProps): ReactNode {
  const keys = managedKeys(store, state.content);
  const visible = withoutKeys(state.content, keys);
  return (
    <textarea
      className="editor"
      style={{ flexBasis: `${share}%` }}
      aria-label="Text"
      value={visible.replaceAll("\r\n", "\n")}
      readOnly={isReadOnly || state.status === "loading"}
      spellCheck={false}
      onChange={(event) => store.edit(withKeysOf(state.content, keys, event.target.value))}
    />
  );
}

interface DividerProps {
  readonly box: { readonly current: HTMLDivElement | null };
  readonly share: number;
  readonly onShare: (share: number) => void;
}

function Divider({ box, share, onShare }: DividerProps): ReactNode {
  const set = (next: number): void => onShare(Math.round(Math.max(LEAST_SHARE, Math.min(100 - LEAST_SHARE, next))));
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const area = box.current?.getBoundingClientRect();
    if (area !== undefined && event.currentTarget.hasPointerCapture(event.pointerId)) {
      set(((event.clientX - area.left) / area.width) * 100);
    }
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "ArrowLeft") set(share - 5);
    else if (event.key === "ArrowRight") set(share + 5);
    else if (event.key === "Enter") set(50);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be moved
    <div
      className="divider"
      role="separator"
      tabIndex={0}
      aria-label="Width of the editor"
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={LEAST_SHARE}
      aria-valuemax={100 - LEAST_SHARE}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => set(50)}
      onKeyDown={press}
    />
  );
}

function StatusBar({ state, isDirty, isReadOnly }: WorkspaceProps & { readonly isReadOnly: boolean }): ReactNode {
  const { content, status, draftsWork } = state;
  const text = isReadOnly ? "read only" : status === "saving" ? "saving…" : isDirty ? "unsaved" : status === "saved" ? "saved" : "";
  return (
    <div className="status-bar">
      <span role="status">{text}</span>
      {!draftsWork && isDirty && <span className="warn-text">this browser can’t keep the draft across a reload</span>}
      <span className="grow" />
      <span>{content === "" ? 0 : content.split("\n").length} lines</span>
      <span>{bytesText(new TextEncoder().encode(content).length)}</span>
    </div>
  );
}
