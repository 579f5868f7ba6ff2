import type { App } from "../../app.ts";
import {
  type AttendanceLimit,
  limitKey,
  type Course,
  keyOfCourse,
  type Member,
} from "../../domain/course.ts";
import { byId } from "../../kernel/lists.ts";
import { listSessions, type SessionsApp } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { memberSlices } from "../members/sections.ts";
import { type CoursesFilter, type OfficeReportApp, pageOfLearners } from "./learners-of-courses.ts";
import { isGraded } from "./rules/attendance-summary.ts";
import { isReached, type LimitFacts, limitFactsOf, statusesInOrder } from "./rules/limits.ts";

type SummariesApp = Pick<App, "attendanceSummaries">;

/** The limits that one learner has reached. */
export type ReachedLimits = {
  limits: readonly AttendanceLimit[];
  facts: LimitFacts;
  /** Keys of the limits about which they got a mail, whether still reached or not. */
  told: readonly string[];
};

/** Reached limits by person id, only of people who reached any. @param latestFirst As from `listSessions`. @param personIds At most a few hundred. */
export async function reachedBy(
  { attendanceSummaries }: SummariesApp,
  course: Pick<Course, "id" | "registrationId" | "limits">,
  latestFirst: readonly CourseSession[],
  personIds: readonly string[],
): Promise<ReadonlyMap<string, ReachedLimits>> {
  const { list } = course.limits;
  if (list.length === 0 || personIds.length === 0) return new Map();
  const summaries = await attendanceSummaries.findMany(keyOfCourse(course), personIds);
  return new Map(
    summaries.flatMap(({ personId, sessions, told = [] }) => {
      const facts = limitFactsOf(statusesInOrder(latestFirst, sessions));
      const limits = list.filter((limit) => isReached(limit, facts));
      return limits.length === 0 ? [] : [[personId, { limits, facts, told }] as const];
    }),
  );
}

/** The limits' labels, by person id. */
export async function limitLabelsOf(
  ...of: Parameters<typeof reachedBy>
): Promise<ReadonlyMap<string, string[]>> {
  const reached = await reachedBy(...of);
  return new Map([...reached].map(([id, { limits }]) => [id, limits.map(({ label }) => label)]));
}

const learnersPerRead = 300;

/** Present learners of a course who have reached a limit. */
export async function reachedInCourse(
  app: SummariesApp & SessionsApp & Pick<App, "members">,
  course: Course,
): Promise<ReadonlyMap<string, ReachedLimits>> {
  if (course.limits.list.length === 0) return new Map();
  const sessions = await listSessions(app, course);
  const all = new Map<string, ReachedLimits>();
  for await (const members of memberSlices(app, keyOfCourse(course), learnersPerRead)) {
    const ids = members.filter(isPresentLearner).map(({ personId }) => personId);
    for (const [personId, reached] of await reachedBy(app, course, sessions, ids)) all.set(personId, reached);
  }
  return all;
}

export function isPresentLearner(member: Member): boolean {
  return member.active && isGraded(member);
}

/** For an adviser: learners of many courses who have reached a limit. @param filter.limit The key of one limit; null for any. */
export function pageOfReached(
  app: OfficeReportApp & SummariesApp,
  filter: CoursesFilter & { limit: string | null },
  cursor: string | null,
) {
  return pageOfLearners(app, filter, cursor, async ({ course, sessions, members }) => {
    const ids = members.filter(isPresentLearner).map(({ personId }) => personId);
    const found = await reachedBy(app, course, [...sessions.values()], ids);
    const fitting = [...found].filter(
      ([, { limits }]) => filter.limit === null || limits.some((one) => limitKey(one) === filter.limit),
    );
    const people = byId(await app.people.findMany(fitting.map(([personId]) => personId)));
    return fitting.flatMap(([personId, reached]) => {
      const person = people.get(personId);
      return person === undefined ? [] : [{ course, person, ...reached }];
    });
  });
}
