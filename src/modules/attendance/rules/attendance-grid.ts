import { asKnownStatus, type KnownStatus } from "../../../domain/attendance.ts";
import { type CourseSession, isBeforeTheirs, isForSections } from "../../scheduling/rules/course-session.ts";
import type { Member } from "../../../domain/course.ts";
import type { CountedSession, FactMark } from "./attendance-summary.ts";

export type GridCell =
  | { kind: "status"; status: string; marks: readonly FactMark[] }
  /** For them, or perhaps for them, without facts. */
  | { kind: "blank" }
  /** For other sections, or before they were in the course; without facts. */
  | { kind: "elsewhere" }
  /** They left the course, without facts. */
  | { kind: "away" };

export type Tally = Record<KnownStatus | "unknown" | "blank", number>;

export function emptyTally(): Tally {
  return { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, unknown: 0, blank: 0 };
}

/** @param counted From their attendance summary; undefined for nothing. */
export function gridCell(
  session: Pick<CourseSession, "sectionIds" | "startsAt">,
  member: Pick<Member, "active" | "sectionIds" | "sectionsTold" | "joinedAt">,
  counted: CountedSession | undefined,
): GridCell {
  if (counted !== undefined && counted.status !== null)
    return { kind: "status", status: counted.status, marks: counted.marks ?? [] };
  if (!member.active) return { kind: "away" };
  if (isBeforeTheirs(session, member)) return { kind: "elsewhere" };
  const maybe = member.sectionIds.length === 0 && !member.sectionsTold;
  return { kind: maybe || isForSections(session, member.sectionIds) ? "blank" : "elsewhere" };
}

export function addToTally(tally: Tally, cell: GridCell): void {
  if (cell.kind === "blank") tally.blank += 1;
  if (cell.kind === "status") tally[asKnownStatus(cell.status) ?? "unknown"] += 1;
}

/** 0 to 1: present and late, of present, late and absent. Others do not count. Null without any. */
export function rateOf({ PRESENT, LATE, ABSENT }: Pick<Tally, "PRESENT" | "LATE" | "ABSENT">): number | null {
  const known = PRESENT + LATE + ABSENT;
  return known === 0 ? null : (PRESENT + LATE) / known;
}

export type AttendanceSums = {
  /** 0 to 100, rounded as shown; 200 where `rateOf` is null. */
  percent: number;
  absent: number;
};

export function attendanceSums(sessions: readonly Pick<CountedSession, "status">[]): AttendanceSums {
  const tally = emptyTally();
  for (const { status } of sessions) {
    if (status !== null) addToTally(tally, { kind: "status", status, marks: [] });
  }
  const rate = rateOf(tally);
  return { percent: rate === null ? 200 : Math.round(rate * 100), absent: tally.ABSENT };
}

/** A session that has begun and is not cancelled, or has facts. @param now Milliseconds since the epoch. */
export function isGridColumn(
  { startsAt, cancelled }: Pick<CourseSession, "startsAt" | "cancelled">,
  hasFacts: boolean,
  now: number,
): boolean {
  return hasFacts || (!cancelled && startsAt !== null && startsAt <= now);
}
