import { createHash } from "node:crypto";

/** A digest of documents in any order: the sum of their SHA-256. */
export type DocumentDigest = {
  add: (document: Readonly<Record<string, unknown>>) => void;
  count: () => number;
  /** 64 hexadecimal digits. */
  value: () => string;
};

const modulus = 2n ** 256n;

/** Independent of the order of fields and of the engine. */
export function createDocumentDigest(): DocumentDigest {
  let sum = 0n;
  let count = 0;
  return {
    add: (document) => {
      const hash = createHash("sha256")
        .update(JSON.stringify(plain(document)))
        .digest("hex");
      sum = (sum + BigInt(`0x${hash}`)) % modulus;
      count += 1;
    },
    count: () => count,
    value: () => sum.toString(16).padStart(64, "0"),
  };
}

/** As JSON with types: a date is not the text of a date. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("_bsontype" in value) return { [`$${String(value._bsontype)}`]: bsonText(value) };
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, plain(inner)]),
  );
}

function bsonText(value: object): string {
  return "buffer" in value && value.buffer instanceof Uint8Array
    ? Buffer.from(value.buffer).toString("base64")
    : JSON.stringify(value);
}
