import { type PersonalDataInWords, personalDataOf, type PersonalData } from "./personal-data.ts";

type FieldKind = "text" | "number" | "flag" | "date" | "json" | "texts" | Fields;

/** One field of a record: how it is stored, and `V`, its type in code. An optional field may be missing. */
export type Field<V, Optional extends boolean> = {
  readonly kind: FieldKind;
  readonly presence: "required" | "optional" | "filled";
  /** The default of "filled" fields. */
  readonly fill: () => unknown;
  readonly isOptional: Optional;
  /** Never set; it only carries the type. */
  readonly value?: V;
};
export type Fields = Readonly<Record<string, Field<unknown, boolean>>>;

type Filled<V> = Field<V, false> & { readonly optional: Field<V, true> };
/** The field must be given, unless one of these variants is used. */
type Required<V> = Field<V, false> & {
  /** The default is null. */
  readonly orNull: Filled<V | null>;
  /** Sets another default. */
  or(fill: V): Filled<V>;
  readonly optional: Field<V, true>;
};

function fieldOf<V>(kind: FieldKind): Required<V> {
  const nothing = () => undefined;
  const filled = (fill: () => unknown) => {
    const one = { kind, presence: "filled", fill } as const;
    return { ...one, isOptional: false, optional: { ...one, isOptional: true } } as const;
  };
  return {
    kind,
    presence: "required",
    fill: nothing,
    isOptional: false,
    orNull: filled(() => null),
    // Each record gets a copy, so records don't share one default object.
    or: (fill) => filled(typeof fill === "object" ? () => structuredClone(fill) : () => fill),
    optional: { kind, presence: "optional", fill: nothing, isOptional: true },
  };
}

/** The kinds of fields. Those named "Of" take a narrower type: `field.textOf<State>()` is a text with limited values. */
export const field = {
  text: fieldOf<string>("text"),
  number: fieldOf<number>("number"),
  flag: fieldOf<boolean>("flag"),
  /** A moment for the store's expiry, see `index.expiry`. Our own times are numbers (ms). */
  date: fieldOf<Date>("date"),
  texts: fieldOf<readonly string[]>("texts"),
  textOf: <V extends string | null>() => fieldOf<V>("text"),
  numberOf: <V extends number | null>() => fieldOf<V>("number"),
  flagOf: <V extends boolean>() => fieldOf<V>("flag"),
  textsOf: <V extends readonly string[] | null>() => fieldOf<V>("texts"),
  json: <V>() => fieldOf<V>("json"),
  group: <V extends object | null>(fields: Fields) => fieldOf<V>(fields),
  /** Lets one process hold a record; see storage/due-queue. */
  lease: { leaseHolder: fieldOf<string>("text").orNull, leaseUntil: fieldOf<number>("number").or(0) },
};

type ValueOf<F> = F extends Field<infer V, boolean> ? V : never;
type ValuesOf<F extends Fields> = {
  [K in keyof F as F[K] extends Field<unknown, true> ? never : K]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends Field<unknown, true> ? K : never]?: ValueOf<F[K]> };

/** A path of an index: a field of the record, or inside one. A minus in front sorts it downwards. */
type IndexPath<Name extends string> = `${"" | "-"}${Name}` | `${"" | "-"}${Name}.${string}`;

/** An index. By default, its name in the database follows from its paths. */
export type RecordIndex<Path extends string = string> = {
  readonly paths: readonly Path[];
  readonly isUnique?: true;
  /** The store deletes a record at the moment in the one path. */
  readonly isExpiry?: true;
  /** The condition of a partial index, in the store's query language. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** The name, if it doesn't follow from the paths. An index whose options change needs a new name: databases still have the old one. */
  readonly name?: string;
};

const ofPaths = <const P extends string>(...paths: P[]): RecordIndex<P> => ({ paths });
/** Makes an index of these paths. */
export const index = Object.assign(ofPaths, {
  unique: <const P extends string>(...paths: P[]): RecordIndex<P> => ({ paths, isUnique: true }),
  /** The store deletes a record at the moment in this field, a `date`. */
  expiry: <const P extends string>(path: P): RecordIndex<P> => ({ paths: [path], isExpiry: true }),
  onlyWhere: <P extends string>(
    where: Readonly<Record<string, unknown>>,
    of: RecordIndex<P>,
    name?: string,
  ): RecordIndex<P> => ({ ...of, where, ...(name === undefined ? {} : { name }) }),
});

/** A kind of record: what it stores, how it is found, and what an erasure does to it. */
export type RecordKind<
  F extends Fields = Fields,
  H extends Fields | null = Fields | null,
  Id extends string | null = string | null,
> = {
  /** The model's name; the collection's name follows from it. */
  readonly model: string;
  readonly id: Id;
  readonly fields: F;
  readonly hidden: H;
  readonly indexes: readonly RecordIndex[];
  readonly readOnce: boolean | "found";
  readonly personalData: PersonalData;
};

type Flat<T> = { [K in keyof T]: T[K] };
export type RowOf<R> =
  R extends RecordKind<infer F, infer H>
    ? Flat<{ _id: string } & ValuesOf<F> & (H extends Fields ? ValuesOf<H> : unknown)>
    : never;
/** A record as code outside its store sees it. */
export type ItemOf<R> =
  R extends RecordKind<infer F, Fields | null, infer Id>
    ? Flat<{ [K in Extract<Id, string>]: string } & ValuesOf<F>>
    : never;

type Description<F extends Fields, H extends Fields | null, Id extends string | null> = {
  /** What code calls the record's own key; "id" when left out. Null: the key is made from other fields, and code doesn't see it. */
  id?: Id;
  fields: F;
  /** Fields that only its store uses: leases, counters, copies for sorting. */
  hidden?: H;
  indexes?: readonly RecordIndex<IndexPath<Extract<keyof F | keyof H, string> | "_id">>[];
  /**
   * Reuses reads within a request, because many of its parts ask for the same record, which seldom changes (src/storage/read-once.ts).
   * "found": a missing record is looked up each time, because code relies on seeing one that another process adds.
   */
  readOnce?: boolean | "found";
  personalData: PersonalDataInWords;
};

/** From a description follow the type (`ItemOf`, `RowOf`), model, export, erasure, and the row in docs/security/kept-records.md. */
export function describeRecord<F extends Fields, H extends Fields, const Id extends string | null = "id">(
  model: string,
  description: Description<F, H, Id> & { hidden: H },
): RecordKind<F, H, Id>;
export function describeRecord<F extends Fields, const Id extends string | null = "id">(
  model: string,
  description: Description<F, null, Id>,
): RecordKind<F, null, Id>;
export function describeRecord(
  model: string,
  {
    id = "id",
    fields,
    hidden = null,
    indexes = [],
    readOnce = false,
    personalData,
  }: Description<Fields, Fields | null, string | null>,
): RecordKind {
  return {
    model,
    id,
    fields,
    hidden,
    indexes,
    readOnce,
    personalData: personalDataOf(model, Object.keys({ ...fields, ...hidden }), personalData),
  };
}

/** Turns a row into a record: its key under its name, without hidden fields, with defaults for fields that earlier versions lack. */
export function readerOf<R extends RecordKind>(kind: R): (row: RowOf<R>) => ItemOf<R>;
export function readerOf({ id, fields }: RecordKind): (row: never) => unknown {
  const names = Object.keys(fields);
  const filled = Object.entries(fields).flatMap(([name, { presence, isOptional, fill }]) =>
    presence === "filled" && !isOptional ? [{ name, fill }] : [],
  );
  return (row: Row) => {
    const item: Row = id === null ? {} : { [id]: row["_id"] };
    for (const name of names) {
      const value = row[name];
      if (value !== undefined) item[name] = value;
    }
    for (const { name, fill } of filled) if (item[name] === undefined) item[name] = fill();
    return item;
  };
}
type Row = Record<string, unknown>;

/** A record as it is stored. */
export type StoredRow = { _id: string; [field: string]: unknown };

/** Fills in what a new row leaves out, and drops what its kind doesn't describe. @throws if a required field is missing */
export function completerOf({ model, fields, hidden }: RecordKind): (row: StoredRow) => StoredRow {
  const all = Object.entries({ ...fields, ...hidden });
  return (row) => {
    const whole: StoredRow = { _id: row._id };
    for (const [name, { presence, fill }] of all) {
      const value = row[name] === undefined ? fill() : row[name];
      if (value !== undefined) whole[name] = value;
      else if (presence === "required") throw new Error(`A ${model} needs its ${name}.`);
    }
    return whole;
  };
}
