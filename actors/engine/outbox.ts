/**
 * What waits to be written to one peer. Nothing is dropped and nothing overtakes; memory stays bounded because
 *
 *   waiting > pauseBytes         whoever wrote to this peer is not read until it has taken most of it (backpressure)
 *   nothing taken for stallMs    the peer has stopped reading: disconnected, and the writers are read again
 *   waiting > outboundBytes      disconnected at once; only writers that can't be paused (the engine itself) get this far
 */
import type { EngineLimits } from "./limits.js";

/** The part of a WebSocket that is needed here. */
export interface OutboxSocket {
  readonly isOpen: boolean;
  send(message: Buffer, isBinary: boolean, done: () => void): void;
  pause(): void;
  resume(): void;
}

/** What waits for all peers together. */
export class OutboundTotal {
  bytes = 0;
  readonly outboxes = new Set<Outbox>();

  /** When everybody together has too much, the one with the most pays for it, not the one that was written to last. */
  largest(): Outbox | undefined {
    let largest: Outbox | undefined;
    for (const outbox of this.outboxes) if (outbox.waitingBytes > (largest?.waitingBytes ?? 0)) largest = outbox;
    return largest;
  }
}

export class Outbox {
  #waiting = 0;
  #taken = 0;
  #isClosed = false;
  #stall: NodeJS.Timeout | undefined;
  #emptied: (() => void) | undefined;
  readonly #writers = new Set<Outbox>();
  readonly #waitsFor = new Set<unknown>();
  readonly #socket: OutboxSocket;
  readonly #total: OutboundTotal;
  readonly #limits: EngineLimits;
  readonly #overflow: (reason: string) => void;

  constructor(socket: OutboxSocket, total: OutboundTotal, limits: EngineLimits, overflow: (reason: string) => void) {
    this.#socket = socket;
    this.#total = total;
    this.#limits = limits;
    this.#overflow = overflow;
    total.outboxes.add(this);
  }

  get waitingBytes(): number {
    return this.#waiting;
  }

  get isPaused(): boolean {
    return this.#waitsFor.size > 0;
  }

  /** `source` is the peer whose message caused this one, if any: it is the one to slow down. */
  send(message: Buffer, isBinary: boolean, source?: Outbox): void {
    if (this.#isClosed || !this.#socket.isOpen) return;
    const { length } = message;
    this.#waiting += length;
    this.#total.bytes += length;
    this.#socket.send(message, isBinary, () => this.#done(length));
    if (this.#total.bytes > this.#limits.outboundTotalBytes) this.#total.largest()?.giveUp();
    if (this.#isClosed) return;
    if (this.#waiting > this.#limits.outboundBytes) {
      this.giveUp();
    } else if (this.#waiting > this.#limits.pauseBytes) {
      this.#watchStall();
      if (source !== undefined && !source.#isClosed) {
        this.#writers.add(source);
        source.pause(this);
      }
    }
  }

  giveUp(): void {
    this.#overflow(`it doesn't read: ${this.#waiting} bytes wait for it`);
  }

  /** Calls back once everything has been handed to the operating system; at once when nothing waits. */
  whenEmpty(callback: () => void): void {
    if (this.#waiting === 0) callback();
    else this.#emptied = callback;
  }

  /** Stops reading from this peer until `resume` is called with the same reason. */
  pause(reason: unknown): void {
    if (this.#waitsFor.size === 0 && !this.#isClosed) this.#socket.pause();
    this.#waitsFor.add(reason);
  }

  resume(reason: unknown): void {
    if (this.#waitsFor.delete(reason) && this.#waitsFor.size === 0 && !this.#isClosed) this.#socket.resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#total.outboxes.delete(this);
    this.#total.bytes -= this.#waiting;
    this.#waiting = 0;
    clearTimeout(this.#stall);
    this.#release();
  }

  #done(length: number): void {
    if (this.#isClosed) return;
    this.#waiting -= length;
    this.#taken += length;
    this.#total.bytes -= length;
    if (this.#waiting === 0) this.#emptied?.();
    if (this.#waiting > this.#limits.resumeBytes) return;
    clearTimeout(this.#stall);
    this.#stall = undefined;
    this.#release();
  }

  #release(): void {
    for (const writer of this.#writers) writer.resume(this);
    this.#writers.clear();
  }

  #watchStall(): void {
    if (this.#stall !== undefined) return;
    const before = this.#taken;
    this.#stall = setTimeout(() => {
      this.#stall = undefined;
      if (this.#taken === before) this.#overflow(`it has read nothing for ${this.#limits.stallMs} ms`);
      else this.#watchStall();
    }, this.#limits.stallMs);
    this.#stall.unref();
  }
}
