import { z } from "zod";
import type { AccountId } from "../../../domain/account.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { cutTo } from "../../../kernel/text.ts";

/** A field of a posted form, without white space around it; empty when it is missing or given twice. */
export function formField(body: unknown, name: string): string {
  const value = recordOf(body)[name];
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

/** What an address or a form asks for, by names. */
export function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? Object.fromEntries(Object.entries(given)) : {};
}

const cursorShape = z.string().trim().max(400).catch("");

/** A page cursor; null at the beginning. */
export function cursorIn(given: unknown): string | null {
  const cursor = cursorShape.parse(recordOf(given)["cursor"]);
  return cursor === "" ? null : cursor;
}

/** Cut, not left out: what is too long finds nothing, instead of everything. */
export const typedText = (maxLength = 200) =>
  z
    .string()
    .catch("")
    .transform((typed) => cutTo(typed.trim(), maxLength));

/** An empty text asks nothing. */
export function orNull<Asked extends string>(asked: Asked | ""): Asked | null {
  return asked === "" ? null : asked;
}

/** The environment a form names; the only one there is when the form did not ask; null when it is not configured. */
export function knownEnvironment(given: string, environments: readonly AccountId[]): AccountId | null {
  const [only] = environments;
  if (given === "" && only !== undefined && environments.length === 1) return only;
  return environments.find((one) => one === given) ?? null;
}
