/**
 * Embedded texts on disk, so that a restart embeds nothing. One file a model:
 *
 *     │ header: one line of JSON │ SHA-256 of the rest, 32 bytes │ row │ row │ ...        a row is a key of 32 bytes and 386 floats
 *
 * It is written beside and renamed, so it is there whole or not at all; one that is damaged, or of another layout, is passed over.
 */
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type EmbeddedText, fromRow, ROW_FLOATS, toRow } from "./embedded-text.js";

const LAYOUT = 1;
const KEY_BYTES = 32;
const ROW_BYTES = KEY_BYTES + ROW_FLOATS * Float32Array.BYTES_PER_ELEMENT;
const HASH_BYTES = 32;
const HEADER_BYTES = 256;
const SLICE_ROWS = 512;

/** Of what the rows are. */
export interface VectorFileHeader {
  readonly model: string;
  readonly bank: string;
}

export type KeyedText = readonly [key: string, embedded: EmbeddedText];

/** Hands over the rows in the order of the file, after the whole file has been checked. False: there is none that could be used. */
export async function readVectorFile(
  path: string,
  header: VectorFileHeader,
  take: (key: string, embedded: EmbeddedText) => void,
): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const head = Buffer.alloc(HEADER_BYTES + HASH_BYTES);
    await file.read(head, 0, head.length, 0);
    if (!head.subarray(0, HEADER_BYTES).equals(headerBytes(header))) return false;
    const hash = createHash("sha256");
    await eachSlice(file, (slice) => hash.update(slice));
    if (!hash.digest().equals(head.subarray(HEADER_BYTES))) return false;
    await eachSlice(file, (slice) => {
      for (let at = 0; at + ROW_BYTES <= slice.length; at += ROW_BYTES) {
        const key = slice.subarray(at, at + KEY_BYTES).toString("base64");
        const floats = new Uint8Array(slice.subarray(at + KEY_BYTES, at + ROW_BYTES)).buffer;
        take(key, fromRow(new Float32Array(floats)));
      }
    });
    return true;
  } finally {
    await file.close();
  }
}

export async function writeVectorFile(path: string, header: VectorFileHeader, rows: Iterable<KeyedText>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(partial, "wx");
    try {
      await file.write(headerBytes(header));
      await file.write(Buffer.alloc(HASH_BYTES));
      const hash = createHash("sha256");
      for (const slice of slices(rows)) {
        hash.update(slice);
        await file.write(slice);
      }
      await file.write(hash.digest(), 0, HASH_BYTES, HEADER_BYTES);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function headerBytes(header: VectorFileHeader): Buffer {
  const line = `${JSON.stringify({ layout: LAYOUT, ...header })}\n`;
  const bytes = Buffer.alloc(HEADER_BYTES, " ");
  bytes.write(line.slice(0, HEADER_BYTES));
  return bytes;
}

async function eachSlice(file: FileHandle, visit: (slice: Buffer) => void): Promise<void> {
  const buffer = Buffer.alloc(SLICE_ROWS * ROW_BYTES);
  for (let position = HEADER_BYTES + HASH_BYTES; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    const whole = bytesRead - (bytesRead % ROW_BYTES);
    if (whole === 0) return;
    visit(buffer.subarray(0, whole));
    position += whole;
  }
}

function* slices(rows: Iterable<KeyedText>): Generator<Buffer> {
  let parts: Buffer[] = [];
  for (const [key, embedded] of rows) {
    const { buffer } = toRow(embedded);
    parts.push(Buffer.from(key, "base64"), Buffer.from(buffer));
    if (parts.length < 2 * SLICE_ROWS) continue;
    yield Buffer.concat(parts);
    parts = [];
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
