/** Spec 05 §10: which parts the guidance has, in which order, and what a model must be able to read in them. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { composeGuidance, type Outcome } from "../../../actors/search/guidance.js";
import * as texts from "../../../actors/search/guidance-texts.js";
import { Session } from "../../../actors/search/sessions.js";

const NOTHING: Outcome = {
  delivery: { fresh: [], repeated: [] },
  installable: false,
  skills: false,
  triggers: false,
  hopeless: [],
  unsearched: [],
};
const FRESH = { fresh: ["state::set"], repeated: [] };
const BOTH = { fresh: ["state::set"], repeated: ["state::get"] };
const REPEATED = { fresh: [], repeated: ["state::get"] };

const PARTS: Readonly<Record<string, string>> = {
  refine: texts.NOTHING_MATCHED,
  install: texts.ONLY_INSTALLABLE,
  main: texts.CANDIDATES,
  "main again": texts.CANDIDATES_AGAIN,
  hopeless: texts.nothingFits(["weld steel"]),
  repeated: texts.alreadyProvided(["state::get"]),
  prefer: texts.PREFER_INSTALLED,
  workflow: texts.INSTALL_WORKFLOW,
  "workflow again": texts.INSTALL_WORKFLOW_AGAIN,
  language: texts.USER_LANGUAGE,
  skills: texts.SKILLS_NOTE,
  triggers: texts.TRIGGERS_NOTE,
  unsearched: texts.unsearched(18, ["tune a piano", "bake bread"]),
};

/** Names of the parts; throws when there is anything else in the text. */
function partsOf(guidance: string): string[] {
  const found: string[] = [];
  for (let rest = guidance; rest !== ""; ) {
    const part = Object.keys(PARTS).find((name) => rest === PARTS[name] || rest.startsWith(`${PARTS[name]} `));
    if (part === undefined) throw new Error(`no part begins with ${rest.slice(0, 80)}`);
    found.push(part);
    rest = rest.slice((PARTS[part] ?? "").length + 1);
  }
  return found;
}

/** A session in which these outcomes came before. */
function after(...outcomes: readonly Partial<Outcome>[]): Session {
  const session = new Session();
  for (const outcome of outcomes) composeGuidance({ ...NOTHING, ...outcome }, session);
  return session;
}

const seen = (): Session => after({ delivery: FRESH, installable: true });
const ROWS: readonly (readonly [what: string, session: () => Session, outcome: Partial<Outcome>, parts: readonly string[]])[] = [
  ["nothing at all", after, {}, ["refine", "language"]],
  ["nothing, in a session that knows the rules", seen, {}, ["refine", "language"]],
  ["only installable ones", after, { installable: true }, ["install", "workflow", "language"]],
  ["only installable ones, later", seen, { installable: true }, ["install", "workflow again", "language"]],
  ["candidates", after, { delivery: FRESH }, ["main", "language"]],
  ["candidates, later", seen, { delivery: FRESH }, ["main again", "language"]],
  ["candidates and installable ones", after, { delivery: FRESH, installable: true }, ["main", "prefer", "workflow", "language"]],
  ["both, later", seen, { delivery: FRESH, installable: true }, ["main again", "prefer", "workflow again", "language"]],
  ["new and repeated ones", seen, { delivery: BOTH }, ["main again", "repeated", "language"]],
  ["repeated ones only", seen, { delivery: REPEATED }, ["main again", "repeated", "language"]],
  ["the installer itself", after, { delivery: { fresh: ["compose::add"], repeated: [] } }, ["main", "workflow", "language"]],
  ["skills", after, { skills: true }, ["refine", "language", "skills"]],
  ["bindings", after, { delivery: FRESH, triggers: true }, ["main", "language", "triggers"]],
  ["a need asked for too often", after, { hopeless: ["weld steel"] }, ["refine", "hopeless", "language"]],
  [
    "entries that were not searched",
    after,
    { delivery: FRESH, unsearched: ["tune a piano", "bake bread"] },
    ["main", "language", "unsearched"],
  ],
  [
    "everything",
    after,
    {
      delivery: BOTH,
      installable: true,
      skills: true,
      triggers: true,
      hopeless: ["weld steel"],
      unsearched: ["tune a piano", "bake bread"],
    },
    ["main", "hopeless", "repeated", "prefer", "workflow", "language", "skills", "triggers", "unsearched"],
  ],
];
for (const [what, session, outcome, parts] of ROWS) {
  test(`spec 05 §10: ${what}`, () => {
    assert.equal(partsOf(composeGuidance({ ...NOTHING, ...outcome }, session())), parts);
  });
}

test("spec 05 §10: the installer among the repeated ones brings the workflow too", () => {
  const guidance = composeGuidance({ ...NOTHING, delivery: { fresh: ["state::set"], repeated: ["compose::add"] } }, new Session());
  assert.ok(guidance.includes(texts.INSTALL_WORKFLOW));
  assert.ok(guidance.includes(texts.alreadyProvided(["compose::add"])));
});

const POINTS: readonly (readonly [part: string, points: readonly RegExp[]])[] = [
  [
    "refine",
    [
      /directory::skills::list.*directory::skills::get/,
      /search again once at the next decision point.*all.*unmet/,
      /intrinsic/,
      /represented or met/,
      /in English/,
    ],
  ],
  [
    "install",
    [/not callable yet/, /function_not_found/, /directory::skills::list.*directory::skills::get/, /intrinsic/, /in English/],
  ],
  [
    "main",
    [
      /in place of engine::functions::list/,
      /smallest set/,
      /ONE call, engine::functions::info \{"function_ids"/,
      /directly, or through the agent trigger/,
      /neither workers nor installable covers, search again once/,
      /in English/,
      /intrinsic/,
      /rejects an id, fall back/,
    ],
  ],
  ["prefer", [/workers over installable/, /install workflow/, /not callable yet/, /out of engine::functions::info/]],
  [
    "workflow",
    [
      /exact package name/,
      /directory::registry::workers::info \{"name"/,
      /absent there, stop/,
      /"compose::add","compose::operation"/,
      /compose::schema \{"function_id":"compose::add"\}/,
      /follow that request schema/,
      /shorthand/,
      /objects under workers.*only if the schema supports them/,
      /approval before installing/,
      /unique operation_id/,
      /"trigger_type":"compose-operation"/,
      /"terminal_only":true/,
      /"once":true/,
      /that same id/,
      /compose::operation \{"operation_id":"<operation-id>"\} once/,
      /not poll/,
      /wait for terminal success/,
      /engine::workers::info \{"name"/,
      /only asked to install, finish/,
      /reuse the function ids you know/,
    ],
  ],
  ["language", [/user's own language/]],
  ["skills", [/first with directory::skills::get \{"id"/]],
  ["triggers", [/inspect the bound function and reuse/, /instead of registering a duplicate/]],
  ["unsearched", [/first 18 capabilities were searched/, /Search again.*: tune a piano, bake bread/]],
];
for (const [part, points] of POINTS) {
  test(`spec 05 §10: points of the part "${part}"`, () => {
    for (const point of points) assert.match(PARTS[part] ?? "", point);
  });
}

const IN_ORDER: readonly string[] = [
  "Prefer workers over installable",
  "Install workflow",
  '"compose::add","compose::operation"',
  "approval",
  "engine::register_trigger",
  "wait for terminal success",
  "engine::workers::info",
  "only asked to install, finish",
  "continue the task",
  "one batched engine::functions::info",
  "search again",
];
test("spec 05 §10: the steps of an installation come in the order in which they are done", () => {
  const guidance = composeGuidance({ ...NOTHING, delivery: FRESH, installable: true }, new Session());
  let at = guidance.indexOf(IN_ORDER[0] ?? "");
  for (const step of IN_ORDER) {
    const next = guidance.indexOf(step, at);
    assert.ok(next >= at && at >= 0, `${step} comes after what is before it`);
    at = next;
  }
});

test("spec 05 §10: every payload that is shown parses as JSON", () => {
  const payloads = Object.values(PARTS).flatMap((text) => jsonIn(text));
  assert.ok(payloads.length >= 9, `${payloads.length}`);
  for (const payload of payloads) JSON.parse(payload);
});

/** Texts between balanced braces. */
function jsonIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at)) {
    let depth = 0;
    let end = at;
    do {
      if (text[end] === "{") depth++;
      if (text[end] === "}") depth--;
      end++;
    } while (depth > 0 && end < text.length);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

test("spec 05 §10: the long parts stay within what was promised: rules about 1 KB, workflow about 3 KB", () => {
  assert.ok(texts.CANDIDATES.length < 1_400, `${texts.CANDIDATES.length}`);
  assert.ok(texts.INSTALL_WORKFLOW.length < 3_000, `${texts.INSTALL_WORKFLOW.length}`);
  assert.ok(texts.CANDIDATES_AGAIN.length < 200);
  assert.ok(texts.INSTALL_WORKFLOW_AGAIN.length < 200);
});

test.run();
