/** A workers registry for tests and for people without one: answers of our own making in the real shape, and every way of failing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PublishedWorker {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly readme?: string;
  readonly functions?: readonly Readonly<Record<string, unknown>>[];
  readonly triggers?: readonly Readonly<Record<string, unknown>>[];
  readonly skills?: readonly { readonly path: string; readonly content: string }[];
}

export type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>;

const PAGE = 20;

export class RegistryServer {
  readonly #server: Server;
  /** Path with query of each request. */
  readonly asked: string[] = [];
  readonly headers: IncomingMessage["headers"][] = [];
  readonly workers = new Map<string, PublishedWorker>();
  /** Answers in place of the registry where it returns true. */
  intercept: (url: URL, request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(workers: readonly PublishedWorker[] = [], port = 0): Promise<RegistryServer> {
    const server = createServer();
    const registry = new RegistryServer(server);
    for (const worker of workers) registry.workers.set(worker.name, worker);
    server.on("request", (request, response) => registry.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.url);
    this.asked.push(`${url.pathname}${url.search}`);
    this.headers.push(request.headers);
    if (this.intercept(url, request, response)) return;
    const [, base, name, leaf] = url.pathname.split("/").map(decodeURIComponent);
    if (base !== "w") return send(response, 404, { error: "no such path" });
    if (name === undefined) return send(response, 200, this.#page(url.searchParams));
    const worker = this.workers.get(name);
    const version = url.searchParams.get("version") ?? "latest";
    if (worker === undefined || (version !== "latest" && version !== worker.version))
      return send(response, 404, { error: "no such worker" });
    if (leaf === "skills") {
      if (worker.skills === undefined) return send(response, 404, { error: "no bundle" });
      return send(response, 200, { name, version: worker.version ?? "1.0.0", skills: worker.skills });
    }
    return send(response, 200, {
      worker: { ...rowOf(worker), readme: worker.readme, functions: worker.functions, triggers: worker.triggers },
    });
  }

  #page(query: URLSearchParams): unknown {
    const words = (query.get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = [...this.workers.values()].filter(
      ({ name, description = "" }) =>
        words.length === 0 || words.some((word) => `${name} ${description}`.toLowerCase().includes(word)),
    );
    const begin = Number(query.get("cursor") ?? 0);
    const more = begin + PAGE < fitting.length;
    return {
      workers: fitting.slice(begin, begin + PAGE).map(rowOf),
      pagination: { next_cursor: more ? String(begin + PAGE) : null, has_more: more, page_size: PAGE },
    };
  }
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(typeof body === "string" ? body : JSON.stringify(body));
}

function rowOf({ name, description, version }: PublishedWorker): Record<string, unknown> {
  return {
    name,
    description: description ?? null,
    type: "binary",
    version: version ?? "1.0.0",
    repo: `https://example.test/${name}`,
    config: {},
    supported_targets: ["x86_64-unknown-linux-gnu"],
    total_downloads: 12,
    dependencies: [{ name: "iii", version: "0.22" }],
    author: { name: "harbour", pfp: null, verified: true },
  };
}
