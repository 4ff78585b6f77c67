/** The embedded engine as a worker meets it. The wire cases of spec 01 §9 are in conformance.e2e.test.ts. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startTestEngine } from "../harness/engine.js";
import { Peer } from "../harness/peer.js";

test("a worker registers, is listed, called, and announced", async () => {
  const engine = await startTestEngine();
  const listener = await Peer.hello(engine.url, "listener");
  await listener.serve("listener::changed");
  await listener.bind("b", "engine::functions-available", "listener::changed");
  const worker = await Peer.hello(engine.url, "worker");
  await worker.serve("text::upper", (data) => ({ text: (data as { text: string }).text.toUpperCase() }), {
    description: "upper case",
  });
  assert.equal(await listener.call("text::upper", { text: "abc" }), { text: "ABC" });
  const call = await listener.expect("invokefunction", { function_id: "listener::changed" });
  const { functions } = call["data"] as { functions: { function_id: string }[] };
  assert.ok(functions.some(({ function_id }) => function_id === "text::upper"));
  await engine.close();
  await worker.closed;
});

test("a port in use is one readable line", async () => {
  const engine = await startTestEngine();
  const port = Number(new URL(engine.url).port);
  const error = await startTestEngine({ port }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.match(error?.message ?? "", new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use: [^\\n]+$`));
  await engine.close();
});

test.run();
