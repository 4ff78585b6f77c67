/** The list of a collection. Only the rows that can be seen are elements: a directory of thousands scrolls like one of ten. */
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Marked } from "../invisible.js";
import { ageText, Button, bytesText, Chip, Icon, type IconName } from "../ui.js";
import type { Collection, CollectionId, Row } from "./collections.js";

/** Height of a row in the style sheet; pixels. */
const ROW_PIXELS = 68;
const MARGIN_ROWS = 6;

const ICONS: Readonly<Record<CollectionId, IconName>> = { skills: "file", "system-prompts": "prompt", agents: "agent" };

interface SidebarProps {
  readonly collection: Collection;
  readonly rows: readonly Row[] | undefined;
  readonly shown: readonly Row[];
  readonly error: string | undefined;
  readonly selected: string | undefined;
  readonly filter: string;
  readonly filterInput: RefObject<HTMLInputElement | null>;
  readonly onFilter: (text: string) => void;
  readonly onSelect: (key: string) => void;
  readonly onNew: () => void;
  readonly onRetry: () => void;
}

export function Sidebar(props: SidebarProps): ReactNode {
  const { collection, rows, shown, error, filter, filterInput, onFilter, onNew } = props;
  const count = rows === undefined ? "" : filter.trim() === "" ? `${rows.length}` : `${shown.length} of ${rows.length}`;
  const clear = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onFilter("");
  };
  return (
    <section className="sidebar" aria-label={collection.label}>
      <div className="sidebar-head">
        <div className="filter">
          <Icon name="search" />
          <input
            ref={filterInput}
            type="search"
            value={filter}
            placeholder={`Filter ${collection.label.toLowerCase()}`}
            aria-label={`Filter ${collection.label.toLowerCase()}`}
            aria-keyshortcuts="/"
            onChange={(event) => onFilter(event.target.value)}
            onKeyDown={clear}
          />
          <kbd>/</kbd>
        </div>
        <Button kind="primary" onClick={onNew} label={`New ${collection.noun}`} shortcut="N">
          <Icon name="plus" /> New
        </Button>
      </div>
      <p className="count" role="status">
        {count}
      </p>
      {error === undefined ? <List {...props} /> : <ErrorPanel error={error} onRetry={props.onRetry} />}
    </section>
  );
}

function ErrorPanel({ error, onRetry }: { readonly error: string; readonly onRetry: () => void }): ReactNode {
  return (
    <div className="notice alert" role="alert">
      <p>
        <Marked text={error} />
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

function List({ collection, rows, shown, selected, filter, onSelect, onFilter, onNew }: SidebarProps): ReactNode {
  if (rows === undefined) return <Skeleton />;
  if (rows.length === 0) {
    return (
      <div className="empty">
        <Icon name={ICONS[collection.id]} />
        <p>There are no {collection.label.toLowerCase()} yet.</p>
        <Button onClick={onNew}>Write the first one</Button>
      </div>
    );
  }
  if (shown.length === 0) {
    return (
      <div className="empty">
        <Icon name="search" />
        <p>Nothing matches “{filter.trim()}”.</p>
        <Button onClick={() => onFilter("")}>Clear the filter</Button>
      </div>
    );
  }
  return <Rows icon={ICONS[collection.id]} rows={shown} selected={selected} onSelect={onSelect} label={collection.label} />;
}

function Skeleton(): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="skeleton-row" />
      ))}
    </div>
  );
}

interface RowsProps {
  readonly icon: IconName;
  readonly rows: readonly Row[];
  readonly selected: string | undefined;
  readonly label: string;
  readonly onSelect: (key: string) => void;
}

function Rows({ icon, rows, selected, label, onSelect }: RowsProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const wanted = useRef<number | undefined>(undefined);
  const look = (): void => {
    const { current } = box;
    if (current !== null) setView({ top: current.scrollTop, height: current.clientHeight });
  };
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  });
  const first = Math.max(0, Math.min(Math.floor(view.top / ROW_PIXELS), rows.length - 1) - MARGIN_ROWS);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_PIXELS) + MARGIN_ROWS);
  // A row that the arrow keys went to may have had no element before this render.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const target = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (target === null || target === undefined) return;
    wanted.current = undefined;
    target.focus();
  });
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 8,
      PageUp: -8,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    const at = Number((event.target as HTMLElement).dataset["index"] ?? Number.NaN);
    if (step === undefined || Number.isNaN(at) || box.current === null) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, at + step));
    wanted.current = next;
    const { current } = box;
    const [from, to] = [next * ROW_PIXELS, (next + 1) * ROW_PIXELS];
    if (from < current.scrollTop) current.scrollTop = from;
    else if (to > current.scrollTop + current.clientHeight) current.scrollTop = to - current.clientHeight;
    setView({ top: current.scrollTop, height: current.clientHeight });
  };
  const selectedIndex = rows.findIndex(({ key }) => key === selected);
  const entry = selectedIndex >= first && selectedIndex < last ? selectedIndex : first + (first === 0 ? 0 : MARGIN_ROWS);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons inside
    <div ref={box} className="rows" onScroll={look} onKeyDown={move}>
      <ul aria-label={label} style={{ height: rows.length * ROW_PIXELS }}>
        {rows.slice(first, last).map((row, offset) => (
          <RowItem
            key={row.key}
            row={row}
            icon={icon}
            index={first + offset}
            count={rows.length}
            isSelected={row.key === selected}
            isEntry={first + offset === entry}
            onSelect={onSelect}
          />
        ))}
      </ul>
    </div>
  );
}

interface RowItemProps {
  readonly row: Row;
  readonly icon: IconName;
  readonly index: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** The one row that the tab key reaches. */
  readonly isEntry: boolean;
  readonly onSelect: (key: string) => void;
}

const RowItem = memo(function RowItem({ row, icon, index, count, isSelected, isEntry, onSelect }: RowItemProps): ReactNode {
  const print = [row.bytes === undefined ? "" : bytesText(row.bytes), ageText(row.modifiedAt)].filter((part) => part !== "");
  return (
    <li aria-setsize={count} aria-posinset={index + 1} style={{ top: index * ROW_PIXELS }}>
      <button
        type="button"
        className="row"
        data-index={index}
        tabIndex={isEntry ? 0 : -1}
        aria-current={isSelected ? "true" : undefined}
        onClick={() => onSelect(row.key)}
      >
        <span className="row-icon">
          {row.logo === undefined ? <Icon name={icon} /> : <span aria-hidden="true">{row.logo}</span>}
        </span>
        <span className="row-text">
          <span className="row-title">
            <Marked text={row.title} />
            {row.builtin && <Chip>built-in</Chip>}
            {row.readOnly === true && <Chip>read only</Chip>}
          </span>
          <span className="row-description">
            <Marked text={row.description} />
          </span>
          <span className="row-print">
            <span className="row-key">
              <Marked text={row.key} />
            </span>
            {print.length > 0 && <span>{print.join(" · ")}</span>}
          </span>
        </span>
      </button>
    </li>
  );
});
