import { Worker } from "node:worker_threads";
import { z } from "zod";

/** Limits of the first sheet, and of all unpacked parts of the file together. */
export const maxSheet = { rows: 5_000, cells: 400_000, unpackedBytes: 24 * 1024 * 1024 } as const;
/** Reading a sheet of the largest size takes about a second. */
const maxReadingMs = 10_000;
const maxHeapMb = 256;

/** Lines of texts, or why the file couldn't be read. */
export type SheetRead = string[][] | "unreadable" | "too-large";

const answerShape = z.union([z.array(z.array(z.string())), z.literal("too-large")]);

/** Whether a file is packed like a workbook (.xlsx). */
export function isPacked(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "PK\x03\x04";
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads the first sheet of a workbook (.xlsx) in a thread with limits of time and memory, so no file delays other requests. First we
 * check the sizes in the file's own directory; the reader unpacks no part beyond its stated size. Files are read one after the other.
 */
export function readSheet(bytes: Buffer): Promise<SheetRead> {
  const read = last.then(() => readAlone(bytes));
  last = read.catch(() => undefined);
  return read;
}

async function readAlone(bytes: Buffer): Promise<SheetRead> {
  const size = unpackedSize(bytes);
  if (size === null) return "unreadable";
  if (size > maxSheet.unpackedBytes) return "too-large";
  const thread = new Worker(new URL("./sheet-thread.ts", import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let answer: SheetRead = "unreadable";
  const ending = setTimeout(() => void thread.terminate(), maxReadingMs);
  thread.on("message", (message: unknown) => {
    answer = answerShape.catch([]).parse(message);
  });
  await new Promise<void>((resolve) => {
    thread.on("error", (thrown: unknown) => {
      if (thrown instanceof Error && "code" in thrown && thrown.code === "ERR_WORKER_OUT_OF_MEMORY")
        answer = "too-large";
    });
    thread.on("exit", () => resolve());
  });
  clearTimeout(ending);
  return answer;
}

const directoryEnd = Buffer.from("PK\x05\x06", "latin1");
const directoryEntry = 0x02014b50;
const maxParts = 2_000;

/**
 * The unpacked size of a packed file according to its central directory (APPNOTE.TXT 4.3.12 and 4.3.16), in bytes. Null if a size isn't
 * stated: unpacking such a part has no limit. No workbook this small needs 64-bit fields.
 */
function unpackedSize(bytes: Buffer): number | null {
  const end = bytes.lastIndexOf(directoryEnd);
  if (end < 0 || end + 22 > bytes.length) return null;
  const parts = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  let sum = 0;
  if (parts > maxParts || bytes.readUInt32LE(end + 12) > bytes.length) return null;
  for (let part = 0; part < parts; part += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry) return null;
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const sizesFollow = (bytes.readUInt16LE(at + 8) & 8) !== 0;
    // No content packs into two bytes or less.
    if ((packed === 0 && sizesFollow) || (unpacked === 0 && packed > 2)) return null;
    sum += unpacked;
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return sum;
}

/** A cell as a person would type it: a date without a time of day is just the date. */
export function cellText(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace("T00:00", "").replace("T", " ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
