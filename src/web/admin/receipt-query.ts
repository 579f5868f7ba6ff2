import { z } from "zod";
import { receiptStates } from "../../domain/receipt.ts";
import type { ReceiptFilter } from "../../features/operations/find-receipts.ts";

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .or(z.literal(""))
  .catch("");
const text = z.string().trim().max(200).catch("");

const shape = z.object({
  state: z.enum(["", ...receiptStates]).catch(""),
  environment: z.enum(["", "production", "staging"]).catch(""),
  family: text,
  code: text,
  text,
  from: day,
  to: day,
});

/** What the filter of webhooks asks, as addresses and forms carry it; an empty text asks nothing. Days are UTC. */
export type ReceiptQuery = z.infer<typeof shape>;

/** Reads a query or a posted form, whatever it is. */
export function receiptQueryOf(given: unknown): ReceiptQuery {
  return shape.parse(typeof given === "object" && given !== null ? given : {});
}

/** The receipts that are asked for. */
export function filterOfQuery(query: ReceiptQuery): ReceiptFilter {
  const orNull = (one: string) => (one === "" ? null : one);
  return {
    states: query.state === "" ? [] : [query.state],
    environment: query.environment === "" ? null : query.environment,
    family: orNull(query.family),
    code: orNull(query.code),
    text: orNull(query.text),
    since: query.from === "" ? null : Date.parse(query.from),
    until: query.to === "" ? null : Date.parse(query.to) + 24 * 3_600_000 - 1,
  };
}

const placeShape = z.object({ place: z.string().trim().max(400).catch("") });

/** Where something that is done in several goes goes on, as a query or a posted form says it; null at the beginning. */
export function placeIn(given: unknown): string | null {
  const { place } = placeShape.parse(typeof given === "object" && given !== null ? given : {});
  return place === "" ? null : place;
}

/** An address of the console with what is asked; what is empty is left out. */
export function addressWith(path: string, asked: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return query === "" ? path : `${path}?${query}`;
}
