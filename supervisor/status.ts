/** The answer of `iii-directory::status`. */
import type { StatusResponse } from "../protocol/functions/administration.js";
import type { EventLoopWatch } from "./event-loop.js";
import type { Supervisor } from "./supervisor.js";

export interface StatusSources {
  readonly supervisor: Supervisor;
  readonly version: string;
  readonly startedAt: number;
  readonly eventLoop: EventLoopWatch;
  readonly engine: { readonly url: string; readonly connected: boolean; readonly embedded: boolean };
  /** What actors say of themselves, by name; an actor that doesn't answer in time is left out. */
  readonly reports: () => Promise<Readonly<Record<string, unknown>>>;
}

const KIB = 1_024;

export async function statusOf({
  supervisor,
  version,
  startedAt,
  eventLoop,
  engine,
  reports,
}: StatusSources): Promise<StatusResponse> {
  const said = await reports();
  const actors: StatusResponse["actors"] = {};
  for (const name of supervisor.names) {
    const status = supervisor.status(name);
    if (status === undefined) continue;
    const { state, restarts, inFlight, methods, lastEnding, memory } = status;
    actors[name] = {
      state,
      restarts,
      in_flight: inFlight,
      methods: { ...methods },
      ...(memory === undefined ? {} : { heap_bytes: memory.heapKiB * KIB, buffer_bytes: memory.bufferKiB * KIB }),
      ...(lastEnding === undefined ? {} : { last_error: lastEnding.reason ?? lastEnding.cause }),
      ...(said[name] === undefined ? {} : { report: said[name] }),
    };
  }
  return {
    version,
    uptime_ms: Date.now() - startedAt,
    engine,
    configuration_generation: supervisor.configuration.generation,
    rss_bytes: process.memoryUsage.rss(),
    heap_bytes: process.memoryUsage().heapUsed,
    event_loop_delay_ms: eventLoop.read(),
    actors,
  };
}
