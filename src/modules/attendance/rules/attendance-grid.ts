import { asKnownStatus, type KnownStatus } from "../../../domain/attendance.ts";
import { type CourseSession, isForSections } from "../../scheduling/rules/course-session.ts";
import type { Member } from "../../../domain/course.ts";
import type { CountedSession, FactMark } from "./learner-standing.ts";

/** One learner in one session, as the table of learners and sessions shows it. */
export type GridCell =
  /** What holds; `marks` is what else is to be told of it. */
  | { kind: "status"; status: string; marks: readonly FactMark[] }
  /** The session is for them, or may be, and nothing is known. */
  | { kind: "blank" }
  /** The session is for other sections than theirs, and nothing is known. */
  | { kind: "elsewhere" }
  /** They are not in the course any more, and nothing is known. */
  | { kind: "away" };

/** How many cells stand how; cells of nobody's concern are in none of them. */
export type Tally = Record<KnownStatus | "unknown" | "blank", number>;

/** A tally of nothing. */
export function emptyTally(): Tally {
  return { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, unknown: 0, blank: 0 };
}

/**
 * The cell of a learner in a session.
 * @param counted What their standing says of it; undefined when it says nothing.
 */
export function gridCell(
  session: Pick<CourseSession, "sectionIds">,
  member: Pick<Member, "active" | "sectionIds" | "sectionsTold">,
  counted: CountedSession | undefined,
): GridCell {
  if (counted !== undefined && counted.status !== null)
    return { kind: "status", status: counted.status, marks: counted.marks ?? [] };
  if (!member.active) return { kind: "away" };
  const maybe = member.sectionIds.length === 0 && !member.sectionsTold;
  return { kind: maybe || isForSections(session, member.sectionIds) ? "blank" : "elsewhere" };
}

/** Counts a cell. */
export function addToTally(tally: Tally, cell: GridCell): void {
  if (cell.kind === "blank") tally.blank += 1;
  if (cell.kind === "status") tally[asKnownStatus(cell.status) ?? "unknown"] += 1;
}

/**
 * The share of sessions that were attended, 0 to 1: present and late of present, late and absent. Who is excused, not
 * marked or has a status that is not known neither helps nor hurts; null when nothing is left.
 */
export function rateOf({ PRESENT, LATE, ABSENT }: Pick<Tally, "PRESENT" | "LATE" | "ABSENT">): number | null {
  const known = PRESENT + LATE + ABSENT;
  return known === 0 ? null : (PRESENT + LATE) / known;
}

/** What of a learner's attendance is kept to be searched by, of all their sessions. */
export type AttendanceSums = {
  /** 0 to 100, rounded as it is shown; 200 for nobody's: see `rateOf`. */
  percent: number;
  /** How often they were absent. */
  absent: number;
};

/** What is kept of these sessions. */
export function attendanceSums(sessions: readonly Pick<CountedSession, "status">[]): AttendanceSums {
  const tally = emptyTally();
  for (const { status } of sessions) {
    if (status !== null) addToTally(tally, { kind: "status", status, marks: [] });
  }
  const rate = rateOf(tally);
  return { percent: rate === null ? 200 : Math.round(rate * 100), absent: tally.ABSENT };
}

/**
 * Whether a session is a column of the table: it has begun and was not cancelled, or something is known of it.
 * @param now Milliseconds since the epoch.
 */
export function isGridColumn(
  { startsAt, cancelled }: Pick<CourseSession, "startsAt" | "cancelled">,
  hasFacts: boolean,
  now: number,
): boolean {
  return hasFacts || (!cancelled && startsAt !== null && startsAt <= now);
}
