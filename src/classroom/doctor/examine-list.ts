import type { Dialect, OperationName } from "../dialect.ts";
import { placesInside, readableList, shapeOf, textAt } from "../read-reply.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";
import { suggestPlace } from "./suggest-place.ts";
import { suggestion } from "./suggestion.ts";

/** Without these it is of no use. */
const entryFields: Partial<Record<OperationName, readonly string[]>> = {
  readAttendance: ["userId", "status"],
  findCohorts: ["cohortId"],
  readRecordings: ["recordingId"],
  readSessions: ["sessionId"],
};

/** The list at the dialect's path, with readable entries; null for none. */
export function listIn(
  dialect: Dialect,
  operation: OperationName,
  reply: unknown,
): readonly unknown[] | null {
  const list = listFor(dialect, operation, reply);
  return list === "unreadable" ? null : list;
}

function listFor(dialect: Dialect, operation: OperationName, reply: unknown) {
  const { reply: places } = dialect.operations[operation];
  const fields = entryFields[operation] ?? [];
  const isWhole = (entry: unknown) => fields.every((field) => textAt(entry, places[field] ?? []) !== null);
  return readableList(reply, placesInside(dialect.envelopes, places.items ?? []), isWhole);
}

/** Whether a reply has its list, and the entries their fields, where the dialect looks. */
export function examineList(
  dialect: Dialect,
  operation: OperationName,
  address: string,
  reply: unknown,
): Finding {
  const level = operation === "readAttendance" ? "wrong" : "note";
  const list = listFor(dialect, operation, reply);
  if (list === null) return noList(dialect, operation, address, reply, level);
  if (list === "unreadable") return noEntries(operation, address, reply, level);
  const what =
    list.length === 0
      ? seen("list-empty", { address })
      : seen("list-read", { address, entries: list.length });
  return finding("fine", operation, what);
}

function noList(
  dialect: Dialect,
  operation: OperationName,
  address: string,
  reply: unknown,
  level: Finding["level"],
): Finding {
  const place = suggestPlace(reply, (value) => Array.isArray(value));
  return finding(level, operation, seen("no-list", { address }), {
    todo: place === null ? advice("find-list", { operation }) : advice("write-lines"),
    shape: shapeOf(reply),
    ...(place === null ? {} : { dialect: suggestion(dialect, operation, "items", place) }),
  });
}

function noEntries(
  operation: OperationName,
  address: string,
  reply: unknown,
  level: Finding["level"],
): Finding {
  const fields = (entryFields[operation] ?? []).join(" and ");
  return finding(level, operation, seen("no-fields", { address, fields }), {
    todo: advice("find-fields", { operation }),
    shape: shapeOf(reply),
  });
}
