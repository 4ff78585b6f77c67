/** `iii-directory call`: runs any function of the engine. */
import type { Command } from "commander";
import { withEngine } from "./engine-client.js";
import { UsageError } from "./errors.js";
import { whileWaiting } from "./progress.js";

export function addCallCommand(program: Command): void {
  program
    .command("call")
    .description("call a function with a JSON payload and print its answer")
    .argument("<function>", "id of the function, for example state::get")
    .argument("[json]", "payload, a JSON object", "{}")
    .option("--url <url>", "address of the engine")
    .option("--timeout <ms>", "how long to wait for the answer", "30000")
    .action(async (functionId: string, json: string, options: { url?: string; timeout: string }) => {
      const payload = parsePayload(json);
      const timeoutMs = parseTimeout(options.timeout);
      const answer = await whileWaiting(`waiting for ${functionId}`, () =>
        withEngine({ url: options.url }, (client) => client.call(functionId, payload, { timeoutMs })),
      );
      console.log(JSON.stringify(answer, null, 2));
    });
}

function parsePayload(json: string): unknown {
  try {
    const payload: unknown = JSON.parse(json);
    if (payload !== null && typeof payload === "object" && !Array.isArray(payload)) return payload;
  } catch {
    // Said below, with what would be right.
  }
  throw new UsageError(`The payload must be a JSON object, for example '{"key":"a"}'`);
}

function parseTimeout(text: string): number {
  const timeoutMs = Number(text);
  if (Number.isInteger(timeoutMs) && timeoutMs > 0) return timeoutMs;
  throw new UsageError("--timeout takes a whole number of milliseconds, for example 30000");
}
