import { mongo } from "mongoose";
import driver from "mongoose/lib/drivers/node-mongodb-native/index.js";
import { withId } from "./apply-update.ts";
import type { CollectionRows } from "./collection-rows.ts";
import { type InSlices, writeMany, writeOne } from "./collection-writes.ts";
import { rowBatchSize } from "./limits.ts";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { readOptions } from "./read-options.ts";
import { readUpdateCall } from "./read-update.ts";
import { sqliteCode } from "./sqlite-file.ts";
import { isRecord, type StoredDocument, type StoredValue, toStoredDocument } from "./stored-value.ts";

type BulkStep = { op: unknown; run: (rows: CollectionRows, tally: BulkTally, index: number) => void };

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

/** @param ordered Stop at the first failure; otherwise continue. What succeeded stays, as in MongoDB. */
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

type Id = { index: number; _id: StoredValue };
type BulkTally = ReturnType<typeof emptyTally>;

/** Like the driver's class with this name, which the driver doesn't export. */
class WriteError {
  readonly err: {
    index: number;
    code: number;
    errmsg: string;
    op: unknown;
    keyPattern?: unknown;
    keyValue?: unknown;
  };

  constructor(index: number, thrown: unknown, op: unknown) {
    const facts = thrown instanceof mongo.MongoServerError ? thrown : undefined;
    this.err = {
      index,
      code: typeof facts?.code === "number" ? facts.code : 8,
      errmsg: thrown instanceof Error ? thrown.message : String(thrown),
      op,
    };
    const reply: unknown = facts?.errorResponse;
    if (isRecord(reply) && "keyPattern" in reply) {
      this.err.keyPattern = reply.keyPattern;
      this.err.keyValue = reply.keyValue;
    }
  }

  get code(): number {
    return this.err.code;
  }
  get index(): number {
    return this.err.index;
  }
  get errmsg(): string {
    return this.err.errmsg;
  }
  get keyPattern(): unknown {
    return this.err.keyPattern;
  }
  get keyValue(): unknown {
    return this.err.keyValue;
  }
}

/** What happened to the operations of a bulkWrite or insertMany, in the form the driver's result class expects. */
function emptyTally() {
  const [insertedIds, upserted, writeErrors]: [Id[], Id[], WriteError[]] = [[], [], []];
  const counts = { nInserted: 0, nMatched: 0, nModified: 0, nRemoved: 0, nUpserted: 0 };
  return { ok: 1, ...counts, insertedIds, upserted, writeErrors, writeConcernErrors: [] };
}

/** The result of a bulk write. Throws its error if any operation failed. */
export function concludeBulk(tally: BulkTally, ordered: boolean): mongo.BulkWriteResult {
  const result = new driver.BulkWriteResult(tally, ordered);
  const first = tally.writeErrors[0];
  if (first === undefined) return result;
  const { code, errmsg: message, keyPattern, keyValue } = first;
  const error = new mongo.MongoBulkWriteError({ message, code }, result);
  throw Object.assign(error, { writeErrors: tally.writeErrors, keyPattern, keyValue });
}
