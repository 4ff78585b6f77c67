/** Which engine to talk to, and whether to bring our own (decision 33 of the design): one that was named is never replaced. */
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { DirectoryError } from "../protocol/errors.js";

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
  const answer = await whoAnswers(port);
  if (answer === "stranger") {
    throw new DirectoryError(
      "invalid_request",
      `port ${port} is in use by something that is not an engine. Free it, choose another one with --port, or name your engine with --url`,
    );
  }
  return answer === "engine"
    ? { url: address, embedded: false, because: `one answers at ${place}` }
    : { url: address, embedded: true, because: `none answers at ${place}` };
}

/** Asks for a WebSocket, as a worker does. Whoever takes the connection and says nothing may be a busy engine. */
function whoAnswers(port: number): Promise<"engine" | "stranger" | "nobody"> {
  const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const key = randomBytes(16).toString("base64");
  return new Promise((resolve) => {
    const probe = request({ host: "127.0.0.1", port, headers: { ...headers, "sec-websocket-key": key }, agent: false });
    const say = (answer: "engine" | "stranger" | "nobody"): void => {
      resolve(answer);
      probe.destroy();
    };
    probe.setTimeout(PROBE_MS, () => say("engine"));
    probe.once("upgrade", (_, socket) => {
      socket.destroy();
      say("engine");
    });
    probe.once("response", () => say("stranger"));
    probe.on("error", ({ code = "" }: NodeJS.ErrnoException) => say(code.startsWith("HPE_") ? "stranger" : "nobody"));
    probe.end();
  });
}
