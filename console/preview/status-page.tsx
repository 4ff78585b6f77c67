/** How the worker is: its actors, their restarts and latencies, read again every two seconds. */
import { type ReactNode, useEffect, useState } from "react";
import { type Bus, messageOf } from "../host.js";

interface Latency {
  readonly calls: number;
  readonly p50: number;
  readonly p95: number;
}

interface ActorState {
  readonly state: string;
  readonly restarts: number;
  readonly in_flight: number;
  readonly last_error?: string;
  readonly methods: Readonly<Record<string, Latency>>;
  readonly report?: unknown;
}

interface Status {
  readonly version: string;
  readonly uptime_ms: number;
  readonly engine: { readonly url: string; readonly connected: boolean; readonly embedded: boolean };
  readonly configuration_generation: number;
  readonly rss_bytes: number;
  readonly actors: Readonly<Record<string, ActorState>>;
}

const EVERY_MS = 2_000;

export function StatusPage({ bus }: { readonly bus: Bus }): ReactNode {
  const [status, setStatus] = useState<Status>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const load = async (): Promise<void> => {
      try {
        const next = await bus.trigger<Status>("iii-directory::status", {}, { timeoutMs: 5_000 });
        if (isGone) return;
        setStatus(next);
        setError(undefined);
      } catch (reason) {
        if (!isGone) setError(messageOf(reason));
      }
    };
    void load();
    const timer = setInterval(() => void load(), EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [bus]);
  const restart = (actor: string): void => {
    bus.trigger("iii-directory::actors::restart", { actor }).catch((reason: unknown) => setError(messageOf(reason)));
  };
  return (
    <div className="shell-page">
      <h1>Status</h1>
      {error !== undefined && (
        <p className="shell-notice" role="alert">
          {error}
        </p>
      )}
      {status !== undefined && (
        <>
          <dl className="shell-facts">
            <Fact name="Version" value={status.version} />
            <Fact name="Up" value={durationText(status.uptime_ms)} />
            <Fact name="Engine" value={`${status.engine.url}${status.engine.embedded ? " (embedded)" : ""}`} />
            <Fact name="Memory" value={`${Math.round(status.rss_bytes / 1_048_576)} MiB`} />
            <Fact name="Configuration" value={`generation ${status.configuration_generation}`} />
          </dl>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <section className="shell-table" aria-label="Actors" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Actor</th>
                  <th scope="col">State</th>
                  <th scope="col">Restarts</th>
                  <th scope="col">In flight</th>
                  <th scope="col">Calls, p50 / p95 ms</th>
                  <th scope="col">Last error</th>
                  <th scope="col">
                    <span className="shell-hidden">Action</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(status.actors).map(([name, actor]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>
                      <span className={`shell-state ${actor.state}`}>{actor.state}</span>
                    </td>
                    <td>{actor.restarts}</td>
                    <td>{actor.in_flight}</td>
                    <td>
                      <Methods methods={actor.methods} />
                    </td>
                    <td>{actor.last_error ?? ""}</td>
                    <td>
                      {name !== "engine" && (
                        <button type="button" onClick={() => restart(name)} aria-label={`Restart ${name}`}>
                          Restart
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const SHOWN_METHODS = 3;

function Methods({ methods }: { readonly methods: Readonly<Record<string, Latency>> }): ReactNode {
  const busiest = Object.entries(methods)
    .filter(([, { calls }]) => calls > 0)
    .sort(([, left], [, right]) => right.calls - left.calls);
  return busiest.slice(0, SHOWN_METHODS).map(([name, { calls, p50, p95 }]) => (
    <div key={name}>
      <code>{name}</code> {calls}× · {p50.toFixed(1)} / {p95.toFixed(1)}
    </div>
  ));
}

function durationText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min`
    : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
