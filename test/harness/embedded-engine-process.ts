/** The embedded engine as a user starts it: `iii-directory engine` in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "./shared.js";

export const CLI = join(ROOT, "dist", "cli", "main.js");

export interface EngineProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** As a user does it; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Resolves when it listens. What it wrote is in the error when it ends before that. */
export async function startEngineProcess(...flags: string[]): Promise<EngineProcess> {
  const child = spawn(process.execPath, [CLI, "engine", ...flags], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LOG_LEVEL: "error" },
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = once(child, "exit") as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [found] = /ws:\/\/[\d.:]+/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(Object.assign(new Error(output), { code })));
  });
  return {
    url,
    child,
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await ended;
      return code;
    },
  };
}

/** A port that was free a moment ago, for programs that must be told one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
