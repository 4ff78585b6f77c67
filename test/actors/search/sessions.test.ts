/** Spec 05 §9: what is remembered of a session, for how long, and what makes it forget. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { SESSION_LIMIT, Session, Sessions } from "../../../actors/search/sessions.js";
import { newContext } from "../../harness/context.js";

const of = (sessions: Sessions, id: string | undefined): Session =>
  sessions.of({ ...newContext(), ...(id === undefined ? {} : { baggage: { "iii.session.id": id } }) });

const STEPS: readonly (readonly [
  what: string,
  selected: readonly string[],
  fresh: readonly string[],
  repeated: readonly string[],
])[] = [
  ["nothing selected", [], [], []],
  ["all new", ["a", "b"], ["a", "b"], []],
  ["some new", ["a", "c"], ["c"], ["a"]],
  ["nothing new: everything again", ["c", "b"], ["c", "b"], []],
  ["still nothing new", ["b"], ["b"], []],
  ["new ones after that", ["d", "b"], ["d"], ["b"]],
  ["nothing selected later", [], [], []],
];
test("spec 05 §9: the deliveries of one session, one after another", () => {
  const session = new Session();
  session.meet("f");
  for (const [what, selected, fresh, repeated] of STEPS) assert.equal(session.deliver(selected), { fresh, repeated }, what);
});

test("spec 05 §9: other contracts clear deliveries and rules, and keep the hint", () => {
  const session = new Session();
  const record = { turnId: "t", step: 1 };
  session.hint = record;
  session.meet("f");
  session.deliver(["a"]);
  assert.equal([session.isFirst("candidates"), session.isFirst("candidates"), session.isFirst("install")], [true, false, true]);
  session.meet("f");
  assert.equal(session.deliver(["a", "b"]), { fresh: ["b"], repeated: ["a"] });
  session.meet("g");
  assert.equal(session.deliver(["a", "b"]), { fresh: ["a", "b"], repeated: [] });
  assert.equal([session.isFirst("candidates"), session.isFirst("install")], [true, true]);
  assert.is(session.hint, record);
});

test("spec 05 §9: a full repetition makes the rules new", () => {
  const session = new Session();
  session.deliver(["a"]);
  session.isFirst("candidates");
  session.deliver(["a"]);
  assert.ok(session.isFirst("candidates"));
});

test("a session remembers a bounded number of ids, and the oldest are sent again", () => {
  const session = new Session();
  const ids = Array.from({ length: 5_000 }, (_, at) => `w::f${at}`);
  for (let at = 0; at < ids.length; at += 10) session.deliver(ids.slice(at, at + 10));
  assert.equal(session.deliver(["w::f0", "w::f4999"]), { fresh: ["w::f0"], repeated: ["w::f4999"] });
});

for (const [what, id] of [
  ["without a session", undefined],
  ["with an empty one", ""],
] as const) {
  test(`spec 05 §9: ${what} nothing is remembered`, () => {
    const sessions = new Sessions();
    of(sessions, id).deliver(["a"]);
    assert.equal(of(sessions, id).deliver(["a", "b"]), { fresh: ["a", "b"], repeated: [] });
  });
}

test("spec 05 §9, §15 row 18: of more than 1,024 sessions those used last are kept", () => {
  const sessions = new Sessions();
  for (let at = 0; at < SESSION_LIMIT; at++) of(sessions, `s${at}`).deliver(["a"]);
  of(sessions, "s0");
  of(sessions, "one more");
  assert.is(SESSION_LIMIT, 1_024);
  assert.equal(of(sessions, "s0").deliver(["a", "b"]).repeated, ["a"], "used again, so kept");
  assert.equal(of(sessions, "s1").deliver(["a", "b"]).repeated, [], "the one used least lately is gone");
  assert.equal(of(sessions, "s3").deliver(["a", "b"]).repeated, ["a"]);
});

test("spec 07 §11 case 11: hint records share the sessions and their limit", () => {
  const sessions = new Sessions();
  const record = { turnId: "t", step: 1 };
  for (let at = 0; at <= SESSION_LIMIT; at++) sessions.rememberHint(`s${at}`, record);
  assert.is(sessions.hintOf("s0"), undefined);
  assert.equal(sessions.hintOf("s1"), record);
  of(sessions, "s1").meet("f");
  assert.equal(sessions.hintOf("s1"), record);
});

test.run();
