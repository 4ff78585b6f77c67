/**
 * A cross-encoder for tests: the inputs and the output of a real one, and random weights. The logit of a pair is the sum of one weight a
 * token, those of the second text counting twice, so a test can compute what is right.
 *
 *   logit = Σ weight[id] · mask · (1 + segment)
 */
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BundleFile, BundleManifest, BundlePart } from "../../actors/embedding/model/manifest.js";
import { embeddedFolder } from "../../actors/embedding/model/manifest.js";
import { Tokens } from "../../actors/embedding/model/tokens.js";
import { ROOT } from "./shared.js";

const VOCABULARY = 30_522;

/** Between -1 and 1, the same for each run. */
export function weightOf(token: number): number {
  let bits = Math.imul(token + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  return Math.fround(((bits ^ (bits >>> 13)) >>> 0) / 2 ** 31 - 1);
}

/** What the network gives for a pair. */
export function expectedLogit(query: string, document: string): number {
  const { ids, segments = [] } = new Tokens(embeddedFolder(ROOT)).encodePair(query, document);
  return ids.reduce((sum, id, at) => sum + weightOf(id) * (1 + (segments[at] ?? 0)), 0);
}

/** Writes a whole bundle: the packaged embedding model and the reranker. `change` spoils or adds files before they are pinned. */
export function writeTinyBundle(folder: string): BundleManifest {
  const embedded = embeddedFolder(ROOT);
  const texts = ["tokenizer.json", "tokenizer_config.json"];
  for (const text of texts) {
    copy(join(embedded, text), join(folder, text));
    copy(join(embedded, text), join(folder, "reranker", text));
  }
  copy(join(embedded, "model.onnx"), join(folder, "onnx", "model.onnx"));
  mkdirSync(join(folder, "reranker", "onnx"), { recursive: true });
  writeFileSync(join(folder, "reranker", "onnx", "model.onnx"), tinyCrossEncoder());
  const files = ["onnx/model.onnx", ...texts];
  const part = (at: string, repository: string): BundlePart => ({
    folder: at,
    model: "onnx/model.onnx",
    repository,
    revision: "0123abc",
    files: files.map((path) => pinned(join(folder, at), path)),
  });
  return { name: "tiny", parts: { embedding: part(".", "tests/tiny"), reranker: part("reranker", "tests/tiny-reranker") } };
}

function pinned(folder: string, path: string): BundleFile {
  const bytes = readFileSync(join(folder, path));
  return { path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

const FLOAT = 1;
const INT64 = 7;

/** The bytes of the network. */
export function tinyCrossEncoder(): Buffer {
  const weights = Float32Array.from({ length: VOCABULARY }, (_, token) => weightOf(token));
  const nodes = [
    node("Gather", ["weights", "input_ids"], "weight"),
    node("Cast", ["attention_mask"], "mask", { to: FLOAT }),
    node("Cast", ["token_type_ids"], "segment", { to: FLOAT }),
    node("Add", ["segment", "one"], "factor"),
    node("Mul", ["weight", "mask"], "masked"),
    node("Mul", ["masked", "factor"], "summand"),
    node("ReduceSum", ["summand", "axis"], "logits", { keepdims: 1 }),
  ];
  const graph = [
    ...nodes.map((each) => field(1, each)),
    field(2, text("tiny")),
    field(5, tensor("weights", FLOAT, [VOCABULARY], Buffer.from(weights.buffer))),
    field(5, tensor("one", FLOAT, [1], Buffer.from(Float32Array.of(1).buffer))),
    field(5, tensor("axis", INT64, [1], Buffer.from(BigInt64Array.of(1n).buffer))),
    ...["input_ids", "attention_mask", "token_type_ids"].map((name) => field(11, value(name, INT64, ["batch", "length"]))),
    field(12, value("logits", FLOAT, ["batch", 1])),
  ];
  const opset = Buffer.concat([field(1, text("")), number(2, 13)]);
  return Buffer.concat([number(1, 8), field(7, Buffer.concat(graph)), field(8, opset)]);
}

function node(operator: string, inputs: readonly string[], output: string, attributes: Record<string, number> = {}): Buffer {
  const given = Object.entries(attributes).map(([name, integer]) =>
    field(5, Buffer.concat([field(1, text(name)), number(3, integer), number(20, 2)])),
  );
  return Buffer.concat([
    ...inputs.map((input) => field(1, text(input))),
    field(2, text(output)),
    field(4, text(operator)),
    ...given,
  ]);
}

function tensor(name: string, type: number, dimensions: readonly number[], bytes: Buffer): Buffer {
  return Buffer.concat([...dimensions.map((size) => number(1, size)), number(2, type), field(8, text(name)), field(9, bytes)]);
}

function value(name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = dimensions.map((size) => field(1, typeof size === "string" ? field(2, text(size)) : number(1, size)));
  const tensorType = Buffer.concat([number(1, type), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, text(name)), field(2, field(1, tensorType))]);
}

/** The wire format of protocol buffers: a key of number and kind, then the value. */
function field(at: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((at << 3) | 2), varint(bytes.length), bytes]);
}

function number(at: number, integer: number): Buffer {
  return Buffer.concat([varint(at << 3), varint(integer)]);
}

function varint(integer: number): Buffer {
  const bytes: number[] = [];
  let rest = integer;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function text(characters: string): Buffer {
  return Buffer.from(characters);
}
