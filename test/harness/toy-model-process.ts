/** A model process without a model: the first number of a task says what becomes of it. */
import type { ModelTask } from "../../actors/embedding/processes/messages.js";

export const DIE = 0;
export const HANG = 1;
/** Answers, and dies a moment later with nothing to do. */
export const DIE_LATER = 2;

if (process.send !== undefined) {
  process.on("disconnect", () => process.exit());
  process.on("message", ({ rows }: ModelTask) => {
    const [first = Number.NaN] = rows[0]?.ids ?? [];
    if (first === DIE) process.exit(7);
    if (first === HANG) for (;;);
    if (first === DIE_LATER) setTimeout(() => process.exit(8), 20);
    process.send?.(Float32Array.of(first, process.pid));
  });
}
