/** The part that the two kinds of model threads share: load once, compute, and report faults as data. */
import { move } from "piscina";
import { Session } from "../model/session.js";
import type { ModelFault, ModelTask } from "./messages.js";

export type Compute = (session: Session, rows: ModelTask["rows"]) => Promise<Float32Array>;

/** What piscina calls for each task. A load that failed is tried again with the next one. */
export function serveModel(compute: Compute): (task: ModelTask) => Promise<unknown> {
  let loaded: Promise<Session> | undefined;
  return async ({ modelFile, rows }) => {
    let loading = true;
    try {
      loaded ??= Session.load(modelFile);
      const session = await loaded;
      loading = false;
      return move(await compute(session, rows));
    } catch (error) {
      if (loading) loaded = undefined;
      return { fault: error instanceof Error ? error.message : String(error), loading } satisfies ModelFault;
    }
  };
}
