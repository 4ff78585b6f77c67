/** The connection against an engine: what callers see of errors, what gets lost and is put right. Field faults I1 to I6. */
import { connect as connectTcp, createServer, type Socket } from "node:net";
import { Type } from "typebox";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RunningEngine } from "../../actors/engine/engine.js";
import { createLogger } from "../../border/log.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { FunctionDefinition } from "../../protocol/functions/definition.js";
import { Doorbells } from "../../supervisor/doorbells.js";
import { EngineConnection } from "../../supervisor/engine-connection.js";
import { PresenceWatch } from "../../supervisor/presence-watch.js";
import { Registration } from "../../supervisor/registration.js";
import { toWireError } from "../../supervisor/wire-errors.js";
import { newContext } from "../harness/context.js";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";

console.debug = () => {};
const LOG = createLogger("test", "silent");
const NAME = "iii-directory";
const ECHO: FunctionDefinition = {
  id: "directory::echo",
  description: "Echoes.",
  request: Type.Object({}),
  response: Type.Object({}),
  route: "supervisor",
};

// The SDK keeps its tracing for the process: one connection at a time, closed by the test that opened it.
const wire = suite("connection");

interface Setting {
  readonly engine: RunningEngine;
  readonly connection: EngineConnection;
  readonly registration: Registration;
  readonly seen: { payload: unknown; baggage: Readonly<Record<string, string>> }[];
}

async function connected(test: (setting: Setting) => Promise<void>, given?: RunningEngine, url?: string): Promise<void> {
  const engine = given ?? (await startTestEngine());
  const connection = new EngineConnection({ url: url ?? engine.url, workerName: NAME, workerDescription: "test" });
  const seen: Setting["seen"] = [];
  const registration = new Registration({
    engine: connection,
    workerName: NAME,
    handlerOf: () => async (payload, baggage) => {
      seen.push({ payload, baggage });
      const { fail } = payload as { fail?: string };
      if (fail === "catalogue") throw toWireError(new DirectoryError("D110", "not_found: there is no such skill"));
      if (fail === "busy") throw toWireError(new DirectoryError("busy", "search has 256 calls before this one"));
      if (fail === "foreign") throw toWireError(new TypeError("x is not a function"));
      return payload;
    },
    log: LOG,
  });
  try {
    await eventually("connected", () => connection.identity !== undefined);
    registration.add(ECHO);
    await eventually("registered", () => registration.presence.repair().then((repaired) => repaired.length === 0));
    await test({ engine, connection, registration, seen });
  } finally {
    await connection.close();
    await engine.close();
  }
}

const ERRORS: readonly [fail: string, code: string, message: RegExp][] = [
  ["catalogue", "D110", /^D110 not_found: there is no such skill$/],
  ["busy", "busy", /^busy: search has 256/],
  ["foreign", "internal", /^internal: x is not a function$/],
];
wire("decision 21: codes stand at the head of the message and on the wire, and no stack goes out", async () => {
  await connected(async ({ engine }) => {
    const caller = await Peer.hello(engine.url, "caller");
    for (const [fail, code, message] of ERRORS) {
      const failure = (await caller.fails(ECHO.id, { fail })) as { code: string; message: string; stacktrace?: string };
      assert.is(failure.code, code);
      assert.match(failure.message, message);
      assert.is(failure.stacktrace, undefined);
    }
    await caller.close();
  });
});

wire("the caller's id is taken out of the payload, the session travels as baggage in and out", async () => {
  await connected(async ({ engine, connection, seen }) => {
    const caller = await Peer.hello(engine.url, "caller");
    await caller.call(ECHO.id, { a: 1 }, { baggage: "iii.session.id=my%20session" });
    assert.equal(seen.at(-1)?.payload, { a: 1 });
    assert.is(seen.at(-1)?.baggage["iii.session.id"], "my session");
    await caller.serve("caller::ask");
    const asked = connection.call(
      { functionId: "caller::ask", payload: {} },
      { ...newContext(), baggage: { "iii.session.id": "s 2" } },
    );
    const frame = await caller.expect("invokefunction", { function_id: "caller::ask" });
    caller.answer(frame, { result: {} });
    await asked;
    assert.match(String(frame["baggage"]), "iii.session.id=s%202");
    await caller.close();
  });
});

wire("an answer that gets lost is asked for again, where asking twice is harmless", async () => {
  await connected(async ({ engine, connection }) => {
    const lossy = await Peer.hello(engine.url, "lossy");
    await lossy.serve("lossy::read");
    const asked = connection.call({ functionId: "lossy::read", payload: {}, idempotent: true }, newContext(8_000));
    await lossy.expect("invokefunction");
    lossy.answer(await lossy.expect("invokefunction"), { result: { second: true } });
    assert.equal(await asked, { second: true });
    const error = await connection
      .call({ functionId: "lossy::read", payload: {}, timeoutMs: 200 }, newContext())
      .catch((thrown: unknown) => thrown);
    assert.instance(error, DirectoryError);
    assert.equal([(error as DirectoryError).code, (error as DirectoryError).detail], ["engine_error", { code: "TIMEOUT" }]);
    await lossy.close();
  });
});

wire("a binding whose type nobody offers yet is not lost: the engine keeps it until the type comes", async () => {
  await connected(async ({ engine, registration }) => {
    registration.bind({ triggerType: "later::event", functionId: ECHO.id, config: { kind: "x" } });
    assert.equal(await registration.presence.repair(), []);
    const provider = await Peer.hello(engine.url, "provider");
    await provider.provide("later::event");
    const { function_id, config } = await provider.expect("registertrigger", { trigger_type: "later::event" });
    assert.equal([function_id, config], [ECHO.id, { kind: "x" }]);
    assert.equal(await registration.presence.repair(), []);
    await provider.close();
  });
});

wire("after an engine restart the functions are back and the listener is told", async () => {
  const first = await startTestEngine();
  const port = Number(new URL(first.url).port);
  await connected(async ({ connection, registration }) => {
    let returns = 0;
    connection.onReconnect(() => returns++);
    await first.close();
    const second = await startTestEngine({ port });
    await eventually("reconnected", () => returns === 1);
    assert.equal(await registration.presence.repair(), []);
    const caller = await Peer.hello(second.url, "caller");
    assert.equal(await caller.call(ECHO.id, { back: true }), { back: true });
    await caller.close();
    await second.close();
  }, first);
});

wire("field fault I1: a binding that was lost is bound again", async () => {
  await connected(async ({ engine, registration }) => {
    const provider = await Peer.hello(engine.url, "provider");
    await provider.provide("worker");
    const binding = { triggerType: "worker", functionId: ECHO.id, config: {} };
    registration.bind(binding);
    const bound = await provider.expect("registertrigger");
    provider.send({
      type: "triggerregistrationresult",
      id: bound["id"],
      trigger_type: "worker",
      function_id: ECHO.id,
      error: { code: "taken", message: "another owns the route" },
    });
    await provider.sync();
    await eventually("noticed", async () => (await registration.presence.repair()).length > 0);
    provider.answer(bound, {});
    await provider.expect("registertrigger");
    await provider.close();
  });
});

wire("field fault I2: a second worker of our name is noticed, the later one gives way", async () => {
  await connected(
    async ({ engine, registration }) => {
      assert.is(await registration.presence.competitor([ECHO.id]), undefined);
      const later = await Peer.hello(engine.url, "other");
      assert.is(await registration.presence.competitor([ECHO.id]), undefined, "another name is no competitor");
      await later.close();
    },
    await startTestEngine(),
  );
  const engine = await startTestEngine({ generation: "0.22" });
  const earlier = await Peer.hello(engine.url, NAME);
  const connection = new EngineConnection({ url: engine.url, workerName: NAME, workerDescription: "test" });
  const registration = new Registration({ engine: connection, workerName: NAME, handlerOf: () => async () => ({}), log: LOG });
  await eventually("noticed", async () =>
    (await registration.presence.competitor([]).catch(() => undefined))?.includes("is connected already"),
  );
  await earlier.close();
  await connection.close();
  await engine.close();
});

wire("decision 36: an id that another worker serves is named with its owner", async () => {
  const engine = await startTestEngine();
  const other = await Peer.hello(engine.url, "squatter");
  await other.serve("directory::taken", () => ({}));
  await connected(async ({ registration }) => {
    assert.match(
      (await registration.presence.competitor(["directory::taken"])) ?? "",
      /directory::taken is served by the worker squatter/,
    );
    await other.close();
  }, engine);
});

wire("field fault I3: a function that was deleted together with its other owner is registered again", async () => {
  const engine = await startTestEngine({ generation: "0.22" });
  await connected(async ({ registration }) => {
    const other = await Peer.hello(engine.url, "double");
    await other.serve(ECHO.id, () => ({ from: "double" }));
    await other.close();
    const caller = await Peer.hello(engine.url, "caller");
    await eventually("served again", async () => {
      await registration.presence.repair();
      return (await caller.call<{ ours?: boolean }>(ECHO.id, { ours: true }).catch(() => ({ ours: false }))).ours;
    });
    await caller.close();
  }, engine);
});

wire("field fault I4: a socket that says nothing any more is given up, and the worker is back", async () => {
  const engine = await startTestEngine();
  const proxy = await deafProxy(Number(new URL(engine.url).port));
  await connected(
    async ({ connection, registration }) => {
      let returns = 0;
      connection.onReconnect(() => returns++);
      const watch = new PresenceWatch({
        presence: { competitor: () => ask(connection), repair: async () => [] },
        ids: () => registration.ids,
        onCompetitor: () => {},
        onSilence: () => connection.dropSocket(),
        log: LOG,
      });
      proxy.deafen();
      await watch.look();
      await watch.look();
      await eventually("reconnected", () => returns === 1);
      await watch.look();
      assert.equal(await registration.presence.repair(), []);
      proxy.close();
    },
    engine,
    proxy.url,
  );
});

wire("field fault I5: a subscriber that is told to us twice is rung once; two subscriptions of one function are two", async () => {
  await connected(async ({ engine, connection }) => {
    const doorbells = new Doorbells(LOG);
    doorbells.offerTo(connection);
    const type = "directory::skills::on-change";
    const subscriber = await Peer.hello(engine.url, "subscriber");
    await subscriber.serve("subscriber::told");
    await subscriber.bind("one", type, "subscriber::told", {}, { metadata: { from: "one" } });
    await subscriber.bind("one", type, "subscriber::told", {}, { metadata: { from: "one" } });
    await subscriber.bind("two", type, "subscriber::told");
    await eventually("subscribed", () => doorbells.counts["skills"] === 2);
    await doorbells.ring({ family: "skills", payload: { op: "external" } });
    const rings = [await subscriber.expect("invokefunction"), await subscriber.expect("invokefunction")];
    assert.equal(
      rings.map(({ data }) => (data as { op: string }).op),
      ["external", "external"],
    );
    assert.equal(
      rings.map(({ metadata }) => metadata).filter((metadata) => metadata !== undefined && metadata !== null),
      [{ from: "one" }],
    );
    await subscriber.sync();
    assert.is(subscriber.inbox.filter(({ type: kind }) => kind === "invokefunction").length, 0);
    subscriber.send({ type: "unregistertrigger", id: "one", trigger_type: type });
    await eventually("unsubscribed", () => doorbells.counts["skills"] === 1);
    await subscriber.close();
    await eventually("gone", () => doorbells.counts["skills"] === 0);
  });
});

wire("field fault I6: a binding that is refused is asked for again and is no end", async () => {
  await connected(async ({ engine, registration }) => {
    const provider = await Peer.hello(engine.url, "provider");
    await provider.provide("picky");
    registration.bind({ triggerType: "picky", functionId: ECHO.id, config: {} });
    const refused = await provider.expect("registertrigger");
    provider.send({
      type: "triggerregistrationresult",
      id: refused["id"],
      trigger_type: "picky",
      function_id: ECHO.id,
      error: { code: "no", message: "not now" },
    });
    await provider.sync();
    await eventually("asked again", async () => (await registration.presence.repair()).length > 0);
    await provider.expect("registertrigger");
    await eventually("bound", async () => (await registration.presence.repair()).length === 0);
    await provider.close();
  });
});

function ask(connection: EngineConnection): Promise<undefined> {
  return connection.call({ functionId: "engine::workers::list", payload: {}, timeoutMs: 200 }, newContext()).then(() => undefined);
}

/** Passes bytes on until it is told to be deaf: then the sockets stay open and nothing comes through. New connections work. */
async function deafProxy(port: number): Promise<{ url: string; deafen: () => void; close: () => void }> {
  const pairs: [Socket, Socket][] = [];
  const server = createServer((near) => {
    const far = connectTcp(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    pairs.push([near, far]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as { port: number };
  const deafen = (): void => {
    for (const [near, far] of pairs) {
      near.unpipe(far);
      far.unpipe(near);
    }
  };
  const close = (): void => {
    server.close();
    for (const socket of pairs.flat()) socket.destroy();
  };
  return { url: `ws://127.0.0.1:${own}`, deafen, close };
}

wire.after(() => {
  setTimeout(() => process.exit(), 200);
});
wire.run();
