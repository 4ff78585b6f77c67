/** The worker connections: who they are, what they said of themselves, and which names are taken. */
import { randomUUID } from "node:crypto";
import type { RegistrationFrame } from "./frames.js";
import type { EngineLimits } from "./limits.js";
import { type OutboundTotal, Outbox, type OutboxSocket } from "./outbox.js";

export const DEFAULT_NAMESPACE = "default";

/** What a worker reported through `engine::workers::register`. */
export interface WorkerMetadata {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly runtime?: string | undefined;
  readonly version?: string | undefined;
  readonly os?: string | undefined;
  readonly isolation?: string | undefined;
  readonly pid?: number | undefined;
}

export interface ConnectionSocket extends OutboxSocket {
  readonly remoteAddress: string | null;
  /** Starts the closing handshake, and ends the socket anyway when the peer doesn't answer. */
  close(code: number, reason: string): void;
}

export class Connection {
  readonly id: string = randomUUID();
  readonly token: string = randomUUID();
  readonly connectedAtMs: number;
  readonly outbox: Outbox;
  readonly remoteAddress: string | null;
  namespace = DEFAULT_NAMESPACE;
  metadata: WorkerMetadata | undefined;
  /** Registrations that wait for the metadata call; undefined once they take effect at once. */
  held: { frame: RegistrationFrame; bytes: number }[] | undefined;
  /** Ends the holding when the metadata call never comes. */
  grace: NodeJS.Timeout | undefined;
  /** Calls to asynchronous built-ins in progress. */
  busyBuiltins = 0;
  isGone = false;
  readonly #socket: ConnectionSocket;

  constructor(
    socket: ConnectionSocket,
    total: OutboundTotal,
    limits: EngineLimits,
    now: number,
    overflow: (reason: string) => void,
  ) {
    this.#socket = socket;
    this.connectedAtMs = now;
    this.remoteAddress = socket.remoteAddress;
    this.outbox = new Outbox(socket, total, limits, overflow);
  }

  /** False from the moment the peer said goodbye or we did. */
  get isLive(): boolean {
    return !this.isGone && this.#socket.isOpen;
  }

  send(frame: object, source?: Connection): void {
    this.outbox.send(Buffer.from(JSON.stringify(frame)), false, source?.outbox);
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}

export class ConnectionTable {
  readonly #byId = new Map<string, Connection>();
  readonly #byName = new Map<string, Map<string, Set<Connection>>>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Connection | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<Connection> {
    return this.#byId.values();
  }

  add(connection: Connection): void {
    this.#byId.set(connection.id, connection);
  }

  remove(connection: Connection): void {
    this.#byId.delete(connection.id);
    this.#dropName(connection);
  }

  named(namespace: string, name: string): Iterable<Connection> {
    return this.#byName.get(namespace)?.get(name) ?? [];
  }

  /** Files what a worker said of itself, under the name it chose. */
  describe(connection: Connection, namespace: string, metadata: WorkerMetadata): void {
    this.#dropName(connection);
    connection.namespace = namespace;
    connection.metadata = metadata;
    const { name } = metadata;
    if (name === undefined) return;
    const names = this.#byName.get(namespace) ?? new Map<string, Set<Connection>>();
    const bearers = names.get(name) ?? new Set<Connection>();
    bearers.add(connection);
    names.set(name, bearers);
    this.#byName.set(namespace, names);
  }

  #dropName(connection: Connection): void {
    const { namespace, metadata } = connection;
    const name = metadata?.name;
    const names = this.#byName.get(namespace);
    const bearers = name === undefined ? undefined : names?.get(name);
    if (name === undefined || names === undefined || bearers === undefined) return;
    bearers.delete(connection);
    if (bearers.size === 0) names.delete(name);
    if (names.size === 0) this.#byName.delete(namespace);
  }
}
