/** The context that routes make, for tests that call an actor directly. */
import type { CallContext } from "../../protocol/call.js";

let requests = 0;

export function newContext(timeoutMs = 5_000): CallContext {
  return { requestId: `r${++requests}`, deadline: Date.now() + timeoutMs };
}
