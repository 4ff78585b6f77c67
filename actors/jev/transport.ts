/** The HTTP side: one request, its whole answer, no redirect, no retry, no time limit but the signal's. */
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors } from "undici";
import { nameResolution } from "../../border/name-resolution.js";
import { JevFailure } from "./failure.js";
import { PERMITS } from "./permits.js";
import type { Secret } from "./secret.js";

export const JEV_ENDPOINT = "https://api.typesafe.ai/v1/systemone";

/** An answer to 96 questions takes some kilobytes. */
const ANSWER_LIMIT_BYTES = 1 << 20;

/** A service that doesn't take a connection in this time is given up, so that one that is back is reached at once. */
const CONNECT_MS = 5_000;

/** Longer than the pause between two searches of a session, so that the next finds a warm connection. */
const KEEP_ALIVE_MS = 60_000;

export class Transport {
  readonly #names = nameResolution();
  readonly #dispatcher: Dispatcher;
  readonly #origin: string;
  readonly #path: string;

  constructor(endpoint: string = JEV_ENDPOINT) {
    const { origin, pathname, hostname } = new URL(endpoint);
    this.#origin = origin;
    this.#path = pathname;
    const options = {
      connections: PERMITS,
      connectTimeout: CONNECT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: ANSWER_LIMIT_BYTES,
      connect: { lookup: this.#names.lookup },
    };
    // The proxy variables of the system hold, but nothing on this machine is reached through a proxy.
    this.#dispatcher = LOOPBACK.has(hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
  }

  /** Settles when the whole answer was read. The caller knows by its own signal whether it was aborted. */
  async post(body: Uint8Array, key: Secret, signal: AbortSignal): Promise<Uint8Array> {
    const response = await this.#request(body, key, signal);
    const { statusCode, body: answer } = response;
    if (statusCode >= 200 && statusCode <= 299) return readAll(answer);
    // What a service says about its failure may repeat what we have sent. Nobody reads it.
    answer.on("error", () => {}).destroy();
    throw new JevFailure("http", statusCode);
  }

  close(): Promise<void> {
    this.#names.close();
    return this.#dispatcher.destroy();
  }

  async #request(body: Uint8Array, key: Secret, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    try {
      const headers = { authorization: `Bearer ${key.reveal()}`, "content-type": "application/json" };
      const target = { origin: this.#origin, path: this.#path, method: "POST" } as const;
      return await unlessAborted(this.#dispatcher.request({ ...target, headers, body, signal }), signal);
    } catch {
      throw new JevFailure("transport");
    }
  }
}

/**
 * undici looks at the signal of a request when it has a connection, and not while it waits for one. It never sends a request that was
 * aborted before; but who waits has to be told at once.
 */
function unlessAborted<Result>(request: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    request.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

async function readAll(answer: Dispatcher.ResponseData["body"]): Promise<Uint8Array> {
  try {
    return await answer.bytes();
  } catch (error) {
    throw new JevFailure(error instanceof errors.ResponseExceededMaxSizeError ? "invalid_response" : "transport");
  }
}
