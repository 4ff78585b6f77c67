/** The thread of a toy (toy.ts): an actor whose calls do to their thread what a test asks for. It goes by the name of fs and knows no files. */
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../actors/runtime.js";
import type { Logger } from "../../border/log.js";
import type { FsActor } from "../../protocol/actors/fs.js";
import type { Deed } from "./toy.js";

const FOR_EVER_MS = 60_000;
const hoard: Buffer[] = [];

const DEEDS: Readonly<Record<Deed, (log: Logger) => unknown>> = {
  exit: () => process.exit(0),
  "log and exit": (log) => {
    log.error("last words of the toy");
    process.exit(3);
  },
  "throw in a timer": () => {
    setTimeout(() => {
      throw new Error("thrown in a timer of the toy");
    });
    return sleep(FOR_EVER_MS);
  },
  loop: () => {
    for (;;) hoard.length = 0;
  },
  "hoard 200 MiB": () => {
    hoard.push(Buffer.alloc(200 << 20, 1));
    return sleep(FOR_EVER_MS);
  },
  throw: () => {
    throw new Error("thrown in a call of the toy");
  },
  silence: () => sleep(FOR_EVER_MS),
};

await run("fs", async ({ log }) => {
  const answer = async (request: { readonly deed?: Deed }): Promise<unknown> =>
    request.deed === undefined ? request : DEEDS[request.deed](log);
  return { read: answer, write: answer } as unknown as FsActor;
});
