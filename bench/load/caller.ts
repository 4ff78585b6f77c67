/** A caller of the engine that costs the machine little: one socket, answers found by their id. */
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Answer {
  readonly type: string;
  readonly invocation_id?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export class Caller {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, Waiting>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(JSON.parse(String(data)) as Answer));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the engine went away"));
      this.#waiting.clear();
    });
  }

  static connect(url: string): Promise<Caller> {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(new Caller(socket)));
      socket.once("error", reject);
    });
  }

  /** Rejects with the code and the line of an error answer. */
  call(functionId: string, data: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = randomUUID();
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ type: "invokefunction", invocation_id: id, function_id: functionId, data }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive({ type, invocation_id: id = "", result, error }: Answer): void {
    if (type !== "invocationresult") return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`${error.code}: ${error.message}`));
  }
}
