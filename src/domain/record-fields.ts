type FieldKind = "text" | "number" | "flag" | "date" | "json" | "texts" | Fields;

/** One field of a record: how it is stored, and `V`, its type in code. An optional one may be missing. */
export type Field<V, Optional extends boolean> = {
  readonly kind: FieldKind;
  readonly presence: "required" | "optional" | "filled";
  /** The default of "filled" fields. */
  readonly fill: () => unknown;
  readonly isOptional: Optional;
  /** Never set: it carries the type. */
  readonly value?: V;
};
export type Fields = Readonly<Record<string, Field<unknown, boolean>>>;

type Filled<V> = Field<V, false> & { readonly optional: Field<V, true> };
/** Must be given, unless one of these is taken. */
type Required<V> = Field<V, false> & {
  /** Null by default. */
  readonly orNull: Filled<V | null>;
  /** Another default. */
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
    // A copy for each record, so that records share no default.
    or: (fill) => filled(typeof fill === "object" ? () => structuredClone(fill) : () => fill),
    optional: { kind, presence: "optional", fill: nothing, isOptional: true },
  };
}

export const text = field<string>("text");
export const number = field<number>("number");
export const flag = field<boolean>("flag");
/** A moment for the store's expiry, see `expiry`; our own times are numbers (ms). */
export const date = field<Date>("date");
export const texts = field<readonly string[]>("texts");
/** A text of limited values, or null: `textOf<State>()`. */
export const textOf = <V extends string | null>() => field<V>("text");
export const numberOf = <V extends number | null>() => field<V>("number");
export const flagOf = <V extends boolean>() => field<V>("flag");
export const textsOf = <V extends readonly string[] | null>() => field<V>("texts");
export const json = <V>() => field<V>("json");
export const group = <V extends object | null>(fields: Fields) => field<V>(fields);

/** For holding a record by one process; see storage/lease. */
export const leaseFields = { leaseHolder: text.orNull, leaseUntil: number.or(0) };

type ValueOf<F> = F extends Field<infer V, boolean> ? V : never;
export type ValuesOf<F extends Fields> = {
  [K in keyof F as F[K] extends Field<unknown, true> ? never : K]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends Field<unknown, true> ? K : never]?: ValueOf<F[K]> };
