/** Streaming channels, with the unmodified ends of the SDK. */
import { ChannelReader, ChannelWriter } from "iii-sdk/channel";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startTestEngine } from "../harness/engine.js";
import { eventually, Peer } from "../harness/peer.js";

interface Reference {
  readonly channel_id: string;
  readonly access_key: string;
  readonly direction: "read" | "write";
}

async function channel(bufferSize?: number) {
  const engine = await startTestEngine();
  const peer = await Peer.hello(engine.url, "peer");
  const ends = await peer.call<{ writer: Reference; reader: Reference }>("engine::channels::create", {
    buffer_size: bufferSize ?? null,
  });
  return { engine, peer, ...ends };
}

function address({ channel_id, access_key, direction }: Reference, changed: Partial<Reference> = {}): string {
  return `/ws/channels/${channel_id}?key=${changed.access_key ?? access_key}&dir=${changed.direction ?? direction}`;
}

async function status(opening: Promise<Peer>): Promise<string> {
  return opening.then(
    () => "connected",
    (error: Error) => error.message,
  );
}

test("what is written before the reader comes arrives whole and in order", async () => {
  const { engine, writer, reader } = await channel();
  const data = Buffer.alloc(3_000_000, 0).map((_, index) => index % 251);
  const out = new ChannelWriter(engine.url, writer);
  out.stream.end(Buffer.from(data));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const received = await new ChannelReader(engine.url, reader).readAll();
  assert.ok(Buffer.from(data).equals(received));
  await engine.close();
});

test("a small buffer slows the writer down instead of losing messages", async () => {
  const { engine, writer, reader } = await channel(1);
  const out = new ChannelWriter(engine.url, writer);
  for (let index = 0; index < 200; index += 1) out.sendMessage(String(index));
  const into = new ChannelReader(engine.url, reader);
  const messages: string[] = [];
  into.onMessage((message) => messages.push(message));
  into.stream.resume();
  await eventually("200 messages", () => messages.length === 200);
  assert.equal(
    messages,
    Array.from({ length: 200 }, (_, index) => String(index)),
  );
  into.close();
  await engine.close();
});

test("a wrong key, a wrong id, a taken end and an unknown direction answer 404", async () => {
  const { engine, writer, reader } = await channel();
  const taken = await Peer.open(engine.url, address(reader));
  const refused = [
    address(writer, { access_key: "x" }),
    address({ ...writer, channel_id: "00000000-0000-4000-8000-000000000000" }),
    address(reader),
    address(writer, { direction: "both" as "write" }),
  ];
  for (const path of refused) assert.match(await status(Peer.open(engine.url, path)), /404/, path);
  await taken.close();
  await engine.close();
});

test("the reader leaves: the writer is told, and the channel is gone", async () => {
  const { engine, writer, reader } = await channel();
  const writing = await Peer.open(engine.url, address(writer));
  const reading = await Peer.open(engine.url, address(reader));
  await reading.close();
  assert.is((await writing.closed).code, 1000);
  assert.match(await status(Peer.open(engine.url, address(writer))), /404/);
  await engine.close();
});

test("no more channels than the limit", async () => {
  const engine = await startTestEngine({ limits: { channels: 2 } });
  const peer = await Peer.hello(engine.url, "peer");
  await peer.call("engine::channels::create", {});
  await peer.call("engine::channels::create", {});
  assert.is((await peer.fails("engine::channels::create", {})).code, "invocation_error");
  await engine.close();
});

test.run();
