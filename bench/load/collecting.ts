/** Loaded into every thread of a measured process with `--import`: collects garbage when told to, so that what is read is what is held. */
import { BroadcastChannel, isMainThread } from "node:worker_threads";
import { collectGarbage } from "./garbage.js";

const channel = new BroadcastChannel("collecting");
channel.unref();

/** For `execArgv` of the threads. */
export const COLLECTING: readonly string[] = ["--import", import.meta.url];

/** Asks all other threads, and does it in this one. They have done it at their next beat or the one after. */
export function collectEverywhere(): void {
  channel.postMessage("collect");
  collectGarbage();
}

if (!isMainThread) channel.onmessage = () => collectGarbage();
