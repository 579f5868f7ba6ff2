import mongoose, {
  type Connection,
  type Model,
  type mongo,
  Schema,
  type SchemaDefinitionProperty,
} from "mongoose";
import {
  completerOf,
  type Field,
  type Fields,
  type ItemOf,
  readerOf,
  type RecordIndex,
  type RecordKind,
  type RowOf,
  type StoredRow,
} from "../domain/record.ts";
import { readOnce } from "./read-once.ts";
import { compareText } from "../kernel/lists.ts";

type Comparison<V> = {
  $eq?: V | null;
  $ne?: V | null;
  $in?: readonly (V | null)[];
  $nin?: readonly (V | null)[];
  $gt?: V;
  $gte?: V;
  $lt?: V;
  $lte?: V;
  $regex?: string;
  $size?: number;
  $exists?: boolean;
  $type?: "string";
  $not?: Comparison<V>;
};
/** A condition on one value of a list also matches. */
type Condition<V> =
  | V
  | null
  | Comparison<NonNullable<V>>
  | (NonNullable<V> extends readonly (infer One)[] ? One | Comparison<One> : never);
/** Fields inside a field: "problem.code". */
type Inside = { readonly [path: `${string}.${string}`]: unknown };

/** Selects records, in the store's query language. */
export type Filter<Row> = { readonly [K in keyof Row]?: Condition<Row[K]> } & Inside & {
    readonly $or?: readonly Filter<Row>[];
    readonly $and?: readonly Filter<Row>[];
  };
type Some<Row> = { readonly [K in keyof Row]?: Row[K] };
/** What a write changes, in the store's query language. */
export type Update<Row> = {
  readonly $set?: Some<Row> & Inside;
  readonly $setOnInsert?: Some<Row>;
  readonly $unset?: { readonly [K in keyof Row]?: unknown } & Inside;
  readonly $min?: Some<Row>;
  readonly $max?: Some<Row>;
  readonly $inc?: { readonly [K in keyof Row]?: number } & { readonly [path: `${string}.${string}`]: number };
  readonly $push?: { readonly [K in keyof Row]?: unknown };
  readonly $pull?: { readonly [K in keyof Row]?: unknown };
  readonly $addToSet?: { readonly [K in keyof Row]?: unknown };
};
type Order<Row> = { readonly [K in keyof Row]?: 1 | -1 } & { readonly [path: `${string}.${string}`]: 1 | -1 };
type Page<Row> = { sort?: Order<Row>; skip?: number; limit?: number };
type Insert<Row> = Some<Row> & { readonly _id: string };
/** One of several writes that go together; see `changeEach`. */
type OneChange<Row> = { filter: Filter<Row>; update: Update<Row>; upsert?: boolean };

/** Records of one kind. Rows are in stored form, items as the kind describes them. Only stores see rows. */
export type Records<R extends RecordKind> = RecordsOf<RowOf<R>, ItemOf<R>>;

type RecordsOf<Row, Item> = {
  read: (row: Row) => Item;
  find: (filter: Filter<Row>, first?: Pick<Page<Row>, "sort">) => Promise<Item | null>;
  list: (filter: Filter<Row>, page?: Page<Row>) => Promise<Item[]>;
  row: (filter: Filter<Row>, first?: Pick<Page<Row>, "sort">) => Promise<Row | null>;
  rows: (filter: Filter<Row>, page?: Page<Row>) => Promise<Row[]>;
  /** Rows by one of their times, as `latestFirst`. */
  latest: (time: keyof Row, filter: Filter<Row>, after: PageCursor | null, limit: number) => Promise<Row[]>;
  /** Rows with only these fields and their keys. */
  some: <Name extends keyof Row>(
    fields: readonly Name[],
    filter: Filter<Row>,
    page?: Page<Row>,
  ) => Promise<Pick<Row, Name | Extract<keyof Row, "_id">>[]>;
  /** Rows without these fields, which may be long. */
  without: <Name extends string>(
    fields: readonly Name[],
    filter: Filter<Row>,
    page?: Page<Row>,
  ) => Promise<Omit<Row, Name>[]>;
  exists: (filter: Filter<Row>) => Promise<boolean>;
  /** Counts up to the limit, if there is one. */
  count: (filter: Filter<Row>, limit?: number) => Promise<number>;
  /** @throws MongoDB's error 11000 if its key is taken */
  add: (row: Insert<Row>) => Promise<void>;
  /** @returns false, without writing, if its key is taken */
  insert: (row: Insert<Row>) => Promise<boolean>;
  /** Creates a missing record, and doesn't change an existing one. @returns whether it was missing */
  ensure: (key: Filter<Row>, first: Some<Row>) => Promise<boolean>;
  /** Changes the record with a key, or creates it. */
  save: (key: Filter<Row>, update: Update<Row>) => Promise<void>;
  /** As `save`. @returns the resulting row */
  saved: (key: Filter<Row>, update: Update<Row>) => Promise<Row>;
  /** Replaces the row with this key, or creates it. */
  replace: (key: Filter<Row>, row: Insert<Row>) => Promise<void>;
  /** @returns whether there was a record to change */
  change: (filter: Filter<Row>, update: Update<Row>) => Promise<boolean>;
  /** @returns how many records there were to change */
  changeAll: (filter: Filter<Row>, update: Update<Row>) => Promise<number>;
  /** Makes the changes in one command, each independently. */
  changeEach: (changes: readonly OneChange<Row>[]) => Promise<void>;
  /** Changes the first matching record in an order. Concurrent callers each get another one. @returns the changed record */
  take: (filter: Filter<Row>, update: Update<Row>, first?: Pick<Page<Row>, "sort">) => Promise<Row | null>;
  /** As `take`. @returns the record before the change */
  before: (filter: Filter<Row>, update: Update<Row>) => Promise<Row | null>;
  /** @returns how many it removed */
  remove: (filter: Filter<Row>) => Promise<number>;
  distinct: <Name extends keyof Row>(field: Name, filter: Filter<Row>) => Promise<Row[Name][]>;
  /** Makes a read that runs once for each request, even if several of its parts ask (`readOnce`). */
  once: <Asked, Found>(read: (asked: Asked) => Promise<Found>) => (asked: Asked) => Promise<Found>;
  /** For what the methods can't do. Created when first used. */
  readonly model: Model<Row>;
  /** The name of its collection. */
  collection: string;
};

type LooseFilter = Record<string, unknown>;
type LoosePage = { sort?: Record<string, 1 | -1>; skip?: number; limit?: number };
type LooseUpdate = mongo.UpdateFilter<StoredRow>;
type LooseFields = readonly (string | number)[];

/**
 * The records of a kind. Reads and changes bypass mongoose's queries (these cost as much as the embedded engine's own part, and a launch
 * makes two dozen), and inserts bypass its documents, so values must have their stored types. Upserts use its model. Several stores may open
 * the same kind.
 */
export function openRecords<R extends RecordKind>(connection: Connection, kind: R): Records<R>;
export function openRecords(connection: Connection, kind: RecordKind): object {
  const { collection } = openKind(connection, kind);
  const model = (): Model<StoredRow> => recordModel(connection, kind);
  const stored = connection.collection<StoredRow>(collection);
  const read: (row: StoredRow) => unknown = readerOf(kind);
  const rows = async (filter: LooseFilter, page: LoosePage & { projection?: Record<string, 0 | 1> } = {}) =>
    Object.values(filter).some(isAmongNone) ? [] : stored.find<StoredRow>(filter, page).toArray();
  const findOne = (filter: LooseFilter) => stored.findOne<StoredRow>(filter);
  const readOne = kind.readOnce === false ? findOne : readOnce(stored, findOne, kind.readOnce === "found");
  const row = (filter: LooseFilter, first?: LoosePage) =>
    first === undefined ? readOne(filter) : stored.findOne<StoredRow>(filter, first);
  const orNull = (one: StoredRow | null) => (one === null ? null : read(one));
  const upsert = (key: LooseFilter, update: LooseUpdate) =>
    retriedOnDuplicate(() => model().updateOne(key, update, { upsert: true }));
  const complete = completerOf(kind);
  const add = async (one: StoredRow) => {
    await stored.insertOne(complete(one));
  };
  return {
    read,
    row,
    rows,
    find: async (filter: LooseFilter, first?: LoosePage) => orNull(await row(filter, first)),
    list: async (filter: LooseFilter, page?: LoosePage) => (await rows(filter, page)).map(read),
    latest: (time: string, filter: LooseFilter, after: PageCursor | null, limit: number) =>
      latestFirst(
        (range, max) =>
          "at" in range
            ? rows(
                { ...filter, [time]: range.at, _id: { $gt: range.after ?? "" } },
                { sort: { _id: 1 }, limit: max },
              )
            : rows({ ...filter, [time]: { $lt: range.before } }, { sort: { [time]: -1 }, limit: max }),
        (one) => Number(one[time]),
        after,
        limit,
      ),
    some: (fields: LooseFields, filter: LooseFilter, page?: LoosePage) =>
      rows(filter, { ...page, projection: allOf(fields, 1) }),
    without: (fields: LooseFields, filter: LooseFilter, page?: LoosePage) =>
      rows(filter, { ...page, projection: allOf(fields, 0) }),
    exists: async (filter: LooseFilter) =>
      (await stored.findOne(filter, { projection: { _id: 1 } })) !== null,
    count: (filter: LooseFilter, limit?: number) =>
      stored.countDocuments(filter, limit === undefined ? {} : { limit }),
    add,
    insert: (one: StoredRow) => add(one).then(() => true, onDuplicate(false)),
    ensure: async (key: LooseFilter, first: LooseFilter) =>
      (await upsert(key, { $setOnInsert: first })).upsertedCount === 1,
    save: async (key: LooseFilter, update: LooseUpdate) => {
      await upsert(key, update);
    },
    saved: (key: LooseFilter, update: LooseUpdate) =>
      retriedOnDuplicate(() =>
        model().findOneAndUpdate(key, update, { upsert: true, returnDocument: "after" }).lean().exec(),
      ),
    replace: async (key: LooseFilter, one: StoredRow) => {
      await retriedOnDuplicate(() => model().replaceOne(key, one, { upsert: true }));
    },
    change: async (filter: LooseFilter, update: LooseUpdate) =>
      (await stored.updateOne(filter, update)).matchedCount === 1,
    changeAll: async (filter: LooseFilter, update: LooseUpdate) =>
      (await stored.updateMany(filter, update)).matchedCount,
    changeEach: async (
      changes: readonly { filter: LooseFilter; update: LooseUpdate; upsert?: boolean }[],
    ) => {
      if (changes.length === 0) return;
      const writes = changes.map((one) => ({ updateOne: one }));
      await retriedOnDuplicate(() => model().bulkWrite(writes, { ordered: false }));
    },
    take: (filter: LooseFilter, update: LooseUpdate, first: LoosePage = {}) =>
      stored.findOneAndUpdate(filter, update, { ...first, returnDocument: "after" }),
    before: (filter: LooseFilter, update: LooseUpdate) => stored.findOneAndUpdate(filter, update),
    remove: async (filter: LooseFilter) => (await stored.deleteMany(filter)).deletedCount,
    distinct: (field: string, filter: LooseFilter) => stored.distinct(field, filter),
    once: (read: (asked: unknown) => Promise<unknown>) => readOnce(stored, read),
    get model() {
      return model();
    },
    collection,
  } satisfies Record<keyof RecordsOf<StoredRow, unknown>, unknown>;
}

/** Whether a condition is an empty `$in`, which matches nothing, so there is no need to ask. */
function isAmongNone(condition: unknown): boolean {
  return (
    typeof condition === "object" &&
    condition !== null &&
    "$in" in condition &&
    Array.isArray(condition.$in) &&
    condition.$in.length === 0
  );
}

function allOf<V extends 0 | 1>(fields: LooseFields, value: V): Record<string, V> {
  return Object.fromEntries(fields.map((name) => [name, value]));
}

/** A kind of record that a store opened on a connection. `indexes` is in the form that a collection's `createIndexes` takes. */
export type OpenedKind = {
  kind: RecordKind;
  collection: string;
  indexes: readonly (ReturnType<typeof optionsOf> & { key: Record<string, 1 | -1> })[];
};

/** Keyed by what a connection shares with wrappers around it. */
const opened = new WeakMap<Connection["models"], Map<string, OpenedKind>>();

/** All kinds of records opened on a connection, by the names of their models. */
export function kindsOn(connection: Connection): ReadonlyMap<string, OpenedKind> {
  return opened.get(connection.models) ?? new Map();
}

function openKind(connection: Connection, kind: RecordKind): OpenedKind {
  const kinds = opened.get(connection.models) ?? new Map<string, OpenedKind>();
  opened.set(connection.models, kinds);
  const known = kinds.get(kind.model);
  if (known !== undefined) return known;
  const one = {
    kind,
    collection: mongoose.pluralize()?.(kind.model) ?? kind.model,
    indexes: kind.indexes.map((index) => ({ key: keysOf(index), ...optionsOf(index) })),
  };
  kinds.set(kind.model, one);
  return one;
}

/** Created by the first write: dozens of models take a third of a start, and most processes write only a few kinds. */
function recordModel<R extends RecordKind>(connection: Connection, kind: R): Model<RowOf<R>> {
  if (connection.models[kind.model] !== undefined) return connection.model<RowOf<R>>(kind.model);
  const schema =
    schemas.get(kind) ??
    new Schema(
      { _id: { type: String, required: true }, ...definitionOf({ ...kind.fields, ...kind.hidden }) },
      // `ensureIndexes` makes both.
      { versionKey: false, minimize: false, autoIndex: false, autoCreate: false },
    );
  schemas.set(kind, schema);
  return connection.model<RowOf<R>>(kind.model, schema);
}

const schemas = new WeakMap<RecordKind, Schema>();

function definitionOf(fields: Fields): Record<string, SchemaDefinitionProperty> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, typeOf(field)]));
}

const plainTypes = {
  text: String,
  number: Number,
  flag: Boolean,
  date: Date,
  json: Schema.Types.Mixed,
  texts: [String],
} as const;

function typeOf({ kind, presence, fill }: Field<unknown, boolean>): SchemaDefinitionProperty {
  const type = typeof kind === "string" ? plainTypes[kind] : new Schema(definitionOf(kind), { _id: false });
  if (presence === "filled") return { type, default: fill };
  // Without the default undefined, mongoose would make a missing list empty.
  return presence === "required" ? { type, required: true } : { type, default: undefined };
}

function keysOf({ paths }: RecordIndex): Record<string, 1 | -1> {
  return Object.fromEntries(paths.map((path) => (path.startsWith("-") ? [path.slice(1), -1] : [path, 1])));
}

function optionsOf({ isUnique, isExpiry, where, name }: RecordIndex) {
  return {
    ...(isUnique === undefined ? {} : { unique: isUnique }),
    ...(isExpiry === undefined ? {} : { expireAfterSeconds: 0 }),
    ...(where === undefined ? {} : { partialFilterExpression: where }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Whether a write was refused because of a unique key (MongoDB error 11000). */
export function isDuplicateKey(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === 11000;
}

/** For `catch`: what to return if the key exists already. @throws any other error */
export function onDuplicate<T>(answer: T): (thrown: unknown) => T {
  return (thrown) => {
    if (isDuplicateKey(thrown)) return answer;
    throw thrown;
  };
}

/** Repeats an upsert after MongoDB's 11000, which means that another one inserted the key between search and insert. */
export async function retriedOnDuplicate<T>(upsert: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await upsert();
    } catch (thrown) {
      if (!isDuplicateKey(thrown) || attempt >= 5) throw thrown;
    }
  }
}

/** Where a page of a list ended: time and id of its last row. */
export type PageCursor = { at: number; id: string };

/** Rows of exactly this moment, ordered by id, after one of them; or rows before a moment, latest first. */
export type TimeRange = { at: number; after: string | null } | { before: number };

/**
 * Rows by time, latest first, then by id. Needs an index of the time only; rows of the same moment are few and sorted here.
 * @param after Where the previous page ended; null for the first page.
 */
export async function latestFirst<Row extends { _id: string }>(
  read: (range: TimeRange, limit: number) => Promise<Row[]>,
  timeOf: (row: Row) => number,
  after: PageCursor | null,
  limit: number,
): Promise<Row[]> {
  const same = after === null ? [] : await read({ at: after.at, after: after.id }, limit);
  const missing = limit - same.length;
  if (missing <= 0) return same;
  const before = await read({ before: after?.at ?? Number.MAX_SAFE_INTEGER }, missing);
  const last = before.at(-1);
  // Any rows of the last moment may have come. We read them again in order, unless we have everything.
  const cut = before.length < missing || last === undefined ? null : timeOf(last);
  const whole = cut === null ? before : before.filter((row) => timeOf(row) !== cut);
  const ordered = whole.toSorted(
    (one, other) => timeOf(other) - timeOf(one) || compareText(one._id, other._id),
  );
  if (cut === null) return [...same, ...ordered];
  return [...same, ...ordered, ...(await read({ at: cut, after: null }, missing - ordered.length))];
}

export type StoredDocument = { _id: string } & Record<string, unknown>;

/**
 * A collection without its model: for migrations, which read records of earlier releases, and for copies. The connection must be open.
 * Pass options to the call, because the embedded engine has no chained ones.
 */
export function storedCollection<T extends { _id: string } = StoredDocument>(
  connection: Connection,
  name: string,
) {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  return db.collection<T>(name);
}

/** Collections by the names of their models, which stores must have opened. Reads and writes bypass mongoose. */
export function collectionsByModel(connection: Connection) {
  return (model: string) => {
    const opened = kindsOn(connection).get(model);
    if (opened === undefined) throw new Error(`No store has opened ${model}.`);
    return connection.collection<StoredDocument>(opened.collection);
  };
}
