import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { addToTally, emptyTally, rateOf } from "../attendance/rules/attendance-grid.ts";
import { type AttendanceSummary, isGraded } from "../attendance/rules/attendance-summary.ts";
import { type ListSessionsDeps, uncountedSessions } from "../scheduling/list-sessions.ts";
import { minRecordedSessions } from "./rules/limits.ts";

export type LowLearnersDeps = Pick<App, "attendanceSummaries" | "members"> & ListSessionsDeps;

/** `attended` of `recorded` sessions, present or late; `percent` as it is shown. */
export type LowLearner = { personId: string; percent: number; attended: number; recorded: number };

const batchSize = 300;

/** Learners of the course below a share (percent), of the sessions that count, where enough are recorded. */
export async function lowLearners(
  deps: LowLearnersDeps,
  course: Pick<Course, "registrationId" | "id" | "countsFrom">,
  below: number,
): Promise<LowLearner[]> {
  const { registrationId, id: courseId } = course;
  const key = { registrationId, courseId };
  const uncounted = await uncountedSessions(deps, course);
  // By all sessions, when only some count: everybody is looked at.
  const found = await deps.attendanceSummaries.listBySums(key, { below: uncounted.size === 0 ? below : 101 });
  const low = found.flatMap((summary) => lowOf(summary, uncounted, below) ?? []);
  const present = new Set<string>();
  for (let from = 0; from < low.length; from += batchSize) {
    const ids = low.slice(from, from + batchSize).map(({ personId }) => personId);
    for (const member of await deps.members.findMany(key, ids))
      if (member.active && isGraded(member)) present.add(member.personId);
    await letOthersRun();
  }
  return low.filter(({ personId }) => present.has(personId));
}

/** The same of one learner, without reading the others. @returns null when their attendance is not low. */
export async function lowLearner(
  deps: LowLearnersDeps,
  course: Pick<Course, "registrationId" | "id" | "countsFrom">,
  below: number,
  member: Member,
): Promise<LowLearner | null> {
  const { registrationId, id: courseId } = course;
  if (!member.active || !isGraded(member)) return null;
  const [uncounted, [summary]] = await Promise.all([
    uncountedSessions(deps, course),
    deps.attendanceSummaries.findMany({ registrationId, courseId }, [member.personId]),
  ]);
  return summary === undefined ? null : lowOf(summary, uncounted, below);
}

function lowOf(
  { personId, sessions }: Pick<AttendanceSummary, "personId" | "sessions">,
  uncounted: ReadonlySet<string>,
  below: number,
): LowLearner | null {
  const tally = emptyTally();
  for (const { eventId, status } of sessions)
    if (status !== null && !uncounted.has(eventId)) addToTally(tally, { kind: "status", status, marks: [] });
  const rate = rateOf(tally);
  const attended = tally.PRESENT + tally.LATE;
  const recorded = attended + tally.ABSENT;
  if (rate === null || recorded < minRecordedSessions) return null;
  const percent = Math.round(rate * 100);
  return percent < below ? { personId, percent, attended, recorded } : null;
}
