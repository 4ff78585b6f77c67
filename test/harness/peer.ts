/** A raw peer of the worker protocol: sends any frame, keeps every frame it gets until a test asks for it. */
import { randomUUID } from "node:crypto";
import { type ClientOptions, WebSocket } from "ws";

export interface Frame {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

type Handler = (data: unknown, metadata: unknown) => unknown;

const LIMIT_MS = 30_000;

export class Peer {
  readonly inbox: Frame[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  id = "";
  token = "";
  readonly socket: WebSocket;
  /** Who waits for a frame; several may, on calls of their own. */
  readonly #waiting = new Set<() => void>();
  readonly #handlers = new Map<string, Handler>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(data.toString()) as Frame));
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        this.#wake();
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  /** Connects; rejects with the HTTP status in the message when the server refuses. */
  static open(url: string, path = "/", options: ClientOptions = {}): Promise<Peer> {
    const socket = new WebSocket(new URL(path, url), { perMessageDeflate: false, ...options });
    const peer = new Peer(socket);
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(peer));
      socket.once("error", reject);
    });
  }

  /** Connects and reads who the engine says we are. */
  static async connect(url: string): Promise<Peer> {
    const peer = await Peer.open(url);
    const { worker_id, reattach_token } = await peer.expect("workerregistered");
    peer.id = String(worker_id);
    peer.token = String(reattach_token);
    return peer;
  }

  /** Connects and reports a name; what is registered afterwards takes effect at once. */
  static async hello(url: string, name: string, metadata: object = {}): Promise<Peer> {
    const peer = await Peer.connect(url);
    await peer.call("engine::workers::register", { runtime: "test", name, pid: process.pid, ...metadata });
    return peer;
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** Takes the first frame of a type (that fits the pattern) out of the inbox; waits for it. */
  async expect(type: string, pattern: Readonly<Record<string, unknown>> = {}, ms = LIMIT_MS): Promise<Frame> {
    const deadline = Date.now() + ms;
    for (;;) {
      const index = this.inbox.findIndex(
        (frame) => frame.type === type && Object.entries(pattern).every(([key, value]) => frame[key] === value),
      );
      const [found] = index < 0 ? [] : this.inbox.splice(index, 1);
      if (found !== undefined) return found;
      if (Date.now() >= deadline || this.socket.readyState !== WebSocket.OPEN) {
        const types = this.inbox.map((frame) => frame.type).join(", ");
        throw new Error(`no ${type} ${JSON.stringify(pattern)} came (socket state ${this.socket.readyState}, inbox: ${types})`);
      }
      await this.#change(deadline - Date.now());
    }
  }

  /** Returns once the engine has read everything sent before. */
  async sync(): Promise<void> {
    this.send({ type: "ping" });
    await this.expect("pong");
  }

  invoke(functionId: string, data: unknown, extra: object = {}): string {
    const id = randomUUID();
    this.send({ type: "invokefunction", invocation_id: id, function_id: functionId, data, ...extra });
    return id;
  }

  /** The result; throws what the engine or the worker answered as an error, with its code in `code`. */
  async call<Result = Record<string, unknown>>(functionId: string, data: unknown, extra: object = {}): Promise<Result> {
    const frame = await this.expect("invocationresult", { invocation_id: this.invoke(functionId, data, extra) });
    const failure = frame["error"] as Failure | undefined;
    if (failure !== undefined) throw Object.assign(new Error(failure.message), { code: failure.code });
    return frame["result"] as Result;
  }

  /** The error body of a call that must fail. */
  async fails(functionId: string, data: unknown, extra: object = {}): Promise<Failure> {
    const frame = await this.expect("invocationresult", { invocation_id: this.invoke(functionId, data, extra) });
    if (frame["error"] === undefined)
      throw new Error(`${functionId} answered ${JSON.stringify(frame["result"])} instead of an error`);
    return frame["error"] as Failure;
  }

  /** Registers a function; with a handler it is answered by it, else its calls stay in the inbox. */
  async serve(id: string, handler?: Handler, extra: object = {}): Promise<void> {
    if (handler !== undefined) this.#handlers.set(id, handler);
    this.send({ type: "registerfunction", id, ...extra });
    await this.sync();
  }

  async provide(id: string, extra: object = {}): Promise<void> {
    this.send({ type: "registertriggertype", id, description: "a type of a test", ...extra });
    await this.sync();
  }

  async bind(id: string, triggerType: string, functionId: string, config: unknown = {}, extra: object = {}): Promise<void> {
    this.send({ type: "registertrigger", id, trigger_type: triggerType, function_id: functionId, config, ...extra });
    await this.sync();
  }

  answer(call: Frame, body: object): void {
    this.send({ type: "invocationresult", invocation_id: call["invocation_id"], function_id: call["function_id"], ...body });
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  #receive(frame: Frame): void {
    const handler = frame.type === "invokefunction" ? this.#handlers.get(String(frame["function_id"])) : undefined;
    if (handler === undefined) {
      this.inbox.push(frame);
      this.#wake();
    } else void this.#run(frame, handler);
  }

  async #run(frame: Frame, handler: Handler): Promise<void> {
    try {
      this.answer(frame, { result: await handler(frame["data"], frame["metadata"]) });
    } catch (error) {
      const { code, message } = error as Partial<Failure>;
      this.answer(frame, { error: { code: code ?? "invocation_failed", message: message ?? String(error) } });
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  async #change(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}

/** Polls until `probe` gives something truthy. */
export async function eventually<Value>(what: string, probe: () => Promise<Value> | Value, ms = LIMIT_MS): Promise<Value> {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
