/** A thread that does only what a test tells it to, so that the order of events is the test's and not the scheduler's. */
import type { CallContext } from "../../protocol/call.js";
import type { Ending, EndReason, Incarnation } from "../../supervisor/incarnation.js";

export interface Received {
  readonly request: unknown;
  readonly answer: (value: unknown) => void;
}

export class FakeIncarnation implements Incarnation {
  readonly ready: Promise<void> = Promise.resolve();
  readonly ended: Promise<Ending>;
  readonly received: Received[] = [];
  readonly memory = { heapKiB: 0, bufferKiB: 0 };
  die!: (ending: Ending) => void;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.die = resolve;
    });
  }

  send(_method: string, request: unknown, _context: CallContext): Promise<unknown> {
    return new Promise((answer) => this.received.push({ request, answer }));
  }

  configure(): void {}

  async drain(): Promise<void> {}

  end(reason: EndReason): void {
    this.die({ reason, cause: "ended" });
  }
}
