import { z } from "zod";
import { asKnownStatus } from "../../../domain/attendance.ts";
import type { MarkChange } from "../compare-marks.ts";
import { oneLine } from "./register-lines.ts";

/** Of what is pasted (UTF-16 units): a thousand learners with sixty sessions take half of it. */
export const maxTableLength = 1_500_000;
/** Saved at once: the form that confirms them carries each. */
export const maxChanges = 20_000;

export type ImportForm = { table: string; reason: string };

const formShape = z.object({ table: z.string().catch(""), reason: z.string().catch("") });

export function readImport(posted: unknown): ImportForm {
  const { table, reason } = formShape.parse(posted ?? {});
  return { table, reason: oneLine(reason) };
}

type Carried = Omit<MarkChange, "before">;

/** One field a session: its id, then person, revision and status of each mark; the pieces are those of an address. */
export function carriedMarks(changes: readonly Carried[]): string[] {
  const lines = new Map<string, string[]>();
  for (const { eventId, personId, seen, status } of changes) {
    const pieces = [personId, String(seen), status].map(encodeURIComponent).join(",");
    lines.set(eventId, [...(lines.get(eventId) ?? [encodeURIComponent(eventId)]), pieces]);
  }
  return [...lines.values()].map((pieces) => pieces.join(" "));
}

const savedShape = z.object({
  marks: z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]),
});

/** @returns null when a mark is not understood, or none was sent: nothing is saved then. */
export function readCarried(posted: unknown): Carried[] | null {
  const changes = savedShape.parse(posted ?? {}).marks.flatMap((line) => {
    const [event = "", ...marks] = line.split(" ");
    return marks.map((mark) => readMark(decoded(event), mark));
  });
  const understood = changes.filter((change) => change !== null);
  const whole = understood.length === changes.length && changes.length > 0 && changes.length <= maxChanges;
  return whole ? understood : null;
}

function readMark(eventId: string, mark: string): Carried | null {
  const [personId = "", seen = "", named = ""] = mark.split(",").map(decoded);
  const status = asKnownStatus(named);
  if (eventId === "" || personId === "" || status === null || !/^\d{1,15}$/.test(seen)) return null;
  return { eventId, personId, status, seen: Number(seen) };
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return "";
  }
}
