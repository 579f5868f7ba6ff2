import { type HeldInWords, heldRecord, type HeldRecord } from "./held-record.ts";
import type { Fields, ValuesOf } from "./record-fields.ts";

/** A path of an index: a field of the record, or of what stands in one; a minus in front sorts downwards. */
type IndexPath<Name extends string> = `${"" | "-"}${Name}` | `${"" | "-"}${Name}.${string}`;

/** An index. Its name in the database follows from its paths. */
export type RecordIndex<Path extends string = string> = {
  readonly paths: readonly Path[];
  readonly isUnique?: true;
  /** Records go when the moment in its one path has come. */
  readonly isExpiry?: true;
  /** Only records of which this holds are in it, in the store's own words. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Its name, where it does not follow from the paths. */
  readonly name?: string;
};

export const index = <const P extends string>(...paths: P[]): RecordIndex<P> => ({ paths });
export const unique = <const P extends string>(...paths: P[]): RecordIndex<P> => ({ paths, isUnique: true });
/** The store deletes a record when the moment in this field, a `date`, has come. */
export const expiry = <const P extends string>(path: P): RecordIndex<P> => ({
  paths: [path],
  isExpiry: true,
});
/** The same index of some records only. */
export const onlyWhere = <P extends string>(
  where: Readonly<Record<string, unknown>>,
  of: RecordIndex<P>,
  name?: string,
): RecordIndex<P> => ({ ...of, where, ...(name === undefined ? {} : { name }) });

/** A kind of record: what it stores, how it is found, and what becomes of it when somebody or something is erased. */
export type RecordKind<
  F extends Fields = Fields,
  H extends Fields | null = Fields | null,
  Id extends string | null = string | null,
> = {
  /** Name of the model; the collection's follows from it. */
  readonly model: string;
  readonly id: Id;
  readonly fields: F;
  readonly hidden: H;
  readonly indexes: readonly RecordIndex[];
  readonly held: HeldRecord;
};

type Flat<T> = { [K in keyof T]: T[K] };
/** A record as it is stored. */
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
  /** What code calls the record's own key, "id" when left out. Null: it is made of other fields, and code does not see it. */
  id?: Id;
  fields: F;
  /** Fields that only its store sees: leases, counters, copies to sort by. */
  hidden?: H;
  indexes?: readonly RecordIndex<IndexPath<Extract<keyof F | keyof H, string> | "_id">>[];
  held: HeldInWords;
};

/**
 * Describes a kind of record once: the type (`ItemOf`, `RowOf`), the model (`recordModel`), what is exported and erased, and the
 * row in docs/security/kept-records.md follow from it.
 */
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
  { id = "id", fields, hidden = null, indexes = [], held }: Description<Fields, Fields | null, string | null>,
): RecordKind {
  return {
    model,
    id,
    fields,
    hidden,
    indexes,
    held: heldRecord(model, Object.keys({ ...fields, ...hidden }), held),
  };
}

/**
 * How a record is read from its row: its own key by its name, no hidden field, and in records of earlier versions what is filled
 * in where nothing was given.
 */
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
