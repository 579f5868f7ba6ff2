import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import {
  type CountedSession,
  isGraded,
  type AttendanceSummary,
  sessionsThatCount,
} from "../attendance/rules/attendance-summary.ts";
import { personName } from "../../domain/person-name.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type ExampleLearnerDeps = GradingBasisDeps & Pick<App, "attendanceSummaries" | "members" | "people">;

export type ExampleLearner = {
  /** Null for an invented one. */
  personId: string | null;
  name: string | null;
  counted: readonly CountedSession[];
  planned: number;
  choices: readonly { personId: string; name: string }[];
};

/** Learners looked through and offered. */
const maxLearners = 200;

/**
 * The wanted learner, else the one with most different statuses; an invented one without attendance. @param wanted A
 * person id with attendance here; null for any.
 */
export async function exampleLearner(
  deps: ExampleLearnerDeps,
  course: Pick<Course, "id" | "registrationId">,
  policies: readonly GradePolicy[],
  wanted: string | null = null,
): Promise<ExampleLearner> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const basis = await gradingBasis(deps, course, policies);
  const summaries = (await deps.attendanceSummaries.listAfter(key, "", maxLearners))
    .map((summary) => ({ summary, variety: variety(summary, basis.uncounted) }))
    .filter((one) => one.variety > 0);
  const members = await deps.members.findMany(
    key,
    summaries.map(({ summary }) => summary.personId),
  );
  const graded = new Map(members.filter(isGraded).map((member) => [member.personId, member]));
  const possible = summaries
    .filter(({ summary }) => graded.has(summary.personId))
    .sort((a, b) => b.variety - a.variety || b.summary.sessions.length - a.summary.sessions.length);
  const people = await deps.people.findMany(possible.map(({ summary }) => summary.personId));
  const names = new Map(people.map((person) => [person.id, personName(person)]));
  const known = possible.filter(({ summary }) => names.has(summary.personId));
  const best = known.find(({ summary }) => summary.personId === wanted) ?? known[0];
  if (best === undefined) return madeUp;
  const { personId } = best.summary;
  const member = { sectionIds: graded.get(personId)?.sectionIds ?? [] };
  const choices = known.map(({ summary }) => ({
    personId: summary.personId,
    name: names.get(summary.personId) ?? "",
  }));
  return {
    personId,
    name: names.get(personId) ?? null,
    ...learnerBasis(basis, best.summary, member),
    choices: choices.sort((a, b) => a.name.localeCompare(b.name)),
  };
}

function variety({ sessions }: AttendanceSummary, uncounted: ReadonlySet<string>): number {
  const statuses = sessionsThatCount(sessions, uncounted).flatMap(({ status }) =>
    status === null ? [] : [status],
  );
  return new Set(statuses).size;
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
