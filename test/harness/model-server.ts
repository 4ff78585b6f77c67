/** A server that has the files of a bundle, and every way of not giving them. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BundleManifest, partsOf } from "../../actors/embedding/model/manifest.js";
import { pathOf } from "../../actors/embedding/model/verification.js";

export class ModelServer {
  readonly #server: Server;
  readonly #files = new Map<string, string>();
  /** Path below the repository, and the range, of each request. */
  readonly asked: { readonly path: string; readonly range: string | undefined }[] = [];
  /** Answers in its place where it returns true. */
  intercept: (path: string, response: ServerResponse, bytes: Buffer) => boolean = () => false;
  ranges = true;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(folder: string, manifest: BundleManifest): Promise<ModelServer> {
    const server = createServer();
    const model = new ModelServer(server);
    for (const [, part] of partsOf(manifest)) {
      for (const file of part.files) {
        model.#files.set(`/${part.repository}/resolve/${part.revision}/${file.path}`, pathOf(folder, part, file));
      }
    }
    server.on("request", (request, response) => model.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "";
    const file = this.#files.get(path);
    this.asked.push({ path, range: request.headers.range });
    if (file === undefined) return void response.writeHead(404).end();
    const bytes = readFileSync(file);
    if (this.intercept(path, response, bytes)) return;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    if (!this.ranges || from === 0) return void response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    response.writeHead(206, { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }).end(bytes.subarray(from));
  }
}
