/** Who may connect: loopback only, no foreign origins, no foreign names, and no more than the limit. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";

const engine = await startTestEngine();
const port = Number(new URL(engine.url).port);

test.after(() => engine.close());

/** Upgrades that are refused, by path and headers. */
const REFUSED: readonly [name: string, path: string, headers: Record<string, string>, status: number][] = [
  ["a page on the internet", "/", { origin: "https://evil.example" }, 403],
  ["a page of another local program", "/", { origin: "http://127.0.0.1:3000" }, 403],
  ["a file opened in a browser, or a sandboxed frame", "/", { origin: "null" }, 403],
  ["our own name over TLS, which we don't speak", "/", { origin: `https://127.0.0.1:${port}` }, 403],
  ["a name that resolves to this machine", "/", { host: `evil.example:${port}` }, 421],
  ["telemetry of a foreign page", "/otel", { origin: "https://evil.example" }, 403],
  ["an unknown path", "/nope", {}, 404],
  ["a path with dots", "/../otel/..%2f", {}, 404],
  ["a channel without id", "/ws/channels/", {}, 404],
];

for (const [name, path, headers, status] of REFUSED) {
  test(`refused with ${status}: ${name}`, async () => {
    const message = await Peer.open(engine.url, path, { headers }).then(
      () => "connected",
      (error: Error) => error.message,
    );
    assert.match(message, new RegExp(`\\b${status}\\b`));
  });
}

const ACCEPTED: readonly [name: string, path: string, headers: Record<string, string>][] = [
  ["no origin, as every worker", "/", {}],
  ["a query and unknown headers", "/?token=x", { authorization: "Bearer x" }],
  ["its own origin", "/", { origin: `http://127.0.0.1:${port}` }],
  ["a forwarded port", "/", { host: "127.0.0.1:80" }],
  ["localhost", "/", { origin: `http://localhost:${port}`, host: `localhost:${port}` }],
];

for (const [name, path, headers] of ACCEPTED) {
  test(`accepted: ${name}`, async () => {
    const peer = await Peer.open(engine.url, path, { headers });
    await peer.expect("workerregistered");
    await peer.close();
  });
}

test("plain HTTP gets a sentence instead of silence", async () => {
  const [response] = await once(request(`http://127.0.0.1:${port}/`).end(), "response");
  assert.is(response.statusCode, 426);
  let text = "";
  for await (const chunk of response) text += chunk;
  assert.match(text, /WebSocket/);
});

test("it listens on the loopback address only", async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal);
  if (outside === undefined) return;
  const socket = connect({ host: outside.address, port });
  const [error] = await once(socket, "error");
  assert.is((error as NodeJS.ErrnoException).code, "ECONNREFUSED");
});

test("garbage instead of HTTP ends that connection only", async () => {
  const socket = connect({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  socket.resume();
  socket.write(Buffer.from([0, 1, 2, 3, 255, 13, 10, 13, 10]));
  await once(socket, "close");
  const peer = await Peer.connect(engine.url);
  await peer.close();
});

test("a frame that breaks the WebSocket protocol ends that connection only", async () => {
  const peer = await Peer.connect(engine.url);
  // A reserved opcode, unmasked.
  (peer.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from([0x83, 0x00]));
  await peer.closed;
  const other = await Peer.connect(engine.url);
  await other.close();
});

test("one connection more than the limit is refused with 503; a place that gets free can be had", async () => {
  const small = await startTestEngine({ limits: { connections: 3 } });
  const peers = [await Peer.connect(small.url), await Peer.connect(small.url), await Peer.connect(small.url)];
  const message = await Peer.connect(small.url).catch((error: Error) => error.message);
  assert.match(String(message), /503/);
  await peers[0]?.close();
  await eventually("a free place", () =>
    Peer.connect(small.url).then(
      () => true,
      () => false,
    ),
  );
  await small.close();
});

test("closing the engine drops everybody and frees the port at once", async () => {
  const first = await startTestEngine();
  const peer = await Peer.connect(first.url);
  const half = connect({ host: "127.0.0.1", port: Number(new URL(first.url).port) });
  half.on("error", () => {});
  await once(half, "connect");
  await first.close();
  await peer.closed;
  const second = await startTestEngine({ port: Number(new URL(first.url).port) });
  await second.close();
});

test.run();
