/**
 * Names into addresses by Node's own resolver. The system's can't be given up: a thread that waits for it doesn't end before it answers,
 * and without a network that takes many seconds. It is asked only for names that the resolver can't know, those of a local network.
 */
import { lookup, promises } from "node:dns";
import { readFile } from "node:fs/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { platform } from "node:os";

const PATIENCE = { timeout: 2_000, tries: 2 } as const;
const HOSTS_FILE = platform() === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
const LOCAL = /^[^.]+$|\.(?:local|internal|lan|svc)$/i;

interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface NameResolution {
  readonly lookup: LookupFunction;
  /** The same, but a name that means an address of this network has none. */
  readonly publicLookup: LookupFunction;
  /** Gives up what is under way. */
  close(): void;
}

export function nameResolution(): NameResolution {
  const resolver = new promises.Resolver(PATIENCE);
  const resolve = async (hostname: string): Promise<readonly Address[]> => {
    const listed = await addressesOf(hostname);
    if (listed.length > 0) return listed;
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 }) as const) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 }) as const) : []),
    ];
    if (found.length > 0) return found;
    if (LOCAL.test(hostname)) return systemAddresses(hostname);
    throw four.status === "rejected" ? four.reason : new Error(`${hostname} has no address`);
  };
  return {
    lookup: asLookup(resolve),
    publicLookup: asLookup(async (hostname) => {
      const found = await resolve(hostname);
      if (found.some(({ address }) => isPrivateAddress(address))) throw new Error("a private address");
      return found;
    }),
    close: () => resolver.cancel(),
  };
}

/** Of the machine's own list of names. */
async function addressesOf(hostname: string): Promise<Address[]> {
  const name = hostname.toLowerCase();
  if (name === "localhost" || name.endsWith(".localhost")) return [addressOf("127.0.0.1"), addressOf("::1")];
  const text = await readFile(HOSTS_FILE, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [addressOf(address)] : [];
  });
}

function systemAddresses(hostname: string): Promise<readonly Address[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error !== null) reject(error);
      else resolve(found.map(({ address }) => addressOf(address)));
    });
  });
}

function addressOf(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

/** What sockets want to be given. */
function asLookup(resolve: (hostname: string) => Promise<readonly Address[]>): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const wanted = found.filter(
          ({ family }) => !options.family || options.family === family || options.family === `IPv${family}`,
        );
        const [first] = wanted;
        if (first === undefined) callback(new Error(`${hostname} has no address`), "", 4);
        else if (options.all === true) callback(null, wanted as never);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, "", 4),
    );
  };
}

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv6");
}

/** Of a literal address. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return PRIVATE.check(mapped, isIP(mapped) === 6 ? "ipv6" : "ipv4");
}
