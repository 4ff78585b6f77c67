/**
 * Why an evaluation failed. Nothing of what was sent or received may be in it: neither texts of ours nor those of the service or of the
 * HTTP client are passed on, so a failure has no cause.
 */
import type { JudgeFailureKind } from "../../protocol/actors/jev.js";

const TEXTS: Readonly<Record<JudgeFailureKind, string>> = {
  missing_key: "no Jev key: set function_search_jev_api_key, or TYPESAFE_API_KEY before the worker starts",
  deadline: "Jev did not finish within function_search_jev_timeout_ms",
  http: "Jev HTTP status",
  transport: "Jev could not be reached, or the connection broke",
  invalid_response: "Jev sent an answer that is not valid",
  payload_too_large: "a capability and a document together are too large for one Jev request",
};

export class JevFailure extends Error {
  override readonly name = "JevFailure";
  readonly kind: JudgeFailureKind;
  readonly status?: number;

  constructor(kind: JudgeFailureKind, status?: number) {
    super(status === undefined ? TEXTS[kind] : `${TEXTS[kind]} ${status}`);
    this.kind = kind;
    if (status !== undefined) this.status = status;
  }
}
