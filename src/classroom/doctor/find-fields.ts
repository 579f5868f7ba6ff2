import type { Dialect, OperationName } from "../dialect.ts";
import { idFromLocation } from "../id-from-location.ts";
import { momentAt, placesInside, shapeOf, textAt, textFoundAt } from "../read-reply.ts";
import type { Seen } from "./create-probe.ts";
import { type Finding, finding } from "./finding.ts";
import { suggestPlace } from "./suggest-place.ts";
import { suggestion } from "./suggestion.ts";

export type Wanted = {
  field: string;
  /** The value, where known: an id made before, a time sent. */
  is?: string | number;
  /** How a value elsewhere in the reply must look to be suggested. */
  looksLike: (value: unknown, place: string) => boolean;
  /** Without it the tool cannot go on; else something is only not shown. */
  needed: boolean;
};

type Answered = Extract<Seen, { kind: "answer" }>;

export function findFields(
  dialect: Dialect,
  operation: OperationName,
  answer: Answered,
  wanted: Wanted,
): { value: string | null; at: string | null; finding: Finding | null } {
  const places = dialect.operations[operation].reply[wanted.field] ?? [];
  const found = findValue(dialect, answer, places, wanted);
  if (found !== null) return { value: found.value, at: `${wanted.field} at ${found.place}`, finding: null };
  const place = suggestPlace(answer.reply, wanted.looksLike);
  const elsewhere = place === null ? "" : `; it may be what stands at "${place}"`;
  const todo =
    place === null
      ? `Find it in the shape below and write its place as operations.${operation}.reply.${wanted.field} into the dialect file.`
      : "Compare with the shape below; if it is right, write the lines below into the dialect file.";
  return {
    value: null,
    at: null,
    finding: finding(
      wanted.needed ? "wrong" : "note",
      operation,
      `${wanted.field} is not where the dialect looks for it${elsewhere}.`,
      {
        todo,
        shape: shapeOf(answer.reply),
        ...(place === null ? {} : { dialect: suggestion(dialect, operation, wanted.field, place) }),
      },
    ),
  };
}

function findValue(
  dialect: Dialect,
  answer: Answered,
  places: readonly string[],
  wanted: Wanted,
): { value: string; place: string } | null {
  const inside = placesInside(dialect.envelopes, places);
  const { is } = wanted;
  // The tool takes the first path with a value, right or not.
  const at = inside.find((place) => textFoundAt(answer.reply, [place]) !== null);
  const isRight =
    at !== undefined &&
    (is === undefined ||
      (typeof is === "number" ? momentAt(answer.reply, [at]) : textAt(answer.reply, [at])) === is);
  if (isRight) return { value: textAt(answer.reply, [at]) ?? "", place: at };
  if (at !== undefined) return null;
  const located = places.includes("@location") ? idFromLocation(answer) : null;
  return located === null ? null : { value: located, place: "the Location header" };
}

/** An id just made; ids known before are not it. */
export function idWanted(field: string, others: readonly (string | null)[] = []): Wanted {
  return {
    field,
    needed: true,
    looksLike: (value, place) =>
      /(^|[._-])(id|key|uuid|ref|reference)$|(Id|ID|Key|Uuid|Ref)$/.test(place) &&
      (typeof value === "number" || (typeof value === "string" && value !== "")) &&
      !others.includes(String(value)),
  };
}

/** A value that was sent or is known. */
export function knownWanted(field: string, is: string | number, needed: boolean): Wanted {
  return {
    field,
    is,
    needed,
    looksLike: (value) =>
      typeof is === "number"
        ? momentAt(value, [""]) === is
        : (typeof value === "string" || typeof value === "number") && String(value) === is,
  };
}
