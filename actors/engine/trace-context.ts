/** The trace headers of a call: handed on to the worker with the called function's id set, echoed to the caller unchanged. */
const FUNCTION_ENTRY = "iii.function.id";

/** Everything but the octets that a baggage value may hold as they are (W3C Baggage), without the percent sign. */
const SPECIAL = /[^\x21\x23\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu;

export interface TraceContext {
  readonly traceparent?: string;
  readonly baggage?: string;
}

export function traceContext(frame: { readonly traceparent?: string | null; readonly baggage?: string | null }): TraceContext {
  const { traceparent, baggage } = frame;
  return { ...(typeof traceparent === "string" && { traceparent }), ...(typeof baggage === "string" && { baggage }) };
}

/** What the executing worker sees. Without trace context of the caller there is none. */
export function forwardedTrace(caller: TraceContext, functionId: string): TraceContext {
  if (caller.traceparent === undefined && caller.baggage === undefined) return {};
  const entries = (caller.baggage ?? "").split(",").map((entry) => entry.trim());
  const others = entries.filter((entry) => entry !== "" && entry.split("=")[0]?.trim() !== FUNCTION_ENTRY);
  const own = `${FUNCTION_ENTRY}=${functionId.replace(SPECIAL, encodeOctets)}`;
  return { ...caller, baggage: [...others, own].join(",") };
}

/** A lone surrogate has no UTF-8 form; it becomes the replacement character instead of an error. */
function encodeOctets(character: string): string {
  return [...Buffer.from(character)].map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}
