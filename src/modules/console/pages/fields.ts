import { z } from "zod";
import type { AccountId } from "../../../domain/account.ts";
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
  throw refusal("bad-request", { status: 400 });
}

/** Empty values are left out. */
export function addressWith(path: string, asked: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return query === "" ? path : `${path}?${query}`;
}

const placeShape = z.object({ place: z.string().trim().max(400).catch("") });

/** A page cursor, from a query or a form; null at the beginning. */
export function placeIn(given: unknown): string | null {
  const { place } = placeShape.parse(typeof given === "object" && given !== null ? given : {});
  return place === "" ? null : place;
}

/** The environment a form names; the only one there is when the form did not ask; null when it is not configured. */
export function knownEnvironment(given: string, environments: readonly AccountId[]): AccountId | null {
  const [only] = environments;
  if (given === "" && only !== undefined && environments.length === 1) return only;
  return environments.find((one) => one === given) ?? null;
}
