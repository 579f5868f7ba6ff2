/** How a field is stored: a plain type, or an object with fields of its own. */
type FieldKind = "text" | "number" | "flag" | "date" | "json" | "texts" | Fields;

/**
 * One field of a record: how it is stored, and as `V` what code sees. An optional one may be missing, in records of earlier
 * versions or because it is left out.
 */
export type Field<V, Optional extends boolean> = {
  readonly kind: FieldKind;
  readonly presence: "required" | "optional" | "filled";
  /** What is stored where nothing was given, of "filled" ones. */
  readonly fill: () => unknown;
  readonly isOptional: Optional;
  /** Never there: it carries the type. */
  readonly value?: V;
};
export type Fields = Readonly<Record<string, Field<unknown, boolean>>>;

/** Filled in where nothing was given; `optional` says that code may leave it out and that earlier records lack it. */
type Filled<V> = Field<V, false> & { readonly optional: Field<V, true> };
/** A field that must be given, unless one of these is taken. */
type Required<V> = Field<V, false> & {
  /** Null where nothing was given. */
  readonly orNull: Filled<V | null>;
  /** Another value where nothing was given. */
  or(fill: V): Filled<V>;
  readonly optional: Field<V, true>;
};

function field<V>(kind: FieldKind): Required<V> {
  const nothing = () => undefined;
  const filled = (fill: () => unknown) => {
    const one = { kind, presence: "filled", fill } as const;
    return { ...one, isOptional: false, optional: { ...one, isOptional: true } } as const;
  };
  return {
    ...{ kind, presence: "required", fill: nothing, isOptional: false },
    orNull: filled(() => null),
    // A copy for each record, so that nobody changes what others are filled with.
    or: (fill) => filled(typeof fill === "object" ? () => structuredClone(fill) : () => fill),
    optional: { kind, presence: "optional", fill: nothing, isOptional: true },
  };
}

export const text = field<string>("text");
export const number = field<number>("number");
export const flag = field<boolean>("flag");
/** A moment for the store's own clock, see `expiry`; our own times are numbers (ms). */
export const date = field<Date>("date");
export const texts = field<readonly string[]>("texts");
/** A text of which not all are meant, or null: `textOf<State>()`. */
export const textOf = <V extends string | null>() => field<V>("text");
export const numberOf = <V extends number | null>() => field<V>("number");
export const flagOf = <V extends boolean>() => field<V>("flag");
/** Lists. */
export const textsOf = <V extends readonly string[] | null>() => field<V>("texts");
/** A value that is stored as it is. */
export const json = <V>() => field<V>("json");
/** An object with fields of its own. */
export const group = <V extends object | null>(fields: Fields) => field<V>(fields);

/** By which one process holds a record for a while; see storage/lease. */
export const leaseFields = { leaseHolder: text.orNull, leaseUntil: number.or(0) };

type ValueOf<F> = F extends Field<infer V, boolean> ? V : never;
/** The object that fields come to. */
export type ValuesOf<F extends Fields> = {
  [K in keyof F as F[K] extends Field<unknown, true> ? never : K]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends Field<unknown, true> ? K : never]?: ValueOf<F[K]> };
