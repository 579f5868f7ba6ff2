import { z } from "zod";
import { isAccountId } from "../../../domain/account.ts";
import { receiptStates } from "../../../inbox/rules/receipt.ts";
import type { ReceiptFilter } from "../../../inbox/find-receipts.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { typedMoment } from "./typed-moment.ts";
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
