/** The page: a switch between the collections, which all stay mounted so that nothing typed is lost by looking elsewhere. */
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { DraftStore } from "../draft-store.js";
import type { Bus, PageCommand, PageProps } from "../host.js";
import { Button, Confirm, Icon } from "../ui.js";
import { COLLECTIONS, type Collection, type CollectionId, matches } from "./collections.js";
import { Sidebar } from "./sidebar.js";
import { CollectionStore } from "./store.js";
import { Workspace } from "./workspace.js";

interface Target {
  readonly collection: CollectionId;
  readonly key: string;
}

function targetOf(context: unknown): Target | undefined {
  const { collection, key } = (typeof context === "object" && context !== null ? context : {}) as Partial<Target>;
  return typeof key === "string" && COLLECTIONS.some(({ id }) => id === collection)
    ? { collection: collection as CollectionId, key }
    : undefined;
}

export function DirectoryPage({ bus, ...props }: PageProps & { readonly bus: Bus }): ReactNode {
  const target = targetOf(props.panelContext);
  const [active, setActive] = useState<CollectionId>(target?.collection ?? "skills");
  const [dirty, setDirty] = useState<Readonly<Partial<Record<CollectionId, boolean>>>>({});
  const { setDirty: tell, panelContext } = props;
  useEffect(() => {
    const wanted = targetOf(panelContext);
    if (wanted !== undefined) setActive(wanted.collection);
  }, [panelContext]);
  const isDirty = Object.values(dirty).some(Boolean);
  useEffect(() => tell?.(isDirty), [tell, isDirty]);
  const report = useCallback((id: CollectionId, value: boolean) => setDirty((before) => ({ ...before, [id]: value })), []);
  return (
    <div className="directory">
      <header className="page-head">
        <span className="glyph">
          <Icon name="file" />
        </span>
        <div>
          <h1>Directory</h1>
          <p>What agents read before they act: skills, system prompts and profiles.</p>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own look and legend */}
        <div className="segments" role="group" aria-label="Collection">
          {COLLECTIONS.map(({ id, label }) => (
            <button key={id} type="button" className="segment" aria-pressed={id === active} onClick={() => setActive(id)}>
              {label}
              {dirty[id] === true && (
                <span className="dirty" role="img" aria-label="unsaved changes">
                  ●
                </span>
              )}
            </button>
          ))}
        </div>
        {props.onRequestClose !== undefined && (
          <Button kind="ghost" onClick={props.onRequestClose} label="Close">
            <Icon name="close" />
          </Button>
        )}
      </header>
      {COLLECTIONS.map((collection) => (
        <div key={collection.id} className="collection" hidden={collection.id !== active}>
          <CollectionView
            bus={bus}
            collection={collection}
            prefix={`iii-directory-ui:${props.tabId ?? "page"}:${collection.id}`}
            isActive={collection.id === active}
            wanted={target?.collection === collection.id ? target.key : undefined}
            commands={props.commands}
            onDirty={report}
          />
        </div>
      ))}
    </div>
  );
}

interface CollectionViewProps {
  readonly bus: Bus;
  readonly collection: Collection;
  readonly prefix: string;
  readonly isActive: boolean;
  readonly wanted: string | undefined;
  readonly commands: PageProps["commands"] | undefined;
  readonly onDirty: (id: CollectionId, dirty: boolean) => void;
}

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly run: () => void;
}

function CollectionView({ bus, collection, prefix, isActive, wanted, commands, onDirty }: CollectionViewProps): ReactNode {
  const store = useMemo(() => new CollectionStore(bus, collection, new DraftStore(prefix)), [bus, collection, prefix]);
  const state = useSyncExternalStore(store.subscribe, store.snapshot);
  const [filter, setFilter] = useState("");
  const [question, setQuestion] = useState<Question>();
  const filterInput = useRef<HTMLInputElement>(null);
  useEffect(() => store.start(), [store]);
  const { isDirty } = store;
  useEffect(() => onDirty(collection.id, isDirty), [onDirty, collection, isDirty]);

  /** Does it at once, or asks when something unsaved would go. */
  const leaving = useCallback(
    (action: () => void): void => {
      if (!store.isDirty) action();
      else setQuestion({ title: "Discard what you have written?", text: "It has not been saved.", action: "Discard", run: action });
    },
    [store],
  );
  const select = useCallback((key: string) => leaving(() => void store.select(key)), [leaving, store]);
  const create = useCallback(() => leaving(() => store.startCreating()), [leaving, store]);
  useEffect(() => {
    if (wanted !== undefined && store.state.key !== wanted) select(wanted);
  }, [wanted, select, store]);
  const remove = (): void =>
    setQuestion({
      title: `Delete this ${collection.noun}?`,
      text: `The file of ${state.key ?? ""} is removed from disk.`,
      action: "Delete",
      run: () => void store.remove(),
    });
  useShortcuts({ isActive: isActive && question === undefined, create, filterInput, store, isDirty, commands });

  const shown = useMemo(() => (state.rows ?? []).filter((row) => matches(row, filter)), [state.rows, filter]);
  const isOpen = state.creating || state.key !== undefined;
  return (
    <div className={`columns ${isOpen ? "open" : "list"}`}>
      <Sidebar
        collection={collection}
        rows={state.rows}
        shown={shown}
        error={state.listError}
        selected={state.creating ? undefined : state.key}
        filter={filter}
        filterInput={filterInput}
        onFilter={setFilter}
        onSelect={select}
        onNew={create}
        onRetry={() => void store.loadList()}
      />
      {isOpen ? (
        <Workspace
          bus={bus}
          store={store}
          state={state}
          isDirty={isDirty}
          storagePrefix={prefix}
          onBack={() => leaving(() => store.close())}
          onDelete={remove}
          onRevert={() => leaving(() => store.revert())}
          onReload={() => leaving(() => store.acceptExternal())}
        />
      ) : (
        <div className="nothing-open empty">
          <Icon name="file" />
          <p>Choose a {collection.noun} on the left, or write a new one.</p>
        </div>
      )}
      {question !== undefined && (
        <Confirm
          title={question.title}
          action={question.action}
          onCancel={() => setQuestion(undefined)}
          onConfirm={() => {
            setQuestion(undefined);
            question.run();
          }}
        >
          {question.text}
        </Confirm>
      )}
    </div>
  );
}

interface Shortcuts {
  readonly isActive: boolean;
  readonly create: () => void;
  readonly filterInput: { readonly current: HTMLInputElement | null };
  readonly store: CollectionStore;
  readonly isDirty: boolean;
  readonly commands: PageProps["commands"] | undefined;
}

/** Registered with the console where it has page commands, else listened for here. */
function useShortcuts({ isActive, create, filterInput, store, isDirty, commands }: Shortcuts): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a console that copies what it is given has to be given it anew
  useEffect(() => {
    if (!isActive) return;
    const { noun, label } = store.collection;
    const list: readonly PageCommand[] = [
      { id: "new", title: `New ${noun}`, shortcut: "N", run: create },
      { id: "filter", title: `Filter ${label.toLowerCase()}`, shortcut: "/", run: () => filterInput.current?.focus() },
      {
        id: "save",
        title: `Save ${noun}`,
        shortcut: "Mod+S",
        whileTyping: true,
        // As it is when the keys are pressed: a console learns of what is registered a moment after the last letter was typed.
        get enabled() {
          return store.isDirty;
        },
        run: () => void store.save(),
      },
    ];
    if (commands !== undefined) return commands.register(list);
    const listen = (event: globalThis.KeyboardEvent): void => {
      const command = list.find(({ shortcut = "" }) => isPressed(shortcut, event));
      if (command === undefined || (isTyping(event) && command.whileTyping !== true)) return;
      event.preventDefault();
      if (command.enabled !== false) command.run();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isActive, create, filterInput, store, isDirty, commands]);
}

function isPressed(shortcut: string, event: globalThis.KeyboardEvent): boolean {
  const hasMod = event.ctrlKey || event.metaKey;
  const key = shortcut.split("+").at(-1) ?? "";
  return event.key.toLowerCase() === key.toLowerCase() && hasMod === shortcut.startsWith("Mod+") && !event.altKey;
}

function isTyping({ target }: globalThis.KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
