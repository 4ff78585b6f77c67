/** Spec 07 §10, trigger types: who is subscribed, and who is rung. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../border/log.js";
import { DOORBELL_TYPES } from "../../protocol/doorbells.js";
import { Doorbells } from "../../supervisor/doorbells.js";
import type { Publication, TriggerTypeHandlers } from "../../supervisor/engine-connection.js";

interface Rung {
  readonly doorbells: Doorbells;
  readonly types: ReadonlyMap<string, TriggerTypeHandlers>;
  /** Function ids in the order in which they were told. */
  readonly told: string[];
}

function offered(publish: (publication: Publication) => void = () => {}): Rung {
  const types = new Map<string, TriggerTypeHandlers>();
  const told: string[] = [];
  const doorbells = new Doorbells(createLogger("test", "silent"));
  doorbells.offerTo({
    provide: ({ id }, handlers) => void types.set(id, handlers),
    publish: (publication) => {
      told.push(publication.functionId);
      publish(publication);
    },
  });
  return { doorbells, types, told };
}

const SKILLS = DOORBELL_TYPES.skills;
const ring = { family: "skills", payload: { op: "external" } } as const;

test("spec 07 §10 trigger types: of two subscribers one leaves; the same id twice keeps the last", async () => {
  const { doorbells, types, told } = offered();
  const skills = types.get(SKILLS);
  skills?.add({ id: "one", functionId: "a::told", config: {} });
  skills?.add({ id: "two", functionId: "b::told", config: {} });
  assert.is(doorbells.counts["skills"], 2);
  skills?.remove("one");
  assert.is(doorbells.counts["skills"], 1);
  skills?.add({ id: "two", functionId: "c::told", config: {} });
  skills?.remove("unheard of");
  await doorbells.ring(ring);
  assert.equal(told, ["c::told"]);
});

test("spec 07 §11 case 43: one that throws or leaves during the round doesn't keep the others from being told", async () => {
  const { doorbells, types, told } = offered(({ functionId }) => {
    if (functionId === "a::told") throw new Error("no connection");
    if (functionId === "b::told") types.get(SKILLS)?.remove("three");
  });
  for (const [id, functionId] of [
    ["one", "a::told"],
    ["two", "b::told"],
    ["three", "c::told"],
    ["four", "b::told"],
  ] as const) {
    types.get(SKILLS)?.add({ id, functionId, config: {} });
  }
  await doorbells.ring(ring);
  assert.equal(told, ["a::told", "b::told", "c::told", "b::told"]);
});

test("each family has a bell of its own", async () => {
  const { doorbells, types, told } = offered();
  assert.equal([...types.keys()].sort(), Object.values(DOORBELL_TYPES).sort());
  types.get(DOORBELL_TYPES.agents)?.add({ id: "one", functionId: "a::told", config: {} });
  await doorbells.ring(ring);
  assert.equal(told, []);
});

test.run();
