import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
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

/**
 * Written while it is read, so that a big one needs no memory. What fails before the first piece is thrown, for an
 * error page; what fails later breaks the file off.
 */
export async function sendFile(
  response: Response,
  { name, type }: { name: string; type: string },
  pieces: AsyncGenerator<string> | Generator<string>,
): Promise<void> {
  const first = await pieces.next();
  response.attachment(name);
  response.type(type);
  try {
    await pipeline(Readable.from(all(first, pieces), { objectMode: false }), response);
  } catch (thrown) {
    // Closing the window while a file comes is no error.
    if (!(thrown instanceof Error) || !("code" in thrown) || thrown.code !== "ERR_STREAM_PREMATURE_CLOSE")
      throw thrown;
  }
}

async function* all(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string> | Generator<string>,
) {
  if (first.done !== true) yield first.value;
  yield* rest;
}
