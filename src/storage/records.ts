import mongoose, {
  type Connection,
  type Model,
  type mongo,
  Schema,
  type SchemaDefinitionProperty,
} from "mongoose";
import {
  type Field,
  type Fields,
  type ItemOf,
  readerOf,
  type RecordIndex,
  type RecordKind,
  type RowOf,
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
/** A list is found by one of its values, too. */
type Condition<V> =
  | V
  | null
  | Comparison<NonNullable<V>>
  | (NonNullable<V> extends readonly (infer One)[] ? One | Comparison<One> : never);
/** Fields inside a field: "problem.code". */
type Inside = { readonly [path: `${string}.${string}`]: unknown };

/** Which records, in the store's own words. */
export type Filter<Row> = { readonly [K in keyof Row]?: Condition<Row[K]> } & Inside & {
    readonly $or?: readonly Filter<Row>[];
    readonly $and?: readonly Filter<Row>[];
  };
type Some<Row> = { readonly [K in keyof Row]?: Row[K] };
/** What a write changes, in the store's own words. */
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
/** One of many writes that go together; see `changeEach`. */
type OneChange<Row> = { filter: Filter<Row>; update: Update<Row>; upsert?: boolean };

/** Records of one kind. Rows are as stored, items as the kind describes them; only stores see rows. */
export type Records<R extends RecordKind> = RecordsOf<RowOf<R>, ItemOf<R>>;

type RecordsOf<Row, Item> = {
  read: (row: Row) => Item;
  find: (filter: Filter<Row>, first?: Pick<Page<Row>, "sort">) => Promise<Item | null>;
  list: (filter: Filter<Row>, page?: Page<Row>) => Promise<Item[]>;
  row: (filter: Filter<Row>, first?: Pick<Page<Row>, "sort">) => Promise<Row | null>;
  rows: (filter: Filter<Row>, page?: Page<Row>) => Promise<Row[]>;
  /** By a time of theirs, as `latestFirst`. */
  latest: (time: keyof Row, filter: Filter<Row>, after: PageCursor | null, limit: number) => Promise<Row[]>;
  /** These fields of rows only, and their keys. */
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
  /** Up to a limit, where there is one. */
  count: (filter: Filter<Row>, limit?: number) => Promise<number>;
  /** @throws MongoDB's error 11000 when its key is taken */
  add: (row: Insert<Row>) => Promise<void>;
  /** @returns false, and nothing is written, when its key is taken */
  insert: (row: Insert<Row>) => Promise<boolean>;
  /** Makes a missing record; an existing one is left as it is. @returns whether it was missing */
  ensure: (key: Filter<Row>, first: Some<Row>) => Promise<boolean>;
  /** Changes the record with a key, or makes it. */
  save: (key: Filter<Row>, update: Update<Row>) => Promise<void>;
  /** As `save`. @returns the row as it is then */
  saved: (key: Filter<Row>, update: Update<Row>) => Promise<Row>;
  /** Puts a row in place of the one with this key, or makes it. */
  replace: (key: Filter<Row>, row: Insert<Row>) => Promise<void>;
  /** @returns whether there was one to change */
  change: (filter: Filter<Row>, update: Update<Row>) => Promise<boolean>;
  /** @returns how many there were to change */
  changeAll: (filter: Filter<Row>, update: Update<Row>) => Promise<number>;
  /** In one command, each for itself. */
  changeEach: (changes: readonly OneChange<Row>[]) => Promise<void>;
  /** Changes one record, the first in an order; of concurrent callers each gets another one. @returns it as it is then */
  take: (filter: Filter<Row>, update: Update<Row>, first?: Pick<Page<Row>, "sort">) => Promise<Row | null>;
  /** As `take`. @returns the record as it was */
  before: (filter: Filter<Row>, update: Update<Row>) => Promise<Row | null>;
  /** @returns how many there were */
  remove: (filter: Filter<Row>) => Promise<number>;
  distinct: <Name extends keyof Row>(field: Name, filter: Filter<Row>) => Promise<Row[Name][]>;
  /** A read of this kind that a request makes once, though several of its parts ask for it (`readOnce`). */
  once: <Asked, Found>(read: (asked: Asked) => Promise<Found>) => (asked: Asked) => Promise<Found>;
  /** For what the methods cannot say. Made when it is first asked for. */
  readonly model: Model<Row>;
  /** The name of its collection. */
  collection: string;
};

type Loose = { _id: string; [field: string]: unknown };
type LooseFilter = Record<string, unknown>;
type LoosePage = { sort?: Record<string, 1 | -1>; skip?: number; limit?: number };
type LooseUpdate = mongo.UpdateFilter<Loose>;
type LooseFields = readonly (string | number)[];

/**
 * The records of a kind, read past mongoose's queries (these cost as much as the embedded engine's own part of a read, and a
 * launch makes two dozen), so a filter's values have their stored types; written through its model. More than one store may
 * open the same kind.
 */
export function openRecords<R extends RecordKind>(connection: Connection, kind: R): Records<R>;
export function openRecords(connection: Connection, kind: RecordKind): object {
  const { collection } = openKind(connection, kind);
  const model = (): Model<Loose> => recordModel(connection, kind);
  const stored = connection.collection<Loose>(collection);
  const read: (row: Loose) => unknown = readerOf(kind);
  const rows = async (filter: LooseFilter, page: LoosePage & { projection?: Record<string, 0 | 1> } = {}) =>
    Object.values(filter).some(isAmongNone) ? [] : stored.find<Loose>(filter, page).toArray();
  const findOne = (filter: LooseFilter) => stored.findOne<Loose>(filter);
  const readOne = kind.readOnce === false ? findOne : readOnce(stored, findOne, kind.readOnce === "found");
  const row = (filter: LooseFilter, first?: LoosePage) =>
    first === undefined ? readOne(filter) : stored.findOne<Loose>(filter, first);
  const orNull = (one: Loose | null) => (one === null ? null : read(one));
  const upsert = (key: LooseFilter, update: LooseUpdate) =>
    retriedOnDuplicate(() => model().updateOne(key, update, { upsert: true }));
  const add = async (one: Loose) => {
    await model().create(one);
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
    insert: (one: Loose) => add(one).then(() => true, onDuplicate(false)),
    ensure: async (key: LooseFilter, first: LooseFilter) =>
      (await upsert(key, { $setOnInsert: first })).upsertedCount === 1,
    save: async (key: LooseFilter, update: LooseUpdate) => {
      await upsert(key, update);
    },
    saved: (key: LooseFilter, update: LooseUpdate) =>
      retriedOnDuplicate(() =>
        model().findOneAndUpdate(key, update, { upsert: true, returnDocument: "after" }).lean().exec(),
      ),
    replace: async (key: LooseFilter, one: Loose) => {
      await retriedOnDuplicate(() => model().replaceOne(key, one, { upsert: true }));
    },
    change: async (filter: LooseFilter, update: LooseUpdate) =>
      (await model().updateOne(filter, update)).matchedCount === 1,
    changeAll: async (filter: LooseFilter, update: LooseUpdate) =>
      (await model().updateMany(filter, update)).matchedCount,
    changeEach: async (
      changes: readonly { filter: LooseFilter; update: LooseUpdate; upsert?: boolean }[],
    ) => {
      if (changes.length === 0) return;
      const writes = changes.map((one) => ({ updateOne: one }));
      await retriedOnDuplicate(() => model().bulkWrite(writes, { ordered: false }));
    },
    take: (filter: LooseFilter, update: LooseUpdate, first: LoosePage = {}) =>
      model()
        .findOneAndUpdate(filter, update, { ...first, returnDocument: "after" })
        .lean()
        .exec(),
    before: (filter: LooseFilter, update: LooseUpdate) =>
      model().findOneAndUpdate(filter, update).lean().exec(),
    remove: async (filter: LooseFilter) => (await model().deleteMany(filter)).deletedCount,
    distinct: (field: string, filter: LooseFilter) => stored.distinct(field, filter),
    once: (read: (asked: unknown) => Promise<unknown>) => readOnce(stored, read),
    get model() {
      return model();
    },
    collection,
  } satisfies Record<keyof RecordsOf<Loose, unknown>, unknown>;
}

/** Nothing is found, so nothing need be asked. */
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

/** A kind of record that a store has opened on a connection; its indexes as a collection's `createIndexes` takes them. */
export type OpenedKind = {
  kind: RecordKind;
  collection: string;
  indexes: readonly (ReturnType<typeof optionsOf> & { key: Record<string, 1 | -1> })[];
};

/** By what a connection shares with those that are wrapped around it. */
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

/** Made by the first write: dozens of models take a third of a start, and most processes write with few of them. */
function recordModel<R extends RecordKind>(connection: Connection, kind: R): Model<RowOf<R>> {
  if (connection.models[kind.model] !== undefined) return connection.model<RowOf<R>>(kind.model);
  const schema = new Schema(
    { _id: { type: String, required: true }, ...definitionOf({ ...kind.fields, ...kind.hidden }) },
    // `ensureIndexes` makes both.
    { versionKey: false, minimize: false, autoIndex: false, autoCreate: false },
  );
  return connection.model<RowOf<R>>(kind.model, schema);
}

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
  // mongoose makes an empty list of one that was not given, unless the default is undefined.
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

/** A write refused by a unique key (MongoDB error 11000). */
export function isDuplicateKey(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === 11000;
}

/** For `catch`: what to answer where the key is there already. @throws any other error */
export function onDuplicate<T>(answer: T): (thrown: unknown) => T {
  return (thrown) => {
    if (isDuplicateKey(thrown)) return answer;
    throw thrown;
  };
}

/** Repeats an upsert after MongoDB's 11000, when a concurrent one inserted the key between search and insert. */
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

/** Rows of exactly this moment, by id after one of them; or rows before a moment, latest first. */
export type TimeRange = { at: number; after: string | null } | { before: number };

/**
 * Rows by time, latest first, then by id, with an index of the time only; rows of one moment are few and sorted here.
 * @param after Where the page before ended; null for the first one.
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
  // Any row of the last moment may have come; they are read again in order, unless everything is here.
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
 * A collection without its models: for migrations, which read records of earlier releases, and for copies. The
 * connection is open. Options go into the call: the embedded engine has no chained ones.
 */
export function storedCollection<T extends { _id: string } = StoredDocument>(
  connection: Connection,
  name: string,
) {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  return db.collection<T>(name);
}

/** Collections by the names of their models, which stores opened before; read and written past mongoose. */
export function collectionsByModel(connection: Connection) {
  return (model: string) => {
    const opened = kindsOn(connection).get(model);
    if (opened === undefined) throw new Error(`No store has opened ${model}.`);
    return connection.collection<StoredDocument>(opened.collection);
  };
}
