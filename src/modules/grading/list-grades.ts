import type { App } from "../../app.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import { asKnownStatus } from "../../domain/attendance.ts";
import { type Grade, gradeOf, type GradePolicy } from "../../domain/grade-policy.ts";
import { fullName, personName } from "../../domain/person.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId, byKey, slicesOf } from "../../kernel/lists.ts";
import {
  type AttendanceSummary,
  type CountedSession,
  gradeTogether,
  isGraded,
  sessionsThatCount,
  type Uncounted,
} from "../attendance/rules/attendance-summary.ts";
import { everyMember } from "../members/people.ts";
import type { ListedMember } from "../members/store/member-store.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { type DayRange, isBounded, isWithin } from "../scheduling/rules/time-zone.ts";
import { gradingBasis, learnerBasis } from "./grade-members.ts";

type GradeListApp = Pick<App, "attendanceSummaries" | "events" | "members" | "people" | "sessionPlans">;

const batchSize = 250;

/**
 * Learners with their statuses and grades, as computed now.
 * @param which.sectionId Null for all sections.
 * @param which.days Limits the sessions that are listed and counted. A grade still covers all sessions.
 */
export async function listGrades(
  app: GradeListApp,
  course: Course,
  { sectionId, days }: { sectionId: string | null; days: DayRange },
) {
  const all = (await listSessions(app, course)).reverse();
  const sessions = all.filter(({ startsAt }) => isWithin(days, startsAt, course.timeZone));
  const listed = isBounded(days) ? new Set(sessions.map(({ eventId }) => eventId)) : null;
  return { sessions, slices: gradesOf(app, course, sectionId, { sessions, listed }) };
}

async function* gradesOf(
  app: GradeListApp,
  course: Course,
  sectionId: string | null,
  { sessions, listed }: { sessions: readonly CourseSession[]; listed: ReadonlySet<string> | null },
) {
  const courseKey = keyOfCourse(course);
  const basis = await gradingBasis(app, course, [course.policy]);
  const learners = (await everyMember(app, courseKey)).filter(
    (member) => isGraded(member) && (sectionId === null || member.sectionIds.includes(sectionId)),
  );
  for (const batch of slicesOf(learners, batchSize)) {
    const ids = batch.map(({ personId }) => personId);
    const people = byId(await app.people.findMany(ids));
    const summaries = byKey(
      await app.attendanceSummaries.findMany(courseKey, ids),
      ({ personId }) => personId,
    );
    yield batch.map((member) => {
      const person = people.get(member.personId);
      const known = summaries.get(member.personId)?.sessions ?? [];
      const statusOf = new Map(known.map(({ eventId, status }) => [eventId, status]));
      return {
        sub: person?.sub ?? member.personId,
        /** Null if the LMS withholds names. */
        name: person === undefined ? null : fullName(person),
        active: member.active,
        sectionIds: member.sectionIds,
        /** The status in each session; null without facts. */
        statuses: sessions.map(({ eventId }) => statusOf.get(eventId) ?? null),
        ...gradeIn(course, basis, { known, listed }, member),
      };
    });
    await letOthersRun();
  }
}

type Counted = Parameters<typeof learnerBasis>[1]["sessions"];

function gradeIn(
  { policy }: Course,
  basis: Parameters<typeof learnerBasis>[0],
  { known, listed }: { known: Counted; listed: ReadonlySet<string> | null },
  member: ListedMember,
) {
  const { counted, planned } = learnerBasis(basis, { sessions: known }, member);
  /** Counts sessions that count for grades, within the days. */
  const counts = { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, unknown: 0 };
  for (const { eventId, status } of counted) {
    if (status !== null && listed?.has(eventId) !== false) counts[asKnownStatus(status) ?? "unknown"] += 1;
  }
  if (policy.kind === "no-grades") return { counts, grade: gradeOf(policy, [], 0) };
  /** Null if each session has its own column. */
  return { counts, grade: policy.kind === "one-column" ? gradeTogether(policy, counted, planned) : null };
}

/** How some learners' grades are worked out, by person id. Empty if the course has no grade for all sessions together. */
export async function workedGrades(
  app: GradeListApp,
  course: Pick<Course, "id" | "registrationId" | "policy">,
  personIds: readonly string[],
): Promise<ReadonlyMap<string, Grade>> {
  const { policy } = course;
  if (policy.kind !== "one-column" || personIds.length === 0) return new Map();
  const key = keyOfCourse(course);
  const [basis, summaries, members] = await Promise.all([
    gradingBasis(app, course, [policy]),
    app.attendanceSummaries.findMany(key, personIds),
    app.members.findMany(key, personIds),
  ]);
  const memberOf = byKey(members, ({ personId }) => personId);
  return new Map(
    summaries.map((summary) => {
      const member = memberOf.get(summary.personId) ?? noMember;
      const { counted, planned } = learnerBasis(basis, summary, member);
      return [summary.personId, gradeTogether(policy, counted, planned)];
    }),
  );
}

/** For a person with attendance who was never a member. */
const noMember = { sectionIds: [] };

export type ExampleLearner = {
  /** Null for the invented example. */
  personId: string | null;
  name: string | null;
  counted: readonly CountedSession[];
  planned: number;
  choices: readonly { personId: string; name: string }[];
};

/** How many learners to look through and to offer. */
const maxLearners = 200;

/**
 * The requested learner; otherwise the one with the most different statuses; otherwise an invented one. @param requestedId A person id with
 * attendance here; null for any.
 */
export async function exampleLearner(
  app: GradeListApp,
  course: Pick<Course, "id" | "registrationId">,
  policies: readonly GradePolicy[],
  requestedId: string | null = null,
): Promise<ExampleLearner> {
  const key = keyOfCourse(course);
  const basis = await gradingBasis(app, course, policies);
  const summaries = (await app.attendanceSummaries.listAfter(key, "", maxLearners))
    .map((summary) => ({ summary, variety: variety(summary, basis.uncounted) }))
    .filter((one) => one.variety > 0);
  const members = await app.members.findMany(
    key,
    summaries.map(({ summary }) => summary.personId),
  );
  const graded = byKey(members.filter(isGraded), ({ personId }) => personId);
  const possible = summaries
    .filter(({ summary }) => graded.has(summary.personId))
    .sort((a, b) => b.variety - a.variety || b.summary.sessions.length - a.summary.sessions.length);
  const people = await app.people.findMany(possible.map(({ summary }) => summary.personId));
  const names = new Map(people.map((person) => [person.id, personName(person)]));
  const known = possible.filter(({ summary }) => names.has(summary.personId));
  const best = known.find(({ summary }) => summary.personId === requestedId) ?? known[0];
  if (best === undefined) return madeUp;
  const { personId } = best.summary;
  const choices = known.map(({ summary }) => ({
    personId: summary.personId,
    name: names.get(summary.personId) ?? "",
  }));
  return {
    personId,
    name: names.get(personId) ?? null,
    ...learnerBasis(basis, best.summary, graded.get(personId) ?? noMember),
    choices: choices.sort((a, b) => a.name.localeCompare(b.name)),
  };
}

function variety({ sessions }: AttendanceSummary, uncounted: Uncounted): number {
  const statuses = sessionsThatCount(sessions, uncounted).map(({ status }) => status);
  return new Set(statuses.filter((status) => status !== null)).size;
}

const madeUpSessions: readonly Omit<CountedSession, "eventId">[] = [
  { status: "PRESENT", minutes: { present: 50, of: 50 } },
  { status: "PRESENT", minutes: { present: 42, of: 50 } },
  { status: "PRESENT" },
  { status: "LATE", minutes: { present: 35, of: 50, hidden: 5 } },
  { status: "ABSENT" },
  { status: "EXCUSED" },
];

const madeUp: ExampleLearner = {
  personId: null,
  name: null,
  counted: madeUpSessions.map((session, at) => ({ eventId: `example-${at}`, ...session })),
  planned: 10,
  choices: [],
};
