/**
 * Embeds the background bank: models/background/needs.txt, one need a line, to vectors.bin beside it. To be run after a change of the list
 * or of the packaged model; a test compares the two. Wants a build.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Encoder } from "../dist/actors/embedding/model/encoder.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = join(ROOT, "models", "background");
const needs = readFileSync(join(folder, "needs.txt"), "utf8")
  .split("\n")
  .map((line) => line.trim())
  .filter((line) => line !== "");
const encoder = await Encoder.load(join(ROOT, "models", "all-MiniLM-L6-v2-w8", "model.onnx"));
const vectors = await encoder.embed(needs);
await encoder.release();
writeFileSync(join(folder, "vectors.bin"), new Uint8Array(vectors.buffer));
console.log(`${needs.length} needs, ${vectors.byteLength} bytes`);
