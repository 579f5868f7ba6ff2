import { mongo } from "mongoose";
import driver from "mongoose/lib/drivers/node-mongodb-native/index.js";
import { isRecord, type StoredValue } from "./stored-value.ts";

/** What happened to the operations of a bulkWrite or insertMany, as the driver's result class wants it. */
export type BulkTally = {
  ok: 1;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nRemoved: number;
  nUpserted: number;
  insertedIds: { index: number; _id: StoredValue }[];
  upserted: { index: number; _id: StoredValue }[];
  writeErrors: WriteError[];
  writeConcernErrors: never[];
};

/** As the driver's class of the same name, which it does not export. */
export class WriteError {
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

export function emptyTally(): BulkTally {
  return {
    ok: 1,
    nInserted: 0,
    nMatched: 0,
    nModified: 0,
    nRemoved: 0,
    nUpserted: 0,
    insertedIds: [],
    upserted: [],
    writeErrors: [],
    writeConcernErrors: [],
  };
}

/** The result of a bulk write; throws its error when any operation failed. */
export function concludeBulk(tally: BulkTally, ordered: boolean): mongo.BulkWriteResult {
  const result = new driver.BulkWriteResult(tally, ordered);
  const first = tally.writeErrors[0];
  if (first === undefined) return result;
  const { code, errmsg: message, keyPattern, keyValue } = first;
  const error = new mongo.MongoBulkWriteError({ message, code }, result);
  throw Object.assign(error, { writeErrors: tally.writeErrors, keyPattern, keyValue });
}
