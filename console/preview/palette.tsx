/** The command palette: entries that workers offer, and the commands of the page. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { PageCommand, PaletteRow } from "../host.js";
import type { Contributions } from "./console.js";

interface PaletteProps {
  readonly contributions: Contributions;
  readonly pageCommands: readonly PageCommand[];
}

const WAIT_MS = 80;

export function Palette({ contributions, pageCommands }: PaletteProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    const open = (): void => setOpen(true);
    document.addEventListener("keydown", press);
    document.addEventListener("open-palette", open);
    return () => {
      document.removeEventListener("keydown", press);
      document.removeEventListener("open-palette", open);
    };
  }, []);
  return isOpen ? <PaletteDialog contributions={contributions} pageCommands={pageCommands} onClose={() => setOpen(false)} /> : null;
}

function PaletteDialog({ contributions, pageCommands, onClose }: PaletteProps & { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<readonly PaletteRow[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    const asked = new AbortController();
    const timer = setTimeout(async () => {
      const lists = await Promise.all(
        contributions.palette
          .filter(({ minCharacters }) => query.trim().length >= minCharacters)
          .map((source) => source.search(query, asked.signal).catch(() => [])),
      );
      if (!asked.signal.aborted) setFound(lists.flat());
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [query, contributions.palette]);
  const wanted = query.trim().toLowerCase();
  const commands = [...contributions.commands, ...pageCommands]
    .filter(({ enabled, title }) => enabled !== false && title.toLowerCase().includes(wanted))
    .map(
      ({ id, title, run, shortcut }): PaletteRow => ({
        id: `command:${id}`,
        title,
        run,
        ...(shortcut === undefined ? {} : { subtitle: shortcut }),
      }),
    );
  const rows = [...commands, ...found];
  const run = (row: PaletteRow | undefined): void => {
    if (row === undefined) return;
    onClose();
    row.run();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt(Math.min(rows.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "Enter") run(rows[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="shell-palette" aria-label="Find" onCancel={onClose} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Find an entry or a command"
        aria-expanded={rows.length > 0}
        aria-controls="shell-palette-rows"
        aria-activedescendant={rows[at] === undefined ? undefined : `shell-palette-${at}`}
        placeholder="Find an entry or a command"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id="shell-palette-rows" role="listbox" aria-label="Found">
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are handled in the field above, which keeps the focus
          <div key={row.id} id={`shell-palette-${index}`} role="option" aria-selected={index === at} onClick={() => run(row)}>
            <span>{row.title}</span> <small>{row.subtitle}</small>
          </div>
        ))}
      </div>
    </dialog>
  );
}
