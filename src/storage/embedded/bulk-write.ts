import { type BulkTally, emptyTally, WriteError } from "./bulk-outcome.ts";
import type { CollectionRows } from "./collection-rows.ts";
import { deleteAll, deleteFirst, type InSlices, writeMany, writeOne } from "./collection-writes.ts";
import { serverError, mongoCode, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { readFilter } from "./read-filter.ts";
import { readOptions } from "./read-options.ts";
import { readReplaceCall, readUpdateCall } from "./read-write.ts";
import { sqliteCode } from "./sqlite-file.ts";
import { isRecord, type StoredDocument, type StoredValue } from "./stored-value.ts";
import { toStoredDocument } from "./to-stored.ts";
import { withId } from "./upsert-seed.ts";
import { rowBatchSize } from "./limits.ts";

export type BulkStep = { op: unknown; run: (rows: CollectionRows, tally: BulkTally, index: number) => void };

/** Reads all operations before the first one runs. */
export function readBulk(operations: unknown): BulkStep[] {
  if (!Array.isArray(operations)) throw serverError(mongoCode.failedToParse, "operations must be an array");
  return operations.map((op: unknown) => {
    const entry = isRecord(op) ? Object.entries(op)[0] : undefined;
    const [name, model] = entry ?? ["", undefined];
    const read = readers[name];
    if (read === undefined || !isRecord(model)) throw new UnsupportedOnEmbedded(`the bulk operation ${name}`);
    return { op, run: read(model) };
  });
}

export function insertSteps(documents: StoredDocument[]): BulkStep[] {
  return documents.map((document) => ({ op: document, run: insertStep(document) }));
}

/** @param ordered Stop at the first failure, else go on. What succeeded stays, as on MongoDB. */
export function writeBulk(
  rows: CollectionRows,
  steps: readonly BulkStep[],
  ordered: boolean,
): InSlices<BulkTally> {
  const tally = emptyTally();
  const left = steps.entries();
  return () => {
    for (let run = 0; run < rowBatchSize; run += 1) {
      const next = left.next();
      if (next.done === true) return tally;
      const [index, step] = next.value;
      try {
        step.run(rows, tally, index);
      } catch (thrown) {
        if (sqliteCode(thrown) !== undefined) throw thrown;
        tally.writeErrors.push(new WriteError(index, thrown, step.op));
        if (ordered) return tally;
      }
    }
    return null;
  };
}

type Run = BulkStep["run"];

const updateOptions = ["filter", "update", "upsert", "arrayFilters", "sort"];

const readers: Record<string, (model: Record<string, unknown>) => Run> = {
  insertOne: (model) => {
    readOptions("insertOne", model, ["document"]);
    if (!isRecord(model.document)) throw new UnsupportedOnEmbedded("an insert without a document");
    return insertStep(withId(toStoredDocument(model.document)));
  },
  updateOne: (model) => {
    const call = readUpdateCall(model.filter, model.update, readOptions("updateOne", model, updateOptions));
    return (rows, tally, index) => {
      const written = writeOne(rows, call);
      count(tally, index, Number(written.matched), Number(written.modified), written.upsertedId);
    };
  },
  updateMany: (model) => {
    const call = readUpdateCall(model.filter, model.update, readOptions("updateMany", model, updateOptions));
    return (rows, tally, index) => {
      const written = writeMany(rows, call, Infinity)();
      if (written !== null) count(tally, index, written.matched, written.modified, written.upsertedId);
    };
  },
  replaceOne: (model) => {
    const options = readOptions("replaceOne", model, ["filter", "replacement", "upsert", "sort"]);
    const call = readReplaceCall(model.filter, model.replacement, options);
    return (rows, tally, index) => {
      const written = writeOne(rows, call);
      count(tally, index, Number(written.matched), Number(written.modified), written.upsertedId);
    };
  },
  deleteOne: (model) => {
    const filter = readFilter(readOptions("deleteOne", model, ["filter"]).filter);
    return (rows, tally) => {
      if (deleteFirst(rows, filter, []) !== undefined) tally.nRemoved += 1;
    };
  },
  deleteMany: (model) => {
    const filter = readFilter(readOptions("deleteMany", model, ["filter"]).filter);
    return (rows, tally) => {
      tally.nRemoved += deleteAll(rows, filter);
    };
  },
};

function insertStep(document: StoredDocument): Run {
  return (rows, tally, index) => {
    rows.insert(document);
    tally.nInserted += 1;
    tally.insertedIds.push({ index, _id: document._id ?? null });
  };
}

function count(
  tally: BulkTally,
  index: number,
  matched: number,
  modified: number,
  upsertedId: StoredValue | undefined,
): void {
  tally.nMatched += matched;
  tally.nModified += modified;
  if (upsertedId === undefined) return;
  tally.nUpserted += 1;
  tally.upserted.push({ index, _id: upsertedId });
}
