/** Which engine to talk to, and whether to bring our own (decision 33 of the design): one that was named is never replaced. */
import { connect } from "node:net";

export const DEFAULT_ENGINE_PORT = 49_134;
export const DEFAULT_ENGINE_URL = `ws://127.0.0.1:${DEFAULT_ENGINE_PORT}`;

export type EngineMode = "auto" | "embedded" | "external";

export interface EngineChoice {
  readonly url: string;
  readonly embedded: boolean;
  /** Why, in words that a person reads at the start. */
  readonly because: string;
}

export interface EngineWish {
  readonly mode: EngineMode;
  /** From the flag. */
  readonly url?: string | undefined;
  /** From `III_URL`. */
  readonly environmentUrl?: string | undefined;
  /** Of the embedded engine; default `DEFAULT_ENGINE_PORT`; zero takes any free one. */
  readonly port?: number | undefined;
}

const PROBE_MS = 500;

export async function chooseEngine({ mode, url, environmentUrl, port = DEFAULT_ENGINE_PORT }: EngineWish): Promise<EngineChoice> {
  const named = url ?? (environmentUrl?.trim() ? environmentUrl : undefined);
  if (mode === "embedded") return { url: DEFAULT_ENGINE_URL, embedded: true, because: "as asked" };
  if (named !== undefined) return { url: named, embedded: false, because: url === undefined ? "from III_URL" : "from --url" };
  if (mode === "external") return { url: DEFAULT_ENGINE_URL, embedded: false, because: "the default address" };
  if (port === 0) return { url: DEFAULT_ENGINE_URL, embedded: true, because: "on a free port, as asked" };
  const address = `ws://127.0.0.1:${port}`;
  const place = port === DEFAULT_ENGINE_PORT ? "the default address" : address;
  return (await answers(port))
    ? { url: address, embedded: false, because: `one answers at ${place}` }
    : { url: address, embedded: true, because: `none answers at ${place}` };
}

/** Whether somebody takes connections on a port of this machine. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const say = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_MS, () => say(false));
    socket.once("connect", () => say(true));
    socket.once("error", () => say(false));
  });
}
