/**
 * Streaming channels: two WebSockets, one that writes and one that reads, matched by an id and a key. What is written before the reader
 * is there waits here; the writer isn't read any further once its share is full.
 */
import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { WebSocket } from "ws";
import { type BuiltinFunction, defineBuiltin, FUNCTIONS_WORKER } from "./builtin.js";
import { EngineError } from "./errors.js";
import { optional } from "./frames.js";
import type { EngineLimits } from "./limits.js";
import { type OutboundTotal, Outbox } from "./outbox.js";
import { connectionSocket } from "./web-socket.js";

const PATH = /^\/ws\/channels\/([0-9a-f-]{36})$/;

/** Messages that wait for a reader. */
const DEFAULT_MESSAGES = 64;
const MAX_MESSAGES = 1_024;

/** A channel whose ends don't both come is forgotten; milliseconds. */
const UNCLAIMED_MS = 60_000;

type Direction = "read" | "write";

interface End {
  readonly outbox: Outbox;
  readonly close: (code: number, reason: string) => void;
}

export class Channels {
  readonly #channels = new Map<string, Channel>();
  readonly #total: OutboundTotal;
  readonly #limits: EngineLimits;

  constructor(total: OutboundTotal, limits: EngineLimits) {
    this.#total = total;
    this.#limits = limits;
  }

  /** Who takes a connection to this address; undefined when there is no such channel, the key is wrong, or that end is taken. */
  route({ pathname, searchParams }: URL): ((socket: WebSocket) => void) | undefined {
    const channel = this.#channels.get(PATH.exec(pathname)?.[1] ?? "");
    const direction = searchParams.get("dir");
    if (channel === undefined || searchParams.get("key") !== channel.key) return undefined;
    if ((direction !== "read" && direction !== "write") || channel.isTaken(direction)) return undefined;
    return (socket) => this.#attach(channel, direction, socket);
  }

  functions(): BuiltinFunction[] {
    return [
      defineBuiltin({
        id: "engine::channels::create",
        worker: FUNCTIONS_WORKER,
        description: "Opens a streaming channel and returns the references of its two ends.",
        request: Type.Object({ buffer_size: optional(Type.Integer({ minimum: 0 })) }),
        run: ({ buffer_size }) => this.#create(Math.min(Math.max(buffer_size ?? DEFAULT_MESSAGES, 1), MAX_MESSAGES)),
      }),
    ];
  }

  close(): void {
    for (const channel of this.#channels.values()) channel.end();
  }

  #create(messages: number): object {
    if (this.#channels.size >= this.#limits.channels) throw new EngineError("invocation_error", "too many channels are open");
    const id = randomUUID();
    const channel = new Channel(messages, this.#limits.channelBytes, () => this.#channels.delete(id));
    this.#channels.set(id, channel);
    const reference = { channel_id: id, access_key: channel.key };
    return { writer: { ...reference, direction: "write" }, reader: { ...reference, direction: "read" } };
  }

  #attach(channel: Channel, direction: Direction, socket: WebSocket): void {
    const plain = connectionSocket(socket, null);
    const outbox = new Outbox(plain, this.#total, this.#limits, () => socket.terminate());
    socket.on("close", () => {
      outbox.close();
      channel.ended(direction);
    });
    if (direction === "write") socket.on("message", (message: Buffer, isBinary) => channel.write(message, isBinary));
    channel.attach(direction, { outbox, close: plain.close });
  }
}

class Channel {
  readonly key: string = randomUUID();
  readonly #ends: Partial<Record<Direction, End>> = {};
  readonly #waiting: { readonly message: Buffer; readonly isBinary: boolean }[] = [];
  readonly #maxMessages: number;
  readonly #maxBytes: number;
  readonly #forget: () => void;
  readonly #unclaimed: NodeJS.Timeout;
  #waitingBytes = 0;
  #isWritten = false;

  constructor(maxMessages: number, maxBytes: number, forget: () => void) {
    this.#maxMessages = maxMessages;
    this.#maxBytes = maxBytes;
    this.#forget = forget;
    this.#unclaimed = setTimeout(() => this.end(), UNCLAIMED_MS).unref();
  }

  isTaken(direction: Direction): boolean {
    return this.#ends[direction] !== undefined || (direction === "write" && this.#isWritten);
  }

  attach(direction: Direction, end: End): void {
    this.#ends[direction] = end;
    if (this.#ends.write !== undefined && this.#ends.read !== undefined) clearTimeout(this.#unclaimed);
    if (direction === "read") this.#flush(end);
  }

  write(message: Buffer, isBinary: boolean): void {
    const { read, write } = this.#ends;
    if (read !== undefined) {
      read.outbox.send(message, isBinary, write?.outbox);
      return;
    }
    this.#waiting.push({ message, isBinary });
    this.#waitingBytes += message.length;
    if (this.#waiting.length >= this.#maxMessages || this.#waitingBytes > this.#maxBytes) write?.outbox.pause(this);
  }

  /** The writer is done: the reader gets what is left. The reader is gone: nobody needs the rest. */
  ended(direction: Direction): void {
    delete this.#ends[direction];
    if (direction === "write") this.#isWritten = true;
    if (direction === "read" || this.#ends.read !== undefined) this.end();
  }

  end(): void {
    clearTimeout(this.#unclaimed);
    this.#forget();
    this.#waiting.length = 0;
    // What was written is read to its end, however slowly.
    for (const { outbox, close } of Object.values(this.#ends)) outbox.whenEmpty(() => close(1000, "the channel has ended"));
  }

  #flush({ outbox }: End): void {
    for (const { message, isBinary } of this.#waiting.splice(0)) outbox.send(message, isBinary, this.#ends.write?.outbox);
    this.#waitingBytes = 0;
    this.#ends.write?.outbox.resume(this);
    if (this.#isWritten) this.end();
  }
}
