/** The embedded engine as a worker meets it. The wire cases of spec 01 §9 are in conformance.e2e.test.ts. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { RunningEngine } from "../../actors/engine/engine.js";
import { startTestEngine } from "../harness/engine.js";
import { Peer } from "../harness/peer.js";

async function withEngine(check: (engine: RunningEngine) => Promise<void>): Promise<void> {
  const engine = await startTestEngine();
  try {
    await check(engine);
  } finally {
    await engine.close();
  }
}

test("a worker registers, is listed, called, and announced", () =>
  withEngine(async (engine) => {
    const listener = await Peer.hello(engine.url, "listener");
    await listener.serve("listener::changed");
    await listener.bind("b", "engine::functions-available", "listener::changed");
    const worker = await Peer.hello(engine.url, "worker");
    await worker.serve("text::upper", (data) => ({ text: (data as { text: string }).text.toUpperCase() }), {
      description: "upper case",
    });
    assert.equal(await listener.call("text::upper", { text: "abc" }), { text: "ABC" });
    await announced(listener, "text::upper");
  }));

/** The announcement of the listener's own function may come first, so the first that holds the other one is waited for. */
async function announced(listener: Peer, functionId: string): Promise<void> {
  for (;;) {
    const call = await listener.expect("invokefunction", { function_id: "listener::changed" });
    const { functions } = call["data"] as { functions: { function_id: string }[] };
    if (functions.some(({ function_id }) => function_id === functionId)) return;
  }
}

test("an engine that closes drops its workers", () =>
  withEngine(async (engine) => {
    const worker = await Peer.hello(engine.url, "worker");
    await engine.close();
    await worker.closed;
  }));

test("a port in use is one readable line", () =>
  withEngine(async (engine) => {
    const port = Number(new URL(engine.url).port);
    const error = await startTestEngine({ port }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    assert.match(error?.message ?? "", new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use: [^\\n]+$`));
  }));

test.run();
