import { z } from "zod";
import type { AccountId } from "../../../domain/account.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { cutTo } from "../../../kernel/text.ts";

/** A field of a posted form, trimmed. Empty if it's missing or given twice. */
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

/** Leaves out empty values. */
export function addressWith(path: string, asked: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** What an address or a form asks for, by names. */
export function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? Object.fromEntries(Object.entries(given)) : {};
}

const cursorShape = z.string().trim().max(400).catch("");

/** A page cursor. Null at the beginning. */
export function cursorIn(given: unknown): string | null {
  const cursor = cursorShape.parse(recordOf(given)["cursor"]);
  return cursor === "" ? null : cursor;
}

/** Cuts long text instead of leaving it out, so it finds nothing instead of everything. */
export const typedText = (maxLength = 200) =>
  z
    .string()
    .catch("")
    .transform((typed) => cutTo(typed.trim(), maxLength));

/** An empty text asks for nothing. */
export function orNull<Asked extends string>(asked: Asked | ""): Asked | null {
  return asked === "" ? null : asked;
}

/** The account that a form names, or the only one if the form didn't ask. Null if it isn't configured. */
export function knownEnvironment(given: string, environments: readonly AccountId[]): AccountId | null {
  const [only] = environments;
  if (given === "" && only !== undefined && environments.length === 1) return only;
  return environments.find((one) => one === given) ?? null;
}
