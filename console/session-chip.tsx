/** A button in the head of a chat that names the session's system prompt and shows what it is made of. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type Bus, type Host, messageOf, type SessionChipProps } from "./host.js";
import { Marked } from "./invisible.js";
import { Button, Chip, CopyLine, Icon, useModal } from "./ui.js";

type Registered = Parameters<NonNullable<NonNullable<Host["chat"]>["registerSessionChip"]>>[0];

export function sessionChip(bus: Bus): Registered {
  return { id: "system-prompt", render: (props) => <SessionChip {...props} bus={bus} /> };
}

interface PromptChoice {
  readonly named: string | undefined;
  readonly strategy: string | undefined;
}

const AT_MOST_MS = 5_000;

export function choiceOf(session: unknown): PromptChoice {
  const { metadata, session: inner } = record(session);
  if (metadata === undefined && inner !== undefined) return choiceOf(inner);
  const { choice, strategy } = record(record(metadata)["system_prompt"]);
  const { named } = record(choice);
  return {
    named: typeof named === "string" && named !== "" ? named : undefined,
    strategy: typeof strategy === "string" ? strategy : undefined,
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function SessionChip({ bus, sessionId }: SessionChipProps & { readonly bus: Bus }): ReactNode {
  const [choice, setChoice] = useState<PromptChoice>({ named: undefined, strategy: undefined });
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isGone = false;
    const load = (): void => {
      bus.trigger("session::get", { session_id: sessionId }, { timeoutMs: AT_MOST_MS }).then(
        (session) => !isGone && setChoice(choiceOf(session)),
        () => {},
      );
    };
    load();
    const offs = ["session::meta-updated", "session::created"].flatMap((type) => {
      const handler = `iii::directory-ui::${type.replaceAll("::", "-")}::${sessionId}`;
      const trigger = { type, function_id: `${handler}::${bus.browserId}`, config: { session_id: sessionId } };
      return [bus.on(handler, load), bus.registerTrigger(trigger)];
    });
    return () => {
      isGone = true;
      for (const off of offs) off();
    };
  }, [bus, sessionId]);
  const glyph = choice.strategy === "append" ? "＋" : choice.strategy === "replace" ? "⇄" : "";
  return (
    <>
      <Button kind="ghost" onClick={() => setOpen(true)} label={`System prompt: ${choice.named ?? "default"}`}>
        <Icon name="prompt" /> {glyph} <Marked text={choice.named ?? "default"} />
      </Button>
      {isOpen && <PromptDialog bus={bus} sessionId={sessionId} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PromptPart {
  readonly name: string;
  readonly text: string;
}

/** The parts in their order, in whichever of its shapes the harness answers. */
export function partsOf(answer: unknown): PromptPart[] {
  const { parts, system_prompt, body } = record(answer);
  if (Array.isArray(parts)) {
    return parts.flatMap((part) => {
      const { name, kind, text, body: partBody } = record(part);
      const content = typeof text === "string" ? text : partBody;
      return typeof content === "string" ? [{ name: String(name ?? kind ?? "part"), text: content }] : [];
    });
  }
  const whole = system_prompt ?? body;
  return typeof whole === "string" ? [{ name: "system prompt", text: whole }] : [];
}

interface DialogProps {
  readonly bus: Bus;
  readonly sessionId: string;
  readonly onClose: () => void;
}

function PromptDialog({ bus, sessionId, onClose }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  const [parts, setParts] = useState<readonly PromptPart[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    bus.trigger("harness::system-prompt::get", { session_id: sessionId }, { timeoutMs: AT_MOST_MS }).then(
      (answer) => setParts(partsOf(answer)),
      (reason) => setError(messageOf(reason)),
    );
  }, [bus, sessionId]);
  return (
    // An older console moves what is in the top layer out of its wrapper, so the scope is repeated here.
    <dialog ref={dialog} data-iii-ui="iii-directory" className="dialog wide" aria-label="System prompt" onCancel={onClose}>
      <div className="card-head">
        <h2>System prompt</h2>
        <span className="grow" />
        <Button kind="ghost" onClick={onClose} label="Close">
          <Icon name="close" />
        </Button>
      </div>
      {error !== undefined && (
        <p className="notice alert">
          <Marked text={error} />
        </p>
      )}
      {parts?.map(({ name, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are shown as a whole
        <section key={index} className="card-section">
          <h3>
            <Marked text={name} /> <Chip>≈ {Math.ceil(text.length / 4)} tokens</Chip>
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0}>
            <Marked text={text} />
          </pre>
          <CopyLine text={text} label={`Copy ${name}`} />
        </section>
      ))}
    </dialog>
  );
}
