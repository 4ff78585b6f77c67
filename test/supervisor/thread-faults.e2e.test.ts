/** Field faults of threads, one test each, on a thread that does what it is asked for: T1, T3, T4, T6, T7, T10. T8 is in kill.e2e.test.ts. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { DirectoryError } from "../../protocol/errors.js";
import { newContext } from "../harness/context.js";
import { type Deed, newToy, type Toy } from "../harness/toy.js";

async function toy(body: (toy: Toy) => Promise<void>): Promise<void> {
  const built = newToy();
  try {
    await built.handle.ready;
    await body(built);
  } finally {
    await built.handle.stop();
  }
}

const write = ({ handle }: Toy, deed: Deed): Promise<unknown> =>
  handle.call("write", { deed }, newContext(10_000)).catch((error: unknown) => error);

async function answers({ handle }: Toy): Promise<void> {
  assert.equal(await handle.call("read", { text: "next" }, newContext(10_000)), { text: "next" });
}

interface Death {
  readonly fault: string;
  readonly deed: Deed;
  /** What the operator reads of the death. */
  readonly cause: RegExp;
  readonly reason?: string;
}

const DEATHS: readonly Death[] = [
  { fault: "T1: an actor that exits with code 0 in mid-call", deed: "exit", cause: /exit code 0/ },
  { fault: "T3: an actor that throws in a timer", deed: "throw in a timer", cause: /thrown in a timer of the toy/ },
  { fault: "T4: an actor in an endless loop", deed: "loop", cause: /exit code 1/, reason: "hung" },
  {
    fault: "T10: an actor that takes 200 MiB where 64 are allowed",
    deed: "hoard 200 MiB",
    cause: /exit code 1/,
    reason: "buffers",
  },
];
for (const { fault, deed, cause, reason } of DEATHS) {
  test(`field fault ${fault}: the call is rejected long before its deadline, the rest of its calls go on`, async () => {
    await toy(async (built) => {
      const deadline = Date.now() + 10_000;
      const failed = write(built, deed);
      const waiting = Array.from({ length: 20 }, (_, at) => built.handle.call("read", { at }, newContext(10_000)));
      const error = await failed;
      assert.instance(error, DirectoryError);
      assert.is((error as DirectoryError).code, "actor_restarted");
      assert.match((error as DirectoryError).message, /^toy\.write was in flight when its actor died/);
      assert.ok(Date.now() < deadline - 5_000);
      assert.equal(
        await Promise.all(waiting),
        waiting.map((_, at) => ({ at })),
      );
      await answers(built);
      assert.equal([built.endings.length, built.endings[0]?.reason], [1, reason]);
      assert.match(built.endings[0]?.cause ?? "", cause);
    });
  });
}

test("field fault T4: an actor in an endless loop is ended by stopping", async () => {
  const { handle } = newToy();
  await handle.ready;
  const call = handle.call("write", { deed: "loop" }, newContext(10_000)).catch((error: DirectoryError) => error.code);
  await handle.stop();
  assert.is(await call, "actor_restarted");
  assert.is(handle.status.state, "stopped");
});

test("field fault T6: what an actor says before it exits is read", () => {
  const program = fileURLToPath(new URL("../harness/last-words.js", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  assert.is(status, 0);
  assert.match(stderr, /last words of the toy/);
});

test("field fault T7: a callback as an argument is refused, and harms nobody", async () => {
  await toy(async (built) => {
    const error = await built.handle.call("write", { callback: () => {} }, newContext()).catch((thrown: unknown) => thrown);
    assert.instance(error, DirectoryError);
    assert.match((error as DirectoryError).message, /could not be cloned/);
    await answers(built);
    assert.is(built.endings.length, 0);
  });
});

test("an actor that throws in a call lives on", async () => {
  await toy(async (built) => {
    const error = await write(built, "throw");
    assert.equal([(error as DirectoryError).code, (error as DirectoryError).message], ["internal", "thrown in a call of the toy"]);
    await answers(built);
    assert.is(built.endings.length, 0);
  });
});

test.run();
