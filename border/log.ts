/**
 * The one logger. It writes to standard error, synchronously, so that the last words of a dying thread are read: a line for people
 * where standard error is a terminal, JSON elsewhere. Standard output belongs to the answers of commands.
 */
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";

export type { Logger };

const STDERR = 2;

/** `name` is the actor, or `supervisor`; `level` one of pino's. */
export function createLogger(name: string, level: string): Logger {
  const sink = pino.destination({ fd: STDERR, sync: true });
  const options = { name, level, base: { name }, redact: REDACTED };
  return isatty(STDERR) ? pino(options, { write: (line: string) => sink.write(readable(line)) }) : pino(options, sink);
}

/** Fields that may never be written, wherever a caller logs them. */
const REDACTED = {
  paths: ["function_search_jev_api_key", "*.function_search_jev_api_key", "authorization", "*.authorization"],
  censor: "[REDACTED]",
};

const LEVELS: Readonly<Record<number, string>> = { 10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "fatal" };

function readable(line: string): string {
  const { level, time, name, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const extra = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  return `${clock} ${String(LEVELS[Number(level)] ?? level).padEnd(5)} ${String(name)}: ${String(msg ?? "")}${extra}\n`;
}
