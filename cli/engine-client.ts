/**
 * A caller of the engine for one-shot commands: one socket, one question, one answer. The SDK would do the same and print its own
 * words on standard output, where the answer of a command belongs.
 */
import { randomUUID } from "node:crypto";
import type WebSocket from "ws";
import { CommandError } from "./errors.js";

export const DEFAULT_URL = "ws://127.0.0.1:49134";

export interface EngineClientOptions {
  /** Else `III_URL`, else the default address. */
  readonly url?: string | undefined;
  readonly connectTimeoutMs?: number;
}

export interface CallOptions {
  /** Milliseconds; default 30 000. */
  readonly timeoutMs?: number;
  /** Asked once more when no answer comes: only for calls that change nothing. */
  readonly idempotent?: boolean;
}

export interface EngineClient {
  readonly url: string;
  /** Rejects with a CommandError that says what to do. */
  call(functionId: string, payload: unknown, options?: CallOptions): Promise<unknown>;
}

const CONNECT_TIMEOUT_MS = 3_000;
const CALL_TIMEOUT_MS = 30_000;
const HEDGE_AFTER_MS = 2_000;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function engineUrl(url: string | undefined): string {
  return url ?? (process.env["III_URL"]?.trim() || DEFAULT_URL);
}

/** Connects, runs `body`, and closes, whatever happens. */
export async function withEngine<Value>(
  options: EngineClientOptions,
  body: (client: EngineClient) => Promise<Value>,
): Promise<Value> {
  const url = engineUrl(options.url);
  const socket = await open(url, options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const waiting = new Map<string, Waiting>();
  socket.on("message", (data) => settle(waiting, String(data)));
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new CommandError(`The engine at ${url} went away before it answered.`));
  });
  socket.on("error", () => {});
  try {
    return await body({ url, call: (functionId, payload, call = {}) => ask(socket, waiting, functionId, payload, call) });
  } finally {
    socket.removeAllListeners("close");
    socket.close();
    setTimeout(() => socket.terminate(), 200).unref();
  }
}

async function open(url: string, timeoutMs: number): Promise<WebSocket> {
  // Loaded here: the other commands, which load this module too, start quicker without.
  const { WebSocket } = await import("ws");
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new CommandError(`No engine answers at ${url}. Start one with: iii-directory start`));
    let socket: WebSocket;
    try {
      socket = new WebSocket(url, { handshakeTimeout: timeoutMs, perMessageDeflate: false });
    } catch {
      reject(new CommandError(`${url} is not the address of an engine. It looks like ${DEFAULT_URL}`));
      return;
    }
    socket.once("open", () => resolve(socket));
    socket.once("error", refuse);
  });
}

async function ask(
  socket: WebSocket,
  waiting: Map<string, Waiting>,
  functionId: string,
  payload: unknown,
  { timeoutMs = CALL_TIMEOUT_MS, idempotent = false }: CallOptions,
): Promise<unknown> {
  const ids: string[] = [];
  const timers: NodeJS.Timeout[] = [];
  const send = (resolve: Waiting["resolve"], reject: Waiting["reject"]): void => {
    const id = randomUUID();
    ids.push(id);
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ type: "invokefunction", invocation_id: id, function_id: functionId, data: payload ?? {} }));
  };
  try {
    return await new Promise((resolve, reject) => {
      send(resolve, reject);
      if (idempotent) timers.push(setTimeout(() => send(resolve, reject), HEDGE_AFTER_MS));
      timers.push(
        setTimeout(() => reject(new CommandError(`${functionId} gave no answer within ${timeoutMs / 1000} s.`)), timeoutMs),
      );
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    for (const id of ids) waiting.delete(id);
  }
}

function settle(waiting: Map<string, Waiting>, text: string): void {
  const message = parse(text);
  if (message?.["type"] !== "invocationresult") return;
  const call = waiting.get(String(message["invocation_id"]));
  if (call === undefined) return;
  const error = message["error"] as { code?: string; message?: string } | undefined | null;
  if (error === undefined || error === null) call.resolve(message["result"] ?? null);
  else call.reject(new CommandError(readable(String(message["function_id"]), error)));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function readable(functionId: string, { code = "error", message = "" }: { code?: string; message?: string }): string {
  if (code === "function_not_found") {
    return functionId.startsWith("directory::") || functionId.startsWith("iii-directory::")
      ? `The engine has no ${functionId}: the directory worker is not connected. Start it with: iii-directory serve`
      : `The engine has no function ${functionId}. Find one with: iii-directory search "what you need"`;
  }
  const [line = ""] = message.split("\n");
  return line.startsWith(code) || code === "invocation_failed" ? line : `${code}: ${line}`;
}
