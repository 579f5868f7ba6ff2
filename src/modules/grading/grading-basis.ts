import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import {
  type CountedSession,
  type AttendanceSummary,
  needsPlanned,
  plannedFor,
  sessionsThatCount,
} from "../attendance/rules/attendance-summary.ts";
import { listSessions, type ListSessionsDeps, uncountedSessions } from "../scheduling/list-sessions.ts";

export type GradingBasisDeps = ListSessionsDeps & Pick<App, "sessionPlans">;

export type GradingBasis = {
  /** Null when no policy needs planned sessions. */
  sessions: readonly CourseSession[] | null;
  uncounted: ReadonlySet<string>;
};

export async function gradingBasis(
  deps: GradingBasisDeps,
  course: Pick<Course, "id" | "countsFrom">,
  policies: readonly GradePolicy[],
): Promise<GradingBasis> {
  const sessions = policies.some(needsPlanned) ? await listSessions(deps, course) : null;
  return { sessions, uncounted: await uncountedSessions(deps, course) };
}

export function learnerBasis(
  { sessions, uncounted }: GradingBasis,
  summary: Pick<AttendanceSummary, "sessions">,
  member: Pick<Member, "sectionIds" | "joinedAt">,
): { counted: readonly CountedSession[]; planned: number } {
  const counted = sessionsThatCount(summary.sessions, uncounted);
  // Saves ten thousand sets in a large course.
  if (sessions === null) return { counted, planned: counted.length };
  return { counted, planned: plannedFor(sessions, member, counted) };
}
