/** This tab as a peer of the engine: it calls functions, and has handlers of its own that triggers reach. */
import type { Bus, Off } from "../host.js";

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: number;
}

interface Frame {
  readonly type: string;
  readonly invocation_id?: string | null;
  readonly function_id?: string;
  readonly data?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string } | null;
}

const CALL_MS = 30_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;

export class Connection implements Bus {
  readonly browserId = crypto.randomUUID().slice(0, 8);
  readonly #url: string;
  readonly #waiting = new Map<string, Waiting>();
  readonly #handlers = new Map<string, (payload: unknown) => unknown>();
  readonly #triggers = new Map<string, object>();
  readonly #listeners = new Set<(state: string) => void>();
  /** Frames of the time before the engine was reached; calls only, the rest is told anew with each connection. */
  #queue: string[] = [];
  #socket: WebSocket | undefined;
  #isOpen = false;
  #delayMs = FIRST_DELAY_MS;

  constructor(url: string) {
    this.#url = url;
    this.#connect();
  }

  trigger<Reply>(id: string, payload: unknown = {}, { timeoutMs = CALL_MS }: { readonly timeoutMs?: number } = {}): Promise<Reply> {
    const invocation = crypto.randomUUID();
    return new Promise<Reply>((resolve, reject) => {
      const timer = window.setTimeout(() => {
        this.#waiting.delete(invocation);
        reject(new Error(`${id} gave no answer within ${timeoutMs / 1_000} s.`));
      }, timeoutMs);
      this.#waiting.set(invocation, { resolve: resolve as Waiting["resolve"], reject, timer });
      this.#send({ type: "invokefunction", invocation_id: invocation, function_id: id, data: payload });
    });
  }

  on(id: string, handler: (payload: unknown) => unknown): Off {
    const full = `${id}::${this.browserId}`;
    this.#handlers.set(full, handler);
    if (this.#isOpen) this.#send(functionFrame(full));
    return () => {
      if (this.#handlers.get(full) !== handler) return;
      this.#handlers.delete(full);
      if (this.#isOpen) this.#send({ type: "unregisterfunction", id: full });
    };
  }

  registerTrigger({
    type,
    function_id,
    config,
  }: {
    readonly type: string;
    readonly function_id: string;
    readonly config: unknown;
  }): Off {
    const id = crypto.randomUUID();
    const frame = { type: "registertrigger", id, trigger_type: type, function_id, config };
    this.#triggers.set(id, frame);
    if (this.#isOpen) this.#send(frame);
    return () => {
      this.#triggers.delete(id);
      if (this.#isOpen) this.#send({ type: "unregistertrigger", id });
    };
  }

  addConnectionStateListener(listener: (state: string) => void): Off {
    this.#listeners.add(listener);
    listener(this.#isOpen ? "connected" : "disconnected");
    return () => this.#listeners.delete(listener);
  }

  #connect(): void {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as Frame);
    socket.onopen = () => this.#opened();
    socket.onclose = () => this.#closed();
  }

  #opened(): void {
    this.#isOpen = true;
    this.#delayMs = FIRST_DELAY_MS;
    // Until it has said who it is, the engine holds a peer's registrations back.
    const metadata = { name: `console:${this.browserId}`, runtime: "browser", version: "0", telemetry: { language: "en" } };
    this.#send({ type: "invokefunction", function_id: "engine::workers::register", data: metadata });
    for (const id of this.#handlers.keys()) this.#send(functionFrame(id));
    for (const frame of this.#triggers.values()) this.#send(frame);
    for (const text of this.#queue.splice(0)) this.#socket?.send(text);
    this.#tell("connected");
  }

  #closed(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    if (wasOpen) {
      for (const { reject, timer } of this.#waiting.values()) {
        clearTimeout(timer);
        reject(new Error("The engine went away before it answered."));
      }
      this.#waiting.clear();
      this.#tell("disconnected");
    }
    setTimeout(() => this.#connect(), this.#delayMs);
    this.#delayMs = Math.min(LONGEST_DELAY_MS, this.#delayMs * 2);
  }

  #tell(state: string): void {
    for (const listener of this.#listeners) listener(state);
  }

  #send(frame: object): void {
    const text = JSON.stringify(frame);
    if (this.#isOpen) this.#socket?.send(text);
    else this.#queue.push(text);
  }

  #receive(frame: Frame): void {
    if (frame.type === "invocationresult") this.#settle(frame);
    else if (frame.type === "invokefunction") void this.#answer(frame);
    else if (frame.type === "ping") this.#send({ type: "pong" });
  }

  #settle({ invocation_id, result, error }: Frame): void {
    const call = this.#waiting.get(invocation_id ?? "");
    if (call === undefined) return;
    this.#waiting.delete(invocation_id ?? "");
    clearTimeout(call.timer);
    if (error === undefined || error === null) call.resolve((result ?? null) as never);
    else call.reject({ code: error.code, message: error.message });
  }

  async #answer({ invocation_id, function_id = "", data }: Frame): Promise<void> {
    let outcome: object;
    try {
      outcome = { result: (await this.#handlers.get(function_id)?.(data)) ?? null };
    } catch (error) {
      outcome = { error: { code: "invocation_failed", message: String(error) } };
    }
    if (invocation_id != null) this.#send({ type: "invocationresult", invocation_id, function_id, ...outcome });
  }
}

function functionFrame(id: string): object {
  return { type: "registerfunction", id, metadata: { internal: true, trace_hidden: true } };
}
