/** The judge as an actor: keys, floors, errors, report and advice. */
import { Writable } from "node:stream";
import { pino } from "pino";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildJev } from "../../../actors/jev/build.js";
import { adviceFor, ServiceTimes } from "../../../actors/jev/service-time.js";
import type { Logger } from "../../../border/log.js";
import { DEFAULT_CONFIGURATION } from "../../../domain/configuration.js";
import type { JevActor, JudgedCorpus, JudgeReply, JudgeRequest } from "../../../protocol/actors/jev.js";
import type { Configuration } from "../../../protocol/configuration.js";
import { DirectoryError } from "../../../protocol/errors.js";
import { newContext } from "../../harness/context.js";
import { byCorpus, byFirstId, constant, failing, slowService } from "../../harness/jev-policies.js";
import { JevServer } from "../../harness/jev-server.js";
import { catalogOf, id, tool } from "../../harness/judging.js";
import { settingFor } from "../../harness/setting.js";

const test = suite("jev actor");

interface Rig {
  readonly server: JevServer;
  readonly jev: JevActor;
  readonly lines: Record<string, unknown>[];
  readonly reload: (values: Partial<Configuration>) => void;
}

async function withJev(values: Partial<Configuration>, body: (rig: Rig) => Promise<void>): Promise<void> {
  const server = await JevServer.start();
  const { setting, configuration } = settingFor("jev", values, {
    surroundings: { options: { jev: { endpoint: server.endpoint, environmentKey: "boot-key" } } },
  });
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const drains: (() => Promise<void>)[] = [];
  const log = pino({ level: "trace", base: {} }, sink) as unknown as Logger;
  let generation = 1;
  const reload = (next: Partial<Configuration>): void =>
    configuration.add({ generation: ++generation, values: { ...DEFAULT_CONFIGURATION, ...values, ...next } });
  try {
    const jev = buildJev({ ...setting, log, onDrain: (drain) => drains.push(drain) });
    await body({ server, jev, lines, reload });
  } finally {
    await Promise.all(drains.map((drain) => drain()));
    await server.close();
  }
}

function request(given: Partial<JudgeRequest> = {}, withinMs = 5_000): JudgeRequest {
  return {
    corpus: "functions",
    capabilities: ["a private need"],
    documents: [tool("x::y", "A private description.")],
    exactIds: true,
    deadline: Date.now() + withinMs,
    ...given,
  };
}

async function failureOf(judged: Promise<JudgeReply>): Promise<DirectoryError> {
  try {
    await judged;
  } catch (error) {
    if (error instanceof DirectoryError) return error;
    throw error;
  }
  throw new Error("succeeded");
}

for (const [corpus, score, found] of [
  ["functions", 0.49, 0],
  ["functions", 0.5, 1],
  ["skills", 0.29, 0],
  ["skills", 0.3, 1],
  ["triggers", 0.29, 0],
  ["triggers", 0.3, 1],
] as const satisfies readonly (readonly [JudgedCorpus, number, number])[]) {
  test(`spec 06 §12: ${score} for ${corpus} is ${found === 1 ? "enough" : "too little"}`, async () => {
    await withJev({}, async ({ server, jev }) => {
      server.policy = byCorpus({ [corpus]: { score } });
      const { lanes } = await jev.judge(request({ corpus, exactIds: false }), newContext());
      assert.is(lanes[0]?.length, found);
    });
  });
}

test("spec 06 §2.3: a configured key that is refused is a failure: the other key isn't tried", async () => {
  await withJev({ function_search_jev_api_key: "configured-key" }, async ({ server, jev }) => {
    server.policy = ({ key }) => (key === "configured-key" ? { status: 401 } : {});
    const { code, detail, message } = await failureOf(jev.judge(request(), newContext()));
    assert.equal([code, message], ["judge_failed", "Jev HTTP status 401"]);
    const { kind, status } = detail as { kind: string; status: number };
    assert.equal([kind, status, server.requests.length], ["http", 401, 1]);
  });
});

test("T-U18: the log has a line for the accepted block and nothing of what was asked", async () => {
  await withJev({}, async ({ server, jev, lines }) => {
    server.policy = byFirstId({ [id("016")]: { delayMs: 40, status: 529, body: "a private body boot-key" } });
    const failure = await failureOf(jev.judge(request({ documents: catalogOf(17) }), newContext()));
    assert.match(failure.message, "529");
    assert.is(lines.length, 1);
    const [{ level, model, question_count, input_tokens, output_tokens, elapsed_ms } = {}] = lines;
    assert.equal([level, model, question_count, input_tokens, output_tokens], [20, "jev-1.13.0", 16, 10, 2]);
    assert.ok(Number.isInteger(elapsed_ms));
    for (const secret of ["boot-key", "private", "worker::", "Does thing"]) assert.not.match(JSON.stringify(lines), secret);
  });
});

test("field fault X2: 504 with the key in its body: a short message without it", async () => {
  await withJev({}, async ({ server, jev }) => {
    server.policy = failing(504, "the key was boot-key, the need was a private need");
    const failure = await failureOf(jev.judge(request(), newContext()));
    assert.is(failure.message, "Jev HTTP status 504");
    assert.not.match(JSON.stringify(failure), /boot-key|private/);
  });
});

test("field fault R11: a judge that answers too late, twenty searches at once: no retries, and later ones work", async () => {
  await withJev({}, async ({ server, jev }) => {
    server.policy = () => ({ delayMs: 250 });
    const failures = await Promise.all(
      Array.from({ length: 20 }, (_, each) =>
        failureOf(jev.judge(request({ capabilities: [`need ${each}`], documents: catalogOf(64) }, 100), newContext())),
      ),
    );
    assert.ok(failures.every(({ detail }) => (detail as { kind: string }).kind === "deadline"));
    const bodies = server.requests.map(({ raw }) => raw);
    assert.is(new Set(bodies).size, bodies.length, "nothing is asked twice");
    server.policy = constant(0.9);
    const { lanes } = await jev.judge(request({}, 1_000), newContext());
    assert.is(lanes[0]?.length, 1);
    assert.equal([server.maxInFlight <= 4, (await jev.report({}, newContext())).requests_in_flight], [true, 0]);
  });
});

test("issue 9: twenty evaluations of four blocks each: never more than four requests at once, all judged", async () => {
  await withJev({}, async ({ server, jev }) => {
    server.policy = () => ({ delayMs: 5 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => jev.judge(request({ documents: catalogOf(64) }), newContext())),
    );
    assert.ok(replies.every(({ lanes }) => lanes[0]?.length === 64));
    assert.equal([server.requests.length, server.maxInFlight], [80, 4]);
  });
});

test("issue 9: a deadline out of reach is told once, with what to set, until the settings change", async () => {
  await withJev({ function_search_jev_timeout_ms: 400 }, async ({ server, jev, lines, reload }) => {
    server.policy = slowService(60, 0);
    const warnings = (): unknown[] => lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
    const large = (): Promise<unknown> => failureOf(jev.judge(request({ documents: catalogOf(512) }, 400), newContext()));
    await large();
    await large();
    assert.is(warnings().length, 1);
    assert.match(
      String(warnings()[0]),
      /32 requests for functions × capabilities = 512 × 1: .*function_search_jev_shortlist to \d+ or less/,
    );
    const { advice, request_ms = 0 } = await jev.report({}, newContext());
    assert.match(advice ?? "", /512 × 1.*function_search_jev_shortlist to/);
    assert.ok(request_ms >= 59, `${request_ms}`);
    reload({ function_search_jev_timeout_ms: 5_000 });
    await jev.judge(request({ documents: catalogOf(512) }), newContext());
    assert.is((await jev.report({}, newContext())).advice, undefined);
    assert.is(warnings().length, 1);
  });
});

const ADVICE: readonly [
  what: string,
  size: [number, number, number, number],
  requestMs: number | undefined,
  timeoutMs: number,
  RegExp?,
][] = [
  ["nothing is known yet", [512, 6, 32, 1], undefined, 3_000],
  ["it fits", [512, 6, 32, 1], 300, 3_000],
  [
    "512 × 6 at 450 ms",
    [512, 6, 32, 1],
    450,
    3_000,
    /32 .* 512 × 6: about 3600 ms.*shortlist to 42 or less, or .*timeout_ms to 5200 or more/,
  ],
  [
    "three batches that fit each, but not together",
    [128, 6, 8, 3],
    600,
    3_000,
    /24 .* 128 × 18: about 3600 ms.*shortlist to 10 or less/,
  ],
  ["10,000 × 6 at 450 ms: no timeout is long enough", [10_000, 6, 625, 1], 450, 3_000, /shortlist to 42 or less\.$/],
  ["a single request is too slow", [16, 6, 1, 1], 4_000, 3_000, /Set function_search_jev_timeout_ms to 5800 or more\.$/],
  ["nothing helps", [16, 6, 1, 1], 40_000, 3_000, /function_search_mode to hybrid/],
];
for (const [what, [documents, capabilities, blocks, batches], requestMs, timeoutMs, expected] of ADVICE) {
  test(`issue 9, advice: ${what}`, () => {
    const advice = adviceFor({ documents, capabilities, blocks, batches }, requestMs, timeoutMs);
    if (expected === undefined) assert.is(advice, undefined);
    else assert.match(advice ?? "", expected);
  });
}

test("service times: a median of answers; a request that was cut off counts when it was long", () => {
  const times = new ServiceTimes();
  for (const elapsed of [100, 120, 110]) times.add(elapsed, true);
  assert.is(times.median, undefined);
  times.add(90, true);
  assert.is(times.median, 110);
  times.add(5, false);
  assert.is(times.median, 110);
  for (let more = 0; more < 5; more++) times.add(3_000, false);
  assert.is(times.median, 3_000);
});

test.run();
