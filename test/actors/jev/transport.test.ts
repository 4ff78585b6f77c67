/** Spec 06 §7: the fixed address, proxies, and a service that takes a connection and says nothing. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Deadline } from "../../../actors/jev/deadline.js";
import { Judge } from "../../../actors/jev/judge.js";
import { Permits } from "../../../actors/jev/permits.js";
import { Secret } from "../../../actors/jev/secret.js";
import { JEV_ENDPOINT, Transport } from "../../../actors/jev/transport.js";
import { failureOf, tool } from "../../harness/judging.js";

const test = suite("transport");
const KEY = "sk-canary-transport";
const sockets = new Set<Socket>();
const servers: Server[] = [];

/** A TCP server that says `answer` when it has read something, or nothing at all. */
async function listen(answer?: string): Promise<{ readonly port: number; readonly heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => {
      heard.push(data.toString("latin1"));
      if (answer !== undefined) socket.end(answer);
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, heard };
}

test.after.each(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  sockets.clear();
});

const EVALUATION = {
  corpus: "functions",
  capabilities: ["a need"],
  documents: [tool("x::y")],
  exactIds: true,
  model: "jev-1.13.0",
  key: Secret.of(KEY),
  floor: 0.5,
} as const;

async function judgeBy(transport: Transport, withinMs: number): Promise<ReturnType<typeof failureOf>> {
  const judge = new Judge({ transport, permits: new Permits() });
  const outcome = await judge.evaluate({ ...EVALUATION, deadline: new Deadline(withinMs) });
  await transport.close();
  return failureOf(outcome);
}

test("spec 06 §4: the address of the service", () => {
  assert.is(JEV_ENDPOINT, "https://api.typesafe.ai/v1/systemone");
});

test("spec 06 §7: the proxy of the system is used for the service, and learns its name but not the key", async () => {
  const { port, heard } = await listen("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
  const names = ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] as const;
  const before = names.map((name) => process.env[name]);
  for (const name of names) delete process.env[name];
  process.env["HTTPS_PROXY"] = `http://127.0.0.1:${port}`;
  try {
    assert.is((await judgeBy(new Transport(), 5_000)).kind, "transport");
    assert.match(heard.join(), /^CONNECT api\.typesafe\.ai:443 /);
    assert.not.match(heard.join(), KEY);
  } finally {
    names.forEach((name, at) => {
      const value = before[at];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
  }
});

test("spec 06 §8: the deadline covers a connection that is never secured", async () => {
  const { port, heard } = await listen();
  const { kind, stats } = await judgeBy(new Transport(`https://127.0.0.1:${port}/v1/systemone`), 100);
  assert.is(kind, "deadline");
  assert.ok(stats.elapsedMs < 300, `${stats.elapsedMs}`);
  assert.not.match(heard.join(), KEY);
});

test("spec 06 §9: a service that takes a request and says nothing gives its permit back at the deadline", async () => {
  const { port, heard } = await listen();
  const transport = new Transport(`http://127.0.0.1:${port}/v1/systemone`);
  const permits = new Permits();
  const judge = new Judge({ transport, permits });
  const late = { ...EVALUATION, documents: [tool("late::one")], deadline: new Deadline(60) };
  assert.is(failureOf(await judge.evaluate(late)).kind, "deadline");
  assert.is(permits.inUse, 0);
  assert.is(heard.filter((text) => text.startsWith("POST")).length, 1);
  await transport.close();
});

test("spec 06 §7: a service without a trusted certificate is a failure like any other", async () => {
  const { port } = await listen("this is no TLS at all\r\n");
  assert.is((await judgeBy(new Transport(`https://127.0.0.1:${port}/v1/systemone`), 5_000)).kind, "transport");
});

test.run();
