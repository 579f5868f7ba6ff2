import { mongo } from "mongoose";
import { concludeBulk, insertSteps, readBulk, writeBulk } from "./bulk-write.ts";
import type { Catalogue } from "./catalogue.ts";
import { specDocument } from "./index-spec.ts";
import { allOf, type CollectionRows, createCollectionRows, type Selection } from "./collection-rows.ts";
import {
  deleteAll,
  deleteFirst,
  type InSlices,
  writeMany,
  type WriteOne,
  writeOne,
} from "./collection-writes.ts";
import {
  decodeDocument,
  isRecord,
  type StoredDocument,
  type StoredValue,
  toStoredDocument,
  toJson,
} from "./stored-value.ts";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import {
  type Options,
  type Project,
  readCount,
  readOptions,
  readProjection,
  readSort,
} from "./read-options.ts";
import { readFilter } from "./read-filter.ts";
import { readReplaceCall, readUpdateCall } from "./read-update.ts";
import { type SqliteFile, storageError } from "./sqlite-file.ts";
import type { Turns } from "./turns.ts";
import type { WriteBatch } from "./write-batch.ts";
import { rowBatchSize } from "./limits.ts";
import { pathValues } from "./paths.ts";

export type Engine = { file: SqliteFile; catalogue: Catalogue; batch: WriteBatch; turns: Turns };

const page = ["sort", "skip", "limit", "projection"];

/** Like the Collection of MongoDB's driver, with the methods that mongoose calls. All others throw. */
export class EmbeddedCollection {
  readonly collectionName: string;
  readonly #engine: Engine;
  readonly #rows: CollectionRows;

  constructor(engine: Engine, name: string) {
    this.#engine = engine;
    this.collectionName = name;
    this.#rows = createCollectionRows(engine.file, engine.catalogue, name);
  }

  find(filter: unknown, input?: unknown) {
    const options = readOptions("find", input, page);
    const selection = selectionOf(filter, options);
    const project = readProjection(options.projection) ?? unchanged;
    return cursorOf(() => this.#read(() => this.#rows.list(selection, ({ document }) => project(document))));
  }

  findOne(filter: unknown, input?: unknown): Promise<StoredDocument | null> {
    return promised(() => {
      const options = readOptions("findOne", input, page);
      const selection = { ...selectionOf(filter, options), limit: 1 };
      const project = readProjection(options.projection) ?? unchanged;
      return this.#read(() => {
        const row = this.#rows.first(selection);
        return row === undefined ? null : project(row.document);
      });
    });
  }

  countDocuments(filter: unknown, input?: unknown): Promise<number> {
    return promised(() => {
      const options = readOptions("countDocuments", input, ["skip", "limit"]);
      const selection = selectionOf(filter, options);
      return this.#read(() => this.#rows.count(selection));
    });
  }

  distinct(path: string, filter: unknown, input?: unknown): Promise<StoredValue[]> {
    return promised(() => {
      readOptions("distinct", input, []);
      const selection = allOf(readFilter(filter));
      return this.#read(() => distinctValues(this.#rows, selection, path));
    });
  }

  insertOne(document: unknown, input?: unknown): Promise<object> {
    return promised(() => {
      readOptions("insertOne", input, []);
      const stored = storedWithId(document);
      return this.#engine.batch.run(() => {
        this.#rows.insert(stored);
        return { acknowledged: true, insertedId: stored._id };
      });
    });
  }

  insertMany(documents: unknown, input?: unknown): Promise<object> {
    return promised(async () => {
      const ordered = readOptions("insertMany", input, ["ordered"]).ordered !== false;
      if (!Array.isArray(documents)) throw new UnsupportedOnEmbedded("insertMany without a list");
      const steps = insertSteps(documents.map(storedWithId));
      const tally = await this.#inSlices(writeBulk(this.#rows, steps, ordered));
      const { insertedCount, insertedIds } = concludeBulk(tally, ordered);
      return { acknowledged: true, insertedCount, insertedIds };
    });
  }

  bulkWrite(operations: unknown, input?: unknown): Promise<mongo.BulkWriteResult> {
    return promised(async () => {
      const ordered = readOptions("bulkWrite", input, ["ordered"]).ordered !== false;
      const steps = readBulk(operations);
      return concludeBulk(await this.#inSlices(writeBulk(this.#rows, steps, ordered)), ordered);
    });
  }

  updateOne(filter: unknown, update: unknown, input?: unknown): Promise<object> {
    return promised(() => {
      const options = readOptions("updateOne", input, ["upsert", "arrayFilters", "sort"]);
      return this.#writeOne(readUpdateCall(filter, update, options));
    });
  }

  replaceOne(filter: unknown, replacement: unknown, input?: unknown): Promise<object> {
    return promised(() => {
      const options = readOptions("replaceOne", input, ["upsert", "sort"]);
      return this.#writeOne(readReplaceCall(filter, replacement, options));
    });
  }

  updateMany(filter: unknown, update: unknown, input?: unknown): Promise<object> {
    return promised(async () => {
      const options = readOptions("updateMany", input, ["upsert", "arrayFilters"]);
      const call = readUpdateCall(filter, update, options);
      const written = await this.#inSlices(writeMany(this.#rows, call, rowBatchSize));
      return updateResult(written.matched, written.modified, written.upsertedId);
    });
  }

  deleteOne(filter: unknown, input?: unknown): Promise<object> {
    return promised(() => {
      readOptions("deleteOne", input, []);
      const selection = readFilter(filter);
      return this.#engine.batch.run(() => {
        const deleted = deleteFirst(this.#rows, selection, []);
        return { acknowledged: true, deletedCount: deleted === undefined ? 0 : 1 };
      });
    });
  }

  deleteMany(filter: unknown, input?: unknown): Promise<object> {
    return promised(() => {
      readOptions("deleteMany", input, []);
      const selection = readFilter(filter);
      return this.#engine.batch.run(() => ({
        acknowledged: true,
        deletedCount: deleteAll(this.#rows, selection),
      }));
    });
  }

  findOneAndUpdate(filter: unknown, update: unknown, input?: unknown): Promise<unknown> {
    return promised(() => {
      const options = readOptions("findOneAndUpdate", input, [...modifyOptions, "arrayFilters"]);
      return this.#modify(readUpdateCall(filter, update, options), options);
    });
  }

  findOneAndDelete(filter: unknown, input?: unknown): Promise<unknown> {
    return promised(() => {
      const options = readOptions("findOneAndDelete", input, modifyOptions);
      const selection = readFilter(filter);
      const sort = readSort(options.sort);
      const project = readProjection(options.projection) ?? unchanged;
      return this.#engine.batch.run(() => {
        const deleted = deleteFirst(this.#rows, selection, sort);
        return deleted === undefined ? null : project(deleted);
      });
    });
  }

  createIndex(key: unknown, input?: unknown, commandInput?: unknown): Promise<string> {
    return promised(() => {
      readOptions("createIndex", commandInput, []);
      return this.#engine.batch.run(() =>
        this.#engine.catalogue.createIndex(this.collectionName, key, isRecord(input) ? input : {}),
      );
    });
  }

  dropIndex(name: string): Promise<object> {
    return this.#engine.batch.run(() => {
      this.#engine.catalogue.dropIndex(this.collectionName, name);
      return { ok: 1 };
    });
  }

  listIndexes() {
    return cursorOf(() =>
      this.#read(() => {
        const facts = this.#engine.catalogue.find(this.collectionName);
        if (facts === undefined) {
          throw serverError(mongoCode.namespaceNotFound, `ns does not exist: ${this.collectionName}`);
        }
        return [{ v: 2, key: { _id: 1 }, name: "_id_" }, ...facts.indexes.map(specDocument)];
      }),
    );
  }

  indexes(): Promise<StoredDocument[]> {
    return this.listIndexes().toArray();
  }

  drop(): Promise<boolean> {
    return this.#engine.batch.run(() => this.#engine.catalogue.drop(this.collectionName));
  }

  readonly #read = async <T>(work: () => T): Promise<T> => {
    const turn = this.#engine.turns.next();
    if (turn !== undefined) await turn;
    this.#engine.batch.refuseWhenClosed();
    try {
      this.#engine.catalogue.refreshForReads();
      return work();
    } catch (thrown) {
      throw storageError(thrown);
    }
  };

  #inSlices<T extends object>(write: InSlices<T>): Promise<T> {
    return this.#engine.batch.runInSlices(write);
  }

  #writeOne(call: WriteOne): Promise<object> {
    return this.#engine.batch.run(() => {
      const { matched, modified, upsertedId } = writeOne(this.#rows, call);
      return updateResult(Number(matched), Number(modified), upsertedId);
    });
  }

  #modify(call: WriteOne, options: Options): Promise<unknown> {
    const project = readProjection(options.projection) ?? unchanged;
    return this.#engine.batch.run(() => {
      const { after, beforeText } = writeOne(this.#rows, call);
      const before = beforeText === undefined ? undefined : decodeDocument(beforeText);
      const found = options.returnDocument === "after" ? after : before;
      return found === undefined ? null : project(found);
    });
  }
}

const modifyOptions = ["sort", "upsert", "projection", "returnDocument"];
const unchanged: Project = (document) => document;

// Other calls fail with their name, instead of with "undefined is not a function".
for (const name of Object.getOwnPropertyNames(mongo.Collection.prototype)) {
  if (name in EmbeddedCollection.prototype || name === "collectionName") continue;
  const value = () => {
    throw new UnsupportedOnEmbedded(`the collection method ${name}`);
  };
  Object.defineProperty(EmbeddedCollection.prototype, name, { value });
}

function selectionOf(filter: unknown, options: Options): Selection {
  return {
    filter: readFilter(filter),
    sort: readSort(options.sort),
    skip: readCount("skip", options.skip),
    limit: readCount("limit", options.limit),
  };
}

/** The document in stored form. Like MongoDB's driver, gives the caller's object an _id if it has none. */
function storedWithId(document: unknown): StoredDocument {
  if (!isRecord(document)) throw new UnsupportedOnEmbedded("inserting something that is not a document");
  if (document._id === undefined || document._id === null) document._id = new mongo.ObjectId();
  return toStoredDocument(document);
}

function updateResult(matchedCount: number, modifiedCount: number, upsertedId: StoredValue | undefined) {
  return {
    acknowledged: true,
    matchedCount,
    modifiedCount,
    upsertedCount: upsertedId === undefined ? 0 : 1,
    upsertedId: upsertedId ?? null,
  };
}

/** Turns an error in `work` into a rejection, as callers of an asynchronous driver expect. */
function promised<T>(work: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

/** What `find` and the lists of a database return. It returns everything at once, and refuses to step. */
export function cursorOf<T>(read: () => Promise<T[]>) {
  let closed = false;
  const refuse = (what: string) => () => Promise.reject(new UnsupportedOnEmbedded(what));
  return {
    get closed() {
      return closed;
    },
    toArray: async (): Promise<T[]> => {
      const all = await read();
      closed = true;
      return all;
    },
    next: refuse("a cursor's steps"),
    hasNext: refuse("a cursor's steps"),
    explain: refuse("explain"),
    close: (): Promise<void> => {
      closed = true;
      return Promise.resolve();
    },
  };
}

/** Each element of an array counts separately. */
export function distinctValues(rows: CollectionRows, selection: Selection, path: string): StoredValue[] {
  const values = new Map<string, StoredValue>();
  const add = (value: StoredValue) => values.set(JSON.stringify(toJson(value)), value);
  for (const found of rows.list(selection, ({ document }) => pathValues(document, path)).flat()) {
    if (Array.isArray(found)) found.forEach(add);
    else if (found !== undefined) add(found);
  }
  return [...values.values()];
}
