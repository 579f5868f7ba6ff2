import { asKnownStatus, wholePercent } from "../../../domain/attendance.ts";
import type { AttendanceLimit } from "../../../domain/course.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { addToTally, type CountedSession, emptyTally, rateOf } from "./attendance-summary.ts";

/** With fewer recorded sessions, a learner's percentage says little and isn't compared with limits. */
const minRecordedSessions = 3;

/** What limits look at: numbers from the statuses of sessions that count. */
export type LimitFacts = {
  absent: number;
  attended: number;
  recorded: number;
  /** 0 to 100, as on pages; null if too few sessions are recorded. */
  percent: number | null;
  /** The most absences in a row. Excused sessions, and those without a mark, neither count nor end a row. */
  inRow: number;
};

/** @param statuses Of sessions that count, earliest first. */
export function limitFactsOf(statuses: readonly string[]): LimitFacts {
  const tally = emptyTally();
  let [inRow, row] = [0, 0];
  for (const status of statuses) {
    addToTally(tally, { kind: "status", status, marks: [] });
    const known = asKnownStatus(status);
    if (known === "ABSENT") row += 1;
    else if (known === "PRESENT" || known === "LATE") row = 0;
    inRow = Math.max(inRow, row);
  }
  const rate = rateOf(tally);
  const attended = tally.PRESENT + tally.LATE;
  const recorded = attended + tally.ABSENT;
  const percent = rate === null || recorded < minRecordedSessions ? null : wholePercent(rate);
  return { absent: tally.ABSENT, attended, recorded, percent, inRow };
}

export function isReached({ kind, number }: AttendanceLimit, facts: LimitFacts): boolean {
  if (kind === "below") return facts.percent !== null && facts.percent < number;
  return (kind === "row" ? facts.inRow : facts.absent) >= number;
}

/** Statuses in sessions that count, earliest first. @param latestFirst As from `listSessions`. */
export function statusesInOrder(
  latestFirst: readonly Pick<CourseSession, "eventId" | "counts">[],
  counted: readonly CountedSession[],
): string[] {
  const statusOf = new Map(counted.map(({ eventId, status }) => [eventId, status]));
  const listed = latestFirst.toReversed().flatMap(({ eventId, counts }) => {
    const status = statusOf.get(eventId) ?? null;
    statusOf.delete(eventId);
    return counts && status !== null ? [status] : [];
  });
  // Sessions that we only know by their marks count as well.
  return [...statusOf.values()].filter((status) => status !== null).concat(listed);
}
