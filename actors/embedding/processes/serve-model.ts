/** The part that the two kinds of model processes share: load once, compute what comes, and report faults as data. */
import { Session } from "../model/session.js";
import type { ModelReply, ModelTask } from "./messages.js";

export type Compute = (session: Session, rows: ModelTask["rows"]) => Promise<Float32Array>;

/** Answers tasks until whoever started this process is gone. A load that failed is tried again with the next task. */
export function serveModel(compute: Compute): void {
  let loaded: Promise<Session> | undefined;
  const answer = async ({ modelFile, rows }: ModelTask): Promise<ModelReply> => {
    let loading = true;
    try {
      loaded ??= Session.load(modelFile);
      const session = await loaded;
      loading = false;
      return await compute(session, rows);
    } catch (error) {
      if (loading) loaded = undefined;
      return { fault: error instanceof Error ? error.message : String(error), loading };
    }
  };
  process.title = "iii-directory model";
  const end = (): void => process.exit();
  process.on("message", async (task: ModelTask) => {
    const reply = await answer(task);
    process.send?.(reply, undefined, undefined, (error) => error !== null && end());
  });
  process.on("disconnect", end);
  // A terminal and a service manager signal whole groups, but searches that are under way still need the network.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
}
