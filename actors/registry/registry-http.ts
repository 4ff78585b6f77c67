/**
 * GET of JSON from the workers registry: one deadline over headers and body, a limit for the decompressed body, and redirects that are
 * followed by hand, because one may lead into the network of this machine.
 */
import { isIP } from "node:net";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch } from "undici";
import { isPrivateAddress, nameResolution } from "../../border/name-resolution.js";

/** Why there is no answer. Says nothing of addresses, bodies or transport: it is shown to callers. */
export class RegistryFailure extends Error {
  readonly kind: "status" | "unreachable" | "undecodable";
  readonly status: number | undefined;

  constructor(kind: RegistryFailure["kind"], status?: number) {
    super(kind === "status" ? `the registry answered with status ${status}` : REASONS[kind]);
    this.kind = kind;
    this.status = status;
  }
}

const REASONS = {
  unreachable: "the registry could not be reached in time",
  undecodable: "the registry gave an answer that cannot be decoded",
} as const;

export interface RegistryHttpOptions {
  readonly userAgent: string;
}

export interface GetOptions {
  /** Epoch milliseconds, to the last byte of the body. */
  readonly deadline: number;
}

const MOST_REDIRECTS = 5;
/** Bytes of a decompressed body. */
const MOST_BYTES = 32 * 2 ** 20;

export class RegistryHttp {
  readonly #userAgent: string;
  readonly #names = nameResolution();
  readonly #direct: Dispatcher = new EnvHttpProxyAgent({ connect: { lookup: this.#names.lookup } });
  /** For hosts that a redirect names: whatever a name means at that moment, it may not be an address of this network. */
  readonly #guarded: Dispatcher = new Agent({ connect: { lookup: this.#names.publicLookup } });

  constructor({ userAgent }: RegistryHttpOptions) {
    this.#userAgent = userAgent;
  }

  /** Rejects with a `RegistryFailure`. */
  async json(address: URL, { deadline }: GetOptions): Promise<unknown> {
    const signal = AbortSignal.timeout(Math.max(0, Math.min(deadline - Date.now(), 2 ** 31 - 1)));
    let url = address;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await this.#get(url, url.host === address.host, signal);
      const next = redirectOf(response.status, response.headers.get("location"), url, address);
      if (next === undefined) return this.#read(response, signal);
      await response.body?.cancel().catch(() => {});
      url = next;
    }
    throw new RegistryFailure("unreachable");
  }

  /** Gives up everything that is under way. */
  async close(): Promise<void> {
    this.#names.close();
    await Promise.all([this.#direct.destroy(), this.#guarded.destroy()]);
  }

  async #get(url: URL, isConfigured: boolean, signal: AbortSignal): Promise<Response> {
    try {
      const response = await fetch(url, {
        redirect: "manual",
        headers: { "user-agent": this.#userAgent, accept: "application/json" },
        dispatcher: isConfigured ? this.#direct : this.#guarded,
        signal,
      });
      return response as unknown as Response;
    } catch {
      throw new RegistryFailure("unreachable");
    }
  }

  async #read(response: Response, signal: AbortSignal): Promise<unknown> {
    if (!response.ok) {
      await response.body?.cancel().catch(() => {});
      throw new RegistryFailure("status", response.status);
    }
    try {
      return JSON.parse(await readText(response, signal)) as unknown;
    } catch {
      throw new RegistryFailure("undecodable");
    }
  }
}

async function readText(response: Response, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > MOST_BYTES) {
      await reader.cancel().catch(() => {});
      throw new Error("too large");
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join("");
}

/** Where to go next; undefined when this is the answer. Refuses what leaves https, the web, or the public network. */
function redirectOf(status: number, location: string | null, from: URL, configured: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  if (location === null || !URL.canParse(location, from.href)) throw new RegistryFailure("unreachable");
  const next = new URL(location, from);
  const isWeb = next.protocol === "https:" || (next.protocol === "http:" && from.protocol === "http:");
  if (!isWeb || (next.host !== configured.host && isPrivateHost(next.hostname))) throw new RegistryFailure("unreachable");
  return next;
}

/** Of a literal address; a name is looked at when it is resolved. */
function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) !== 0 && isPrivateAddress(bare);
}
