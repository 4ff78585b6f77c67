/**
 * Gets a page of the public web within limits. The address is checked where the connection is made, so neither a redirect nor a name that
 * suddenly means another address leads into the private network.
 */
import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Agent, request } from "undici";

export interface DownloadLimits {
  /** For tests: pages of this machine too. */
  readonly allowPrivate?: boolean;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
}

export interface Download {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The page was longer than the limit. */
  readonly truncated: boolean;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv4");
// Public addresses of version 6 begin with 2000::/3; within it, these carry an address of version 4 or lead nowhere.
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv6");
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet("2000::", 3, "ipv6");

export function isPrivate(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return PRIVATE.check(address, "ipv4");
  return version !== 6 || !PUBLIC_6.check(address, "ipv6") || PRIVATE.check(address, "ipv6");
}

export class Downloader {
  readonly #allowPrivate: boolean;
  readonly #timeoutMs: number;
  readonly #maxBytes: number;
  readonly #maxRedirects: number;
  readonly #agent: Agent;

  constructor(limits: DownloadLimits = {}) {
    this.#allowPrivate = limits.allowPrivate ?? false;
    this.#timeoutMs = limits.timeoutMs ?? TIMEOUT_MS;
    this.#maxBytes = limits.maxBytes ?? MAX_BYTES;
    this.#maxRedirects = limits.maxRedirects ?? MAX_REDIRECTS;
    this.#agent = new Agent({ connect: { lookup: this.#lookup }, maxHeaderSize: 32 * 1024 });
  }

  /** Throws one readable line. */
  async get(address: string, method: "GET" | "HEAD" = "GET"): Promise<Download> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let url = this.#checked(address);
    for (let redirects = 0; ; redirects++) {
      const reply = await request(url, {
        method,
        dispatcher: this.#agent,
        signal,
        headers: { "user-agent": "iii-example-web/1" },
      }).catch((error: unknown) => {
        throw new Error(signal.aborted ? this.#late(url) : `fetch_failed: ${url.host}: ${reason(error)}`);
      });
      // A body that is given up on says so once more, as an event.
      reply.body.on("error", () => {});
      const target = reply.headers["location"];
      if (!REDIRECTS.has(reply.statusCode) || typeof target !== "string") return this.#read(url, reply, signal);
      reply.body.destroy();
      if (redirects === this.#maxRedirects) throw new Error(`fetch_failed: more than ${this.#maxRedirects} redirects`);
      url = this.#checked(new URL(target, url).href);
    }
  }

  async #read(
    url: URL,
    { statusCode, headers, body }: Awaited<ReturnType<typeof request>>,
    signal: AbortSignal,
  ): Promise<Download> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > this.#maxBytes) break;
      }
    } catch (error) {
      throw new Error(signal.aborted ? this.#late(url) : `fetch_failed: ${url.host}: ${reason(error)}`);
    }
    const plain = Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : String(value ?? ""),
    ]);
    return {
      url: url.href,
      status: statusCode,
      headers: Object.fromEntries(plain),
      body: Buffer.concat(chunks).subarray(0, this.#maxBytes).toString("utf8"),
      truncated: bytes > this.#maxBytes,
    };
  }

  #checked(address: string): URL {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined) throw new Error(`invalid_request: ${JSON.stringify(address)} is not an absolute web address`);
    if (url.protocol !== "http:" && url.protocol !== "https:")
      throw new Error(`invalid_request: only http and https, not ${url.protocol}`);
    if (url.username !== "" || url.password !== "")
      throw new Error("invalid_request: an address with a password in it is not fetched");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0) this.#refuse(host);
    return url;
  }

  #refuse(address: string): void {
    if (!this.#allowPrivate && isPrivate(address)) throw new Error(`${address} is not on the public web`);
  }

  readonly #lookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const allowed = error === null ? addresses.filter(({ address }) => this.#allowPrivate || !isPrivate(address)) : [];
      const [first] = allowed;
      if (error !== null || first === undefined) callback(error ?? new Error(`${host} is not on the public web`), "", 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };

  #late(url: URL): string {
    return `fetch_failed: ${url.host} took longer than ${this.#timeoutMs / 1000} s`;
  }
}

function reason(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
