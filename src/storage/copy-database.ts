import { createHash } from "node:crypto";
import type { Connection } from "mongoose";
import { refusal } from "../kernel/refusal.ts";
import { copyBatchSize, copyExpirySkipMs } from "./limits.ts";
import { markCopying } from "./prepare-schema.ts";
import { kindsOn, storedCollection } from "./records.ts";
import { compareText } from "../kernel/lists.ts";

const modulus = 2n ** 256n;

/** A digest of documents that doesn't depend on the order of fields or on the engine. */
export function createDocumentDigest() {
  let sum = 0n;
  let count = 0;
  return {
    add: (document: Readonly<Record<string, unknown>>) => {
      const hash = createHash("sha256")
        .update(JSON.stringify(plain(document)))
        .digest("hex");
      sum = (sum + BigInt(`0x${hash}`)) % modulus;
      count += 1;
    },
    count: () => count,
    /** 64 hexadecimal digits. */
    value: () => sum.toString(16).padStart(64, "0"),
  };
}

/** A value as JSON with types, so a date differs from the text of a date. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("_bsontype" in value) return { [`$${String(value._bsontype)}`]: bsonText(value) };
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => compareText(a, b)).map(([key, inner]) => [key, plain(inner)]),
  );
}

function bsonText(value: object): string {
  return "buffer" in value && value.buffer instanceof Uint8Array
    ? Buffer.from(value.buffer).toString("base64")
    : JSON.stringify(value);
}

/** `digest`: of the collection's documents, the same in both databases. */
export type CopiedCollection = { name: string; documents: number; digest: string };

const ownCollection = "schemaversions";

/**
 * Copies all records into another database, then compares counts and digests. No tool starts on the copy until that has succeeded. What
 * an interrupted copy left there is deleted first.
 * @param databases.from Its stores are open, and nothing writes to it during the copy.
 * @param databases.to Its stores are open; empty, except for an interrupted copy.
 * @throws NamedError "copy-source-changed" if the original changed, "copy-differs" if the copy isn't the same
 */
export async function copyDatabase(
  databases: { from: Connection; to: Connection },
  deps: { now: number; onCollection?: (name: string, documents: number) => void },
): Promise<CopiedCollection[]> {
  const { from, to } = databases;
  await markCopying(to, true, deps.now);
  const before = new Map<string, Facts>();
  for (const [name, expiring] of collectionsOf(from)) {
    await storedCollection(to, name).deleteMany({});
    const keep = lastingAfter(expiring, deps.now + copyExpirySkipMs);
    const facts = await factsOf(from, name, keep, async (documents) => {
      await storedCollection(to, name).insertMany([...documents]);
    });
    before.set(name, facts);
    deps.onCollection?.(name, facts.documents);
  }
  const copied: CopiedCollection[] = [];
  for (const [name, expiring] of collectionsOf(from)) {
    const keep = lastingAfter(expiring, deps.now + copyExpirySkipMs);
    const seen = before.get(name);
    const source = await factsOf(from, name, keep);
    const target = await factsOf(to, name, keep);
    if (source.documents !== seen?.documents || source.digest !== seen.digest)
      throw refusal("copy-source-changed", { values: { name } });
    if (target.documents !== source.documents || target.digest !== source.digest) {
      throw refusal("copy-differs", {
        values: { name, original: source.documents, copied: target.documents },
      });
    }
    copied.push({ name, ...target });
  }
  await markCopying(to, false, deps.now);
  return copied;
}

export async function hasRecords(connection: Connection): Promise<boolean> {
  for (const name of collectionsOf(connection).keys())
    if ((await storedCollection(connection, name).findOne({})) !== null) return true;
  return false;
}

type Facts = { documents: number; digest: string };
type Keep = (document: Readonly<Record<string, unknown>>) => boolean;

/** Collections by name, with the fields by which their documents expire. */
function collectionsOf(connection: Connection): Map<string, string[]> {
  const collections = new Map<string, string[]>();
  for (const { collection, kind } of kindsOn(connection).values()) {
    if (collection === ownCollection) continue;
    collections.set(
      collection,
      kind.indexes.flatMap(({ isExpiry, paths }) => (isExpiry === true ? paths : [])),
    );
  }
  return collections;
}

function lastingAfter(expiring: readonly string[], time: number): Keep {
  return (document) =>
    expiring.every((field) => {
      const at = document[field];
      return !(at instanceof Date) || at.getTime() > time;
    });
}

/** In order of ids. @param each Called with a few hundred documents at a time. */
async function factsOf(
  connection: Connection,
  name: string,
  keep: Keep,
  each: (documents: readonly { _id: string }[]) => Promise<void> = () => Promise.resolve(),
): Promise<Facts> {
  const digest = createDocumentDigest();
  const collection = storedCollection(connection, name);
  for (let after = ""; ;) {
    const found = await collection
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: copyBatchSize })
      .toArray();
    const chosen = found.filter(keep);
    for (const document of chosen) digest.add(document);
    if (chosen.length > 0) await each(chosen);
    after = found.at(-1)?._id ?? "";
    if (found.length < copyBatchSize) return { documents: digest.count(), digest: digest.value() };
  }
}
