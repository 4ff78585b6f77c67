/** A judge on this machine: checks what it is sent as strictly as it can, and answers as it is told to. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Corpus, checkRequest, type JevBody, type Pair, pairsOf } from "./jev-request.js";

export interface JevRequest {
  /** Counted from 1. */
  readonly number: number;
  readonly receivedAt: number;
  readonly headers: IncomingMessage["headers"];
  /** Bearer token. */
  readonly key: string;
  readonly raw: string;
  readonly body: JevBody;
  readonly corpus: Corpus;
  readonly pairs: readonly Pair[];
  readonly firstId: string;
}

export interface JevAnswer {
  /** For all pairs, or for each. */
  readonly score?: number | ((pair: Pair) => number);
  readonly model?: unknown;
  readonly usage?: unknown;
  /** Takes the place of the judged answers. */
  readonly answers?: unknown;
  /** Takes the place of the whole body. */
  readonly body?: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Headers at once, the body so much later. */
  readonly stallMs?: number;
  /** Cuts the connection: before a byte is sent, or in the middle of the body. */
  readonly destroy?: "before" | "middle";
}

export type JevPolicy = (request: JevRequest) => JevAnswer | Promise<JevAnswer>;

export interface JevServerOptions {
  readonly policy?: JevPolicy;
  /** Keys that are accepted; any by default. */
  readonly keys?: readonly string[];
  /** Accepts requests that break the rules. */
  readonly lenient?: boolean;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  readonly port?: number;
}

export class JevServer {
  readonly endpoint: string;
  policy: JevPolicy;
  requests: JevRequest[] = [];
  /** Requests that were refused, with what was wrong. */
  refused: string[] = [];
  inFlight = 0;
  maxInFlight = 0;
  /** Requests whose sender has gone before the answer. */
  aborted = 0;
  readonly #options: JevServerOptions;
  readonly #close: () => Promise<void>;

  static async start(options: JevServerOptions = {}): Promise<JevServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    const judge = new JevServer(`http://127.0.0.1:${port}/v1/systemone`, options, close);
    server.on("request", (request, response) => void judge.#serve(request, response));
    return judge;
  }

  private constructor(endpoint: string, options: JevServerOptions, close: () => Promise<void>) {
    this.endpoint = endpoint;
    this.#options = options;
    this.policy = options.policy ?? (() => ({ score: 0.9 }));
    this.#close = close;
  }

  reset(): void {
    this.requests = [];
    this.refused = [];
    this.maxInFlight = this.inFlight;
    this.aborted = 0;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.inFlight++;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    response.once("close", () => {
      this.inFlight--;
      if (!response.writableFinished) this.aborted++;
    });
    request.on("error", () => {});
    response.on("error", () => {});
    try {
      await this.#answer(request, response);
    } catch {
      response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString("utf8");
    const refusal = this.#refusal(request, raw);
    if (refusal !== undefined) {
      this.refused.push(`${refusal.status} ${refusal.why}`);
      return send(response, refusal.status, errorBody(refusal));
    }
    const body = JSON.parse(raw) as JevBody;
    const { corpus, pairs } = pairsOf(body);
    const received: JevRequest = {
      number: this.requests.length + 1,
      receivedAt: performance.now(),
      headers: request.headers,
      key: keyOf(request),
      raw,
      body,
      corpus,
      pairs,
      firstId: pairs[0]?.id ?? "",
    };
    this.requests.push(received);
    await this.#reply(response, received, await this.policy(received));
  }

  async #reply(response: ServerResponse, request: JevRequest, answer: JevAnswer): Promise<void> {
    if (answer.delayMs !== undefined) await sleep(answer.delayMs);
    if (response.destroyed) return;
    if (answer.destroy === "before") return void response.destroy();
    const body = answer.body ?? JSON.stringify(this.#judgement(request, answer));
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    if (answer.destroy === "middle") {
      response.write(body.slice(0, body.length / 2), () => response.destroy());
      return;
    }
    if (answer.stallMs !== undefined) {
      response.flushHeaders();
      await sleep(answer.stallMs);
    }
    response.end(body);
  }

  #judgement({ body, pairs }: JevRequest, { score = 0.9, answers, model, usage }: JevAnswer): unknown {
    const judged = pairs.map((pair) => [pair.question, { type: "noul", noul: typeof score === "number" ? score : score(pair) }]);
    return {
      model: model === undefined ? body.model : model,
      answers: answers ?? Object.fromEntries(judged),
      usage: usage ?? this.#options.usage ?? { input_tokens: 10, output_tokens: 2 },
    };
  }

  #refusal(request: IncomingMessage, raw: string): Refusal | undefined {
    if (request.method !== "POST" || request.url !== "/v1/systemone") return { status: 404, why: "unknown" };
    const key = keyOf(request);
    if (key === "") return { status: 403, why: "authentication_error" };
    if (this.#options.keys !== undefined && !this.#options.keys.includes(key)) return { status: 401, why: "authentication_error" };
    if (request.headers["content-type"] !== "application/json") return { status: 415, why: "unknown" };
    if (!isJson(raw)) return { status: 400, why: "unknown" };
    if (this.#options.lenient) return undefined;
    const fault = checkRequest(raw);
    return fault === undefined ? undefined : { status: 422, why: fault };
  }
}

interface Refusal {
  readonly status: number;
  readonly why: string;
}

function errorBody({ status, why }: Refusal): string {
  const detail = status === 422 ? [{ loc: ["body"], msg: why }] : { message: why, error_type: why };
  return JSON.stringify({ detail });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

function keyOf({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
