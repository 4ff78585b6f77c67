/** Small parts that every view uses. They are our own, so that no version of a console lacks one. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

const PATHS = {
  file: "M4 1.75h5.5L13 5.25v9H4zM9.25 1.75V5.5H13M6 8.5h5M6 11h5",
  prompt: "M2.5 3h11v8.5H8l-3 2.5v-2.5H2.5zM5 6h6M5 8.5h4",
  agent: "M8 8.25a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM2.75 14c.4-2.6 2.5-4 5.25-4s4.85 1.4 5.25 4",
  search: "M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.75 10.75 14 14",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5l3.25 3.25L13 4.75",
  back: "M9.5 3.5 5 8l4.5 4.5",
  bolt: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z",
  box: "M2.5 5 8 2l5.5 3v6L8 14l-5.5-3zM2.5 5 8 8l5.5-3M8 8v6",
  trash: "M2.75 4.25h10.5M6 4V2.25h4V4M4 4.25 4.75 14h6.5L12 4.25",
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface ButtonProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly kind?: "plain" | "primary" | "danger" | "ghost";
  readonly disabled?: boolean;
  readonly label?: string;
  readonly pressed?: boolean;
  readonly shortcut?: string;
}

export function Button({ children, onClick, kind = "plain", disabled, label, pressed, shortcut }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`button ${kind}`}
      onClick={onClick}
      disabled={disabled}
      aria-label={label}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
      title={label}
    >
      {children}
    </button>
  );
}

export function Chip({ children, tone = "plain" }: { readonly children: ReactNode; readonly tone?: string }): ReactNode {
  return <span className={`chip ${tone}`}>{children}</span>;
}

export function CopyLine({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <span className="copy-line">
      <code>{text}</code>
      <Button kind="ghost" onClick={copy} label={copied ? "Copied" : label}>
        <Icon name={copied ? "check" : "copy"} />
      </Button>
    </span>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** A modal of the browser's own: it keeps the focus inside and gives it back. */
export function Confirm({ title, children, action, onConfirm, onCancel }: ConfirmProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="iii-directory-confirm" onCancel={onCancel}>
      <h2 id="iii-directory-confirm">{title}</h2>
      <p>{children}</p>
      <div className="actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="danger" onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}

export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const { current } = dialog;
    if (current !== null && !current.open) current.showModal();
    return () => current?.close();
  }, [dialog]);
}

export function bytesText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

/** Empty when the time is not known. */
export function ageText(rfc3339: string, now = Date.now()): string {
  const time = Date.parse(rfc3339);
  if (Number.isNaN(time)) return "";
  const [unit, length] = UNITS.find(([, milliseconds]) => Math.abs(now - time) >= milliseconds) ?? ["minute", 60_000];
  return Math.abs(now - time) < 60_000 ? "now" : RELATIVE.format(Math.round((time - now) / length), unit);
}

/** A setting of a view that survives a reload, where the browser lets it. */
export function useStored<Value extends string | number>(
  key: string,
  fallback: Value,
  isValue: (value: unknown) => value is Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
      return isValue(stored) ? stored : fallback;
    } catch {
      return fallback;
    }
  });
  const store = (next: Value): void => {
    setValue(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Without storage it is remembered until the reload.
    }
  };
  return [value, store];
}
