/** Calls the functions of an example worker without an engine, and holds every answer against the published schema. */
import { Ajv } from "ajv";
import * as assert from "uvu/assert";
import { checked, type Offer } from "../../examples/example.js";

export type Ask = <Answer = Record<string, unknown>>(id: string, payload?: object) => Promise<Answer>;

export function asking(offers: readonly Offer[]): Ask {
  return async <Answer>(id: string, payload: object = {}) => {
    const offer = offers.find((candidate) => candidate.id === id);
    if (offer === undefined) throw new Error(`no function ${id}`);
    const answer = JSON.parse(JSON.stringify(await checked(offer.request, offer.answer)(payload))) as Answer;
    const ajv = new Ajv({ strict: false, formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } });
    const fits = ajv.compile(offer.response);
    assert.ok(fits(answer), `${id} answered ${JSON.stringify(answer)}: ${ajv.errorsText(fits.errors)}`);
    return answer;
  };
}

/** The line that a refused call gives its caller. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    (answer) => `answered ${JSON.stringify(answer)}`,
    (error: Error) => error.message,
  );
}
