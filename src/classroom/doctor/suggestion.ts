import type { Dialect, OperationName } from "../dialect.ts";

/** Where only something around a field is new ("spaceId" became "payload.spaceId"), that is an envelope of every reply. */
export function suggestion(dialect: Dialect, operation: OperationName, field: string, place: string): object {
  const known = dialect.operations[operation].reply[field] ?? [];
  const inner = known.find((one) => one !== "" && place.endsWith(`.${one}`));
  if (inner !== undefined && place.split(".").length === inner.split(".").length + 1)
    return { envelopes: [...dialect.envelopes, place.slice(0, -inner.length - 1)] };
  return { operations: { [operation]: { reply: { [field]: [place] } } } };
}
