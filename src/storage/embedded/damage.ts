import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "../../kernel/logger.ts";
import { messageOf, type NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Catalogue, CollectionFacts } from "./catalogue.ts";
import { decodeDocument, isRecord, type StoredDocument } from "./stored-value.ts";
import { sqliteCode, type SqliteFile } from "./sqlite-file.ts";

/** A row whose text is no longer a document, by its place. `id` is the key of its `_id`. */
export type Damaged = { seq: number; id: string };

class UnreadableRow extends Error {
  readonly seq: number;

  constructor(seq: number, cause: unknown) {
    super("a stored row is no document", { cause });
    this.seq = seq;
  }
}

/** @throws an error that `passingOver` understands, if the text is no longer a document */
export function readRow(found: unknown): { seq: number; text: string; document: StoredDocument } {
  if (!isRecord(found) || typeof found.seq !== "number")
    throw new Error("a stored row has no sequence number");
  const { seq, doc } = found;
  try {
    if (typeof doc !== "string") throw new Error("a stored row has no text");
    return { seq, text: doc, document: decodeDocument(doc) };
  } catch (thrown) {
    throw new UnreadableRow(seq, thrown);
  }
}

/** All damaged rows of a table. Reads the whole table. @param table The quoted name. */
export function damagedIn(db: DatabaseSync, table: string): Damaged[] {
  const damaged: Damaged[] = [];
  for (const found of db.prepare(`SELECT seq, id, doc FROM ${table}`).iterate()) {
    try {
      readRow(found);
    } catch {
      damaged.push(...damagedOf([found]));
    }
  }
  return damaged;
}

/**
 * Repeats `work` without the damaged rows that it meets: lists continue without them, and claims take the next row. But reading one row
 * by its key is refused, because "not there" would make somebody create it again. So are lists from which scores are computed.
 * @throws NamedError "record-damaged"
 */
export function passingOver<T>(
  file: SqliteFile,
  catalogue: Catalogue,
  { facts, isRefused }: { facts: CollectionFacts; isRefused: boolean },
  work: () => T,
): T {
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      const met = damagedBy(thrown, file, facts);
      if (met.length === 0) throw thrown;
      const isNews = catalogue.noteDamaged(facts, met);
      if (isRefused) throw damagedError(facts.name, met);
      if (!isNews) throw thrown;
    }
  }
}

/** The condition that excludes known damaged rows. It comes first, so SQLite reads nothing else of them. */
export function wholeRows({ damaged }: CollectionFacts): string {
  return damaged.size === 0 ? "" : `+seq NOT IN (${[...damaged].join(",")})`;
}

/** SQLite itself reads documents for filters and indexes, and doesn't say which one it couldn't read. */
function damagedBy(thrown: unknown, file: SqliteFile, { table }: CollectionFacts): Damaged[] {
  if (thrown instanceof UnreadableRow)
    return damagedOf(file.statement(`SELECT seq, id FROM ${table} WHERE seq=?`).all(thrown.seq));
  if (!isMalformed(thrown)) return [];
  return damagedOf(file.statement(`SELECT seq, id FROM ${table} WHERE NOT json_valid(doc)`).all());
}

function isMalformed(thrown: unknown): boolean {
  return sqliteCode(thrown) === 1 && messageOf(thrown).includes("malformed JSON");
}

function damagedOf(rows: readonly Record<string, unknown>[]): Damaged[] {
  return rows.map(({ seq, id }) => ({ seq: Number(seq), id: String(id) }));
}

function damagedError(collection: string, met: readonly Damaged[]): NamedError {
  const listed = met.slice(0, maxNamed).map(({ id }) => id);
  const ids = [...listed, ...(met.length > maxNamed ? ["..."] : [])].join(", ");
  // As for a disk that can't be read: the work waits until the row is repaired or gone.
  const options = { temporary: true, status: 503, details: { collection, ids } };
  return refusal("record-damaged", { ...options, values: { collection, ids } });
}

const maxNamed = 3;

/** Logs each damaged row once, however often it is met. */
export function createDamageLog(logger: Logger): (collection: string, met: readonly Damaged[]) => void {
  const logged = new Set<string>();
  return (collection, met) => {
    for (const row of met) {
      const key = `${collection} ${String(row.seq)}`;
      if (!logged.has(key)) logger.error({ collection, id: row.id }, damagedError(collection, [row]).message);
      logged.add(key);
    }
  };
}
