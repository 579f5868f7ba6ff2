import { applyUpdate, seedFromFilter, withId } from "./apply-update.ts";
import type { CollectionRows, Row } from "./collection-rows.ts";
import { createMatcher } from "./matcher.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import type { Filter } from "./read-filter.ts";
import type { Sort } from "./read-options.ts";
import type { Update } from "./read-update.ts";
import { sameValue, type StoredDocument, type StoredValue } from "./stored-value.ts";

export type Change = { update: Update } | { replacement: StoredDocument };

export type WriteOne = { filter: Filter; sort: Sort; change: Change; upsert: boolean };

/** `beforeText` (a row's text) and `after` are missing if there was or is no document. */
export type Written = ReturnType<typeof writeOne>;

/** Changes the first match, or inserts if it is an upsert. Runs in a transaction. */
export function writeOne(rows: CollectionRows, { filter, sort, change, upsert }: WriteOne) {
  const row = rows.first({ filter, sort, skip: 0, limit: 1 });
  if (row !== undefined) {
    const after = changed(row, change);
    const modified = rows.rewrite(row, after);
    return { matched: true, modified, upsertedId: undefined, beforeText: row.text, after };
  }
  if (!upsert)
    return {
      matched: false,
      modified: false,
      upsertedId: undefined,
      beforeText: undefined,
      after: undefined,
    };
  const after = inserted(filter, change);
  rows.insert(after);
  return { matched: false, modified: false, upsertedId: after._id, beforeText: undefined, after };
}

export type WrittenMany = { matched: number; modified: number; upsertedId: StoredValue | undefined };

/**
 * A write in slices, so a thousand rows don't make every request wait. It is called in transactions until it returns a result; null means
 * that there is more. A failure leaves what was written before, as in MongoDB.
 */
export type InSlices<T> = () => T | null;

/** Writes in slices of rows. */
export function writeMany(
  rows: CollectionRows,
  { filter, change, upsert }: Omit<WriteOne, "sort">,
  atOnce: number,
): InSlices<WrittenMany> {
  const matches = createMatcher(filter);
  let places: Iterator<number> | undefined;
  let matched = 0;
  let modified = 0;
  const conclude = (): WrittenMany => {
    if (matched > 0 || !upsert) return { matched, modified, upsertedId: undefined };
    const after = inserted(filter, change);
    rows.insert(after);
    return { matched, modified, upsertedId: after._id };
  };
  return () => {
    places ??= rows.candidates(filter).values();
    for (let looked = 0; looked < atOnce; looked += 1) {
      const candidate = places.next();
      if (candidate.done === true) return conclude();
      const row = rows.at(candidate.value, matches);
      if (row === undefined) continue;
      matched += 1;
      if (rows.rewrite(row, changed(row, change))) modified += 1;
    }
    return null;
  };
}

export function deleteFirst(rows: CollectionRows, filter: Filter, sort: Sort): StoredDocument | undefined {
  const row = rows.first({ filter, sort, skip: 0, limit: 1 });
  if (row === undefined) return undefined;
  rows.remove(row);
  return row.document;
}

/** @returns how many it deleted. */
export function deleteAll(rows: CollectionRows, filter: Filter): number {
  const decided = rows.removeDecided(filter);
  if (decided !== undefined) return decided;
  let deleted = 0;
  const matches = createMatcher(filter);
  for (const seq of rows.candidates(filter)) {
    const row = rows.at(seq, matches);
    if (row === undefined) continue;
    rows.remove(row);
    deleted += 1;
  }
  return deleted;
}

function changed(row: Row, change: Change): StoredDocument {
  if ("replacement" in change) return replaced(row.document, change.replacement);
  applyUpdate(change.update, { document: row.document, isInsert: false });
  return row.document;
}

function replaced(current: StoredDocument, replacement: StoredDocument): StoredDocument {
  const { _id: id, ...fields } = replacement;
  if (id !== undefined && !sameValue(id, current._id)) {
    const message = "After applying the update, the (immutable) field '_id' was found to have been altered";
    throw serverError(mongoCode.immutableField, message);
  }
  return { _id: current._id ?? null, ...fields };
}

function inserted(filter: Filter, change: Change): StoredDocument {
  if ("replacement" in change) {
    const seed = seedFromFilter(filter);
    const document = seed._id === undefined ? {} : { _id: seed._id };
    return withId(replacedFields(document, change.replacement));
  }
  const document = seedFromFilter(filter);
  applyUpdate(change.update, { document, isInsert: true });
  return withId(document);
}

function replacedFields(seed: StoredDocument, replacement: StoredDocument): StoredDocument {
  return seed._id === undefined ? replacement : replaced(seed, replacement);
}
