import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BackgroundBank } from "../../../../actors/catalog/vectors/background-bank.js";
import { DIMENSIONS } from "../../../../actors/catalog/vectors/scan-memory.js";
import { VectorMatrix } from "../../../../actors/catalog/vectors/vector-matrix.js";
import { dot, unitVector } from "../../../harness/vectors.js";

const embedded = (seed: number) => ({ vector: unitVector(seed), mean: seed / 1_000, deviation: 1 });

test("a scan gives the cosine of every row, whatever came and went before", () => {
  const step = fc.record({ id: fc.nat(30).map((number) => `n${number}`), seed: fc.nat(1_000), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.nat(1_000), (steps, asked) => {
      const matrix = new VectorMatrix();
      const expected = new Map<string, number>();
      for (const { id, seed, remove } of steps) {
        if (remove) {
          matrix.delete(id);
          expected.delete(id);
        } else {
          matrix.set(id, embedded(seed));
          expected.set(id, seed);
        }
      }
      assert.is(matrix.size, expected.size);
      const query = unitVector(asked);
      const cosines = matrix.cosines(query);
      assert.is(cosines.length, expected.size);
      for (const [id, seed] of expected) {
        const row = matrix.row(id) ?? -1;
        assert.is(matrix.ids[row], id);
        assert.ok(Math.abs((cosines[row] ?? 9) - dot(query, unitVector(seed))) < 1e-5);
        assert.equal(matrix.get(id)?.vector, unitVector(seed));
      }
    }),
    { numRuns: 60 },
  );
});

test("a matrix larger than its first memory grows in place", () => {
  const matrix = new VectorMatrix();
  for (let row = 0; row < 5_000; row++) matrix.set(`n${row}`, embedded(row % 50));
  const cosines = matrix.cosines(unitVector(7));
  for (const row of [0, 7, 57, 4_095, 4_096, 4_999]) {
    assert.ok(Math.abs((cosines[row] ?? 9) - dot(unitVector(7), unitVector(row % 50))) < 1e-5);
  }
});

test("what a cosine is worth: deviations above the mean over the bank", () => {
  const needs = new Float32Array(3 * DIMENSIONS);
  for (let row = 0; row < 3; row++) needs.set(unitVector(row), row * DIMENSIONS);
  const bank = new BackgroundBank(new Uint8Array(needs.buffer));
  const document = unitVector(9);
  const cosines = [0, 1, 2].map((row) => dot(document, unitVector(row)));
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / 3;
  const deviation = Math.sqrt(cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / 3);
  const measured = bank.measure(document);
  assert.ok(Math.abs(measured.mean - mean) < 1e-6 && Math.abs(measured.deviation - deviation) < 1e-6);
  const matrix = new VectorMatrix();
  matrix.set("a", measured);
  assert.ok(Math.abs(matrix.normalised(0, mean + 2 * deviation) - 2) < 1e-4);
  assert.is(bank.measure(new Float32Array(DIMENSIONS)).deviation, 0);
});

test("a text without a vector has no deviation, and so no worth", () => {
  const matrix = new VectorMatrix();
  matrix.set("a", { vector: new Float32Array(DIMENSIONS), mean: 0, deviation: 0 });
  assert.is(matrix.normalised(0, 0), 0);
});

test.run();
