/** What the commands of a family of content share: one call, and its answer as it is or in a readable form. */
import type { Command } from "commander";
import { withEngine } from "./engine-client.js";

export interface FamilyOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** A download has a limit of its own, which is configured; this is only the end of patience behind it. */
const DOWNLOAD_MS = 900_000;

export function withFamilyOptions(command: Command): Command {
  return command.option("--json", "print the answer as it is").option("--url <url>", "address of the engine");
}

export async function show<Answer>(
  functionId: string,
  payload: object,
  { url, json }: FamilyOptions,
  readable: (answer: Answer) => string,
): Promise<void> {
  const idempotent = /::(?:list|get|index|info)$/.test(functionId);
  const limit = functionId.endsWith("::download") ? { timeoutMs: DOWNLOAD_MS } : {};
  const answer = await withEngine({ url }, (client) => client.call(functionId, payload, { idempotent, ...limit }));
  if (json === true) console.log(JSON.stringify(answer, null, 2));
  else process.stdout.write(readable(answer as Answer));
}

/** A text ends its last line, whether it says so or not. */
export function line(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
