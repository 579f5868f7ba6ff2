import { refusal } from "../../../kernel/refusal.ts";

/** A field of a posted form, without white space around it; empty when it is missing or given twice. */
export function formField(body: unknown, name: string): string {
  if (typeof body !== "object" || body === null) return "";
  const value: unknown = new Map(Object.entries(body)).get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** The value of one of our buttons. @throws NamedError "bad-request" */
export function chosen<Value extends string>(given: string, values: readonly Value[]): Value {
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw refusal("bad-request", {
    status: 400,
  });
}
