import {
  asKnownStatus,
  type AttendanceFacts,
  type CurrentAttendance,
  currentAttendanceOf,
  presenceSeen,
} from "../../../domain/attendance.ts";
import { type CourseSession, unknownSession } from "../../scheduling/rules/course-session.ts";
import { type DayRange, isWithin, timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";

/** Evidence that somebody attended. "presence": their minutes in the Space. "code": a check-in. "instructor": a mark. */
export type EvidenceKind = CurrentAttendance["source"];

/** Less time in the Space than this isn't evidence (ms). */
const leastSeenMs = 60_000;

/**
 * The evidence of attendance; null if there is none. The register decides. If it has no status, time in the Space during the session counts.
 * Opening the course or the Space doesn't.
 */
export function evidenceOf(facts: AttendanceFacts): EvidenceKind | null {
  const current = currentAttendanceOf(facts);
  const known = current === null ? null : asKnownStatus(current.status);
  if (current !== null && known !== null)
    return known === "PRESENT" || known === "LATE" ? current.source : null;
  return (presenceSeen(facts)?.ms ?? 0) >= leastSeenMs ? "presence" : null;
}

/** `date` is the day on which the session began, in the course's time zone. */
export type AttendedDay = { date: string; kind: EvidenceKind };

export type AttendanceDays = {
  /** Null if they never attended, as far as is recorded. */
  first: AttendedDay | null;
  last: AttendedDay | null;
  /** How many sessions they attended, and how many have any record of them. */
  attended: number;
  recorded: number;
};

/**
 * The first and last day of attendance of one learner.
 * @param of.sessions By id. @param of.now Coming sessions don't count (ms).
 */
export function attendanceDays(
  records: readonly (AttendanceFacts & { eventId: string })[],
  of: { sessions: ReadonlyMap<string, CourseSession>; days: DayRange; timeZone: string | null; now: number },
): AttendanceDays {
  const zone = timeZoneOf(of.timeZone ?? "") ?? "UTC";
  const recorded = records.flatMap((record) => {
    const session = of.sessions.get(record.eventId) ?? unknownSession(record.eventId);
    const { startsAt } = session;
    const isPast = hasHappened(session) && (startsAt ?? 0) <= of.now;
    if (!isPast || !isWithin(of.days, startsAt, of.timeZone)) return [];
    const kind = evidenceOf(record);
    return kind === null && currentAttendanceOf(record) === null ? [] : [{ startsAt, kind }];
  });
  const days = recorded
    .flatMap(({ startsAt, kind }) => (startsAt === null || kind === null ? [] : [{ startsAt, kind }]))
    .sort((one, other) => one.startsAt - other.startsAt)
    .map(({ startsAt, kind }): AttendedDay => ({ date: wallTimeOf(startsAt, zone).date, kind }));
  return {
    first: days[0] ?? null,
    last: days.at(-1) ?? null,
    attended: recorded.filter(({ kind }) => kind !== null).length,
    recorded: recorded.length,
  };
}

/** Whether a session took place: not if it was cancelled here, nor if it was cancelled or deleted and an instructor left its marks out. */
function hasHappened({ cancelled, cancelledHere, counts }: CourseSession): boolean {
  return cancelledHere !== true && (counts || !cancelled);
}
