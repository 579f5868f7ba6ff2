import { z } from "zod";
import { isAccountId } from "../../../domain/account.ts";
import type { ReceiptFilter } from "../../../inbox/find-receipts.ts";
import { receiptStates } from "../../../inbox/rules/receipt.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { cutTo } from "../../../kernel/text.ts";

// Cut, not left out: what is too long finds nothing, instead of everything.
const text = z
  .string()
  .catch("")
  .transform((typed) => cutTo(typed.trim(), 200));
// Kept as typed: without an unreadable time more would be found, and processed again.
const moment = z
  .string()
  .catch("")
  .transform((typed) => cutTo(typed.trim(), 40));

const shape = z.object({
  state: z.enum(["", ...receiptStates]).catch(""),
  environment: z
    .string()
    .catch("")
    .transform((typed) => (isAccountId(typed) ? typed : "")),
  family: text,
  code: text,
  text,
  from: moment,
  to: moment,
});

/** An empty text asks nothing. Times are UTC, as typed. */
export type ReceiptQuery = z.infer<typeof shape>;

export function receiptQueryOf(given: unknown): ReceiptQuery {
  return shape.parse(typeof given === "object" && given !== null ? given : {});
}

/** What is wrong with the times that are asked for. "order": they leave no time in between. */
export function wrongTimes(
  query: Pick<ReceiptQuery, "from" | "to">,
): { name: "from" | "to"; why: "unreadable" | "order" }[] {
  const moments = { from: typedMoment(query.from), to: typedMoment(query.to) };
  const unreadable = (["from", "to"] as const).filter((name) => query[name] !== "" && moments[name] === null);
  if (unreadable.length > 0) return unreadable.map((name) => ({ name, why: "unreadable" }));
  const { from, to } = moments;
  return from !== null && to !== null && from.from > to.to ? [{ name: "to", why: "order" }] : [];
}

/** @throws NamedError "times-unreadable" */
export function filterOfQuery(query: ReceiptQuery): ReceiptFilter {
  if (wrongTimes(query).length > 0) throw refusal("times-unreadable", { status: 400 });
  const orNull = (one: string) => (one === "" ? null : one);
  return {
    states: query.state === "" ? [] : [query.state],
    environment: query.environment === "" ? null : query.environment,
    family: orNull(query.family),
    code: orNull(query.code),
    text: orNull(query.text),
    since: typedMoment(query.from)?.from ?? null,
    until: typedMoment(query.to)?.to ?? null,
  };
}

const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?)?$/;
const day = 24 * 3_600_000;

/** Begin and end (ms, inclusive), and the text for a field for date and time. */
type TypedMoment = { from: number; to: number; fromField: string; toField: string };

/** In UTC; null for anything else. All of it is meant: "to 10:15" includes that minute, "to 1 October" that day. */
export function typedMoment(text: string): TypedMoment | null {
  const [, date, minute, second] = written.exec(text) ?? [];
  if (date === undefined) return null;
  const whole = `${date}T${minute ?? "00:00"}:${second ?? "00"}`;
  const from = Date.parse(`${whole}Z`);
  // Some read "31 February" as a day in March.
  if (Number.isNaN(from) || !new Date(from).toISOString().startsWith(whole)) return null;
  const to = from + (minute === undefined ? day : second === undefined ? 60_000 : 1_000) - 1;
  const field = (at: number) => new Date(at).toISOString().slice(0, second === undefined ? 16 : 19);
  return { from, to, fromField: field(from), toField: field(to) };
}
