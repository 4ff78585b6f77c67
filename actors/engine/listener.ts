/**
 * The HTTP server: it upgrades WebSockets and serves the pages of the console, nothing else. It listens on 127.0.0.1 only, and since every web page that the
 * user opens can reach that address too, it refuses pages of any other origin and names that merely resolve to this machine.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { DirectoryError } from "../../protocol/errors.js";
import type { Page } from "./console-pages.js";
import type { EngineLimits } from "./limits.js";

const HOST = "127.0.0.1";
const BASE = `http://${HOST}`;

/** A peer that hasn't finished its request by then is dropped; milliseconds. */
const HANDSHAKE_MS = 10_000;

/** Connections that are refused with a readable answer before the operating system refuses them without. */
const GRACE_CONNECTIONS = 64;

export type Accept = (socket: WebSocket, request: IncomingMessage) => void;

/** Finds who takes a connection to a path; undefined answers 404. */
export type Route = (url: URL) => Accept | undefined;

export class Listener {
  readonly #server: Server;
  readonly #sockets = new Set<WebSocket>();
  readonly #webSockets: WebSocketServer;
  readonly #route: Route;
  readonly #limits: EngineLimits;

  constructor(route: Route, limits: EngineLimits, pages: ReadonlyMap<string, Page> = new Map()) {
    this.#route = route;
    this.#limits = limits;
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.messageBytes,
    });
    const timeouts = { headersTimeout: HANDSHAKE_MS, requestTimeout: HANDSHAKE_MS, connectionsCheckingInterval: 1_000 };
    this.#server = createServer(timeouts, (request, response) => {
      const refused = this.#refusal(request);
      const page = refused === undefined ? pages.get(pathOf(request)) : undefined;
      if (page !== undefined) {
        const isRead = request.method === "GET" || request.method === "HEAD";
        response.writeHead(isRead ? 200 : 405, isRead ? page.headers : { Allow: "GET, HEAD" });
        response.end(request.method === "GET" ? page.body : undefined);
        return;
      }
      const status = refused ?? 426;
      response.writeHead(status, { "Content-Type": "text/plain", ...(status === 426 && { Upgrade: "websocket" }) });
      response.end(status === 426 ? "This is an iii engine: connect with a WebSocket.\n" : "");
    });
    this.#server.maxConnections = limits.connections + GRACE_CONNECTIONS;
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Resolves with the address. Rejects with one line that says what to do when the port can't be had. */
  listen(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error: NodeJS.ErrnoException) =>
        reject(new DirectoryError("engine_error", listenFailure(port, error))),
      );
      this.#server.listen(port, HOST, () => resolve(`ws://${HOST}:${this.#port}`));
    });
  }

  /** Drops every connection, as an engine that stops does, and frees the port. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.terminate();
    this.#server.closeAllConnections();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const refused = this.#refusal(request) ?? (this.#sockets.size >= this.#limits.connections ? 503 : undefined);
    const target = request.url ?? "/";
    const isTaken = refused === undefined && URL.canParse(target, BASE);
    const accept = isTaken ? this.#route(new URL(target, BASE)) : undefined;
    if (accept === undefined) {
      socket.end(`HTTP/1.1 ${refused ?? 404} ${STATUS_TEXT[refused ?? 404]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#sockets.add(webSocket);
      webSocket.once("close", () => this.#sockets.delete(webSocket));
      // What is wrong with a peer shows in its close event; without a listener it would end the thread.
      webSocket.on("error", () => {});
      accept(webSocket, request);
    });
  }

  /** A page in a browser may not reach us, nor may a name that somebody points at this machine; a forwarded port is all right. */
  #refusal({ headers }: IncomingMessage): 403 | 421 | undefined {
    if (!LOOPBACK.test(headers.host ?? "")) return 421;
    if (headers.origin === undefined || own(this.#port).includes(headers.origin)) return undefined;
    return 403;
  }
}

/** Without the query. What isn't even a path, such as `//`, is nobody's. */
function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

function own(port: number): string[] {
  return [HOST, "localhost", "[::1]"].map((host) => `http://${host}:${port}`);
}

const STATUS_TEXT: Readonly<Record<number, string>> = {
  403: "Forbidden",
  404: "Not Found",
  421: "Misdirected Request",
  503: "Service Unavailable",
};

function listenFailure(port: number, { code, message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE") {
    return `port ${port} on ${HOST} is in use: stop the program that holds it, or choose another one with --port (0 takes a free one)`;
  }
  if (code === "EACCES") return `port ${port} on ${HOST} may not be opened by this user: choose one above 1023 with --port`;
  return `can't listen on ${HOST}:${port}: ${message}`;
}
