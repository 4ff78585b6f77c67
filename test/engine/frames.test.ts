/** Decoding: spec 01 §2 (required and optional keys) and §8.1 row 4 (what doesn't fit is dropped, never an error). */
import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { decodeFrame } from "../../actors/engine/frames.js";

const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";

function isDecoded(frame: unknown): boolean {
  return decodeFrame(Buffer.from(JSON.stringify(frame)), false) !== undefined;
}

function nested(levels: number): unknown {
  return JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
}

const DECODED: readonly [string, object][] = [
  ["only required keys", { type: "registerfunction", id: "a::b" }],
  ["null for every optional key", { type: "registerfunction", id: "a", description: null, request_format: null, metadata: null }],
  ["an unknown key", { type: "registerfunction", id: "a", invocation: { url: "http://x" }, more: 1 }],
  ["null as data", { type: "invokefunction", function_id: "a", data: null }],
  ["null as config", { type: "registertrigger", id: "i", trigger_type: "t", function_id: "f", config: null }],
  ["the key that SDK 0.22.1 leaks", { type: "unregistertrigger", id: "i", message_type: "unregistertrigger" }],
  ["an upper-case UUID", { type: "invocationresult", invocation_id: UUID.toUpperCase(), function_id: "f" }],
  ["void", { type: "invokefunction", function_id: "a", data: 1, action: { type: "void" } }],
  ["enqueue", { type: "invokefunction", function_id: "a", data: 1, action: { type: "enqueue", queue: "q" } }],
  [
    "an error without stack",
    { type: "invocationresult", invocation_id: UUID, function_id: "f", error: { code: "c", message: "m" } },
  ],
  ["100 levels of nesting", { type: "invokefunction", function_id: "a", data: nested(100) }],
];

for (const [name, frame] of DECODED) test(`decoded: ${name}`, () => assert.ok(isDecoded(frame)));

const DROPPED: readonly [string, unknown][] = [
  ["an array", [{ type: "ping" }]],
  ["null", null],
  ["a number as type", { type: 5 }],
  ["a type from the prototype of objects", { type: "constructor" }],
  ["no id", { type: "registerfunction" }],
  ["a number as id", { type: "registerfunction", id: 5 }],
  ["a trigger type without description", { type: "registertriggertype", id: "t" }],
  ["an error without message", { type: "invocationresult", invocation_id: UUID, function_id: "f", error: { code: "c" } }],
  ["an error that is a text", { type: "invocationresult", invocation_id: UUID, function_id: "f", error: "broken" }],
  ["an unknown action", { type: "invokefunction", function_id: "a", data: 1, action: { type: "later" } }],
  ["enqueue without a queue", { type: "invokefunction", function_id: "a", data: 1, action: { type: "enqueue" } }],
  ["a number as baggage", { type: "invokefunction", function_id: "a", data: 1, baggage: 5 }],
  ["200 levels of nesting", { type: "invokefunction", function_id: "a", data: nested(200) }],
];

for (const [name, frame] of DROPPED) test(`dropped: ${name}`, () => assert.not(isDecoded(frame)));

test("a million levels of nesting neither throw nor overflow the stack", () => {
  const text = `{"type":"invokefunction","function_id":"a","data":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
  assert.is(decodeFrame(Buffer.from(text), false), undefined);
});

test("binary messages are frames too, unless they begin like telemetry", () => {
  assert.equal(decodeFrame(Buffer.from('{"type":"ping"}'), true), { type: "ping" });
  for (const prefix of ["OTLP", "MTRC", "LOGS"]) assert.is(decodeFrame(Buffer.from(`${prefix}{"type":"ping"}`), true), undefined);
});

test("whatever bytes come, decoding gives a frame or nothing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isBinary) => {
      decodeFrame(Buffer.from(bytes), isBinary);
    }),
  );
});

test("whatever JSON comes, decoding gives a frame of a known type or nothing", () => {
  const types = fc.constantFrom("invokefunction", "registertrigger", "invocationresult", "reattach", "ping", "bogus");
  const values = fc.dictionary(
    fc.constantFrom("id", "function_id", "data", "config", "invocation_id", "error", "action"),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(types, values, (type, rest) => {
      const frame = decodeFrame(Buffer.from(JSON.stringify({ ...rest, type })), false);
      assert.ok(frame === undefined || frame.type === type);
    }),
  );
});

test.run();
