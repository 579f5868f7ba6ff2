import type { KnownStatus } from "../../domain/attendance.ts";
import type { Course } from "../../domain/course.ts";
import { correctAttendance } from "./correct-attendance.ts";
import type { MarkSessionDeps } from "./mark-session.ts";
import { type GridCellDetail, showGridCell, type ShowGridCellDeps } from "./show-grid-cell.ts";

/** One tap on a mark. */
export type Tap = {
  eventId: string;
  personId: string;
  /** As the page showed it; "" where nothing was recorded. */
  was: string;
  /** "": the classroom's record. */
  status: KnownStatus | "";
  /** Null keeps the note that is there. */
  note: string | null;
};

/** What a tap that takes this one back says. */
export type TakesBack = { status: KnownStatus | ""; note: string };

export type Tapped =
  | { kind: "marked"; detail: GridCellDetail; takesBack: TakesBack }
  /** Somebody else was faster: nothing is saved. */
  | { kind: "changed"; detail: GridCellDetail };

/**
 * Marks one learner in one session, if the mark is still the one that was seen.
 * @param actor The instructor's person id.
 * @returns how the mark is now.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
export async function markOne(
  deps: ShowGridCellDeps & MarkSessionDeps,
  course: Course,
  actor: string,
  { eventId, personId, was, status, note }: Tap,
): Promise<Tapped> {
  const { row } = await showGridCell(deps, course, { eventId, personId });
  const look = () => showGridCell(deps, course, { eventId, personId });
  if ((row.current?.status ?? "") !== was) return { kind: "changed", detail: await look() };
  const takesBack = correctionOf(row);
  const notes = status === "" ? "" : (note ?? takesBack.note);
  const { missed } = await correctAttendance(deps, course, actor, {
    ...{ eventId, personId, seen: row.revision, confirms: true, reason: null },
    status: status === "" ? null : status,
    notes: notes === "" ? null : notes,
  });
  const detail = await look();
  return missed.length > 0 ? { kind: "changed", detail } : { kind: "marked", detail, takesBack };
}

function correctionOf({ facts: { corrections } }: GridCellDetail["row"]): TakesBack {
  const newest = corrections[0];
  if (newest === undefined || newest.status === null) return { status: "", note: "" };
  return { status: newest.status, note: newest.notes ?? "" };
}
