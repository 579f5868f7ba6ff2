import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import {
  type CountedSession,
  isGraded,
  type LearnerStanding,
  sessionsThatCount,
} from "../attendance/rules/learner-standing.ts";
import { personName } from "../../domain/person-name.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type ExampleLearnerDeps = GradingBasisDeps & Pick<App, "standings" | "members" | "people">;

export type ExampleLearner = {
  /** Null for an invented one. */
  personId: string | null;
  name: string | null;
  counted: readonly CountedSession[];
  planned: number;
  choices: readonly { personId: string; name: string }[];
};

/** Learners looked through and offered, at most. */
const most = 200;

/**
 * The learner by whom a course's policy is explained: the wanted one, else the one with most different statuses; an
 * invented one without any.
 * @param policies Policies to explain.
 * @param wanted A person id; null for any. Must have attendance here.
 */
export async function exampleLearner(
  deps: ExampleLearnerDeps,
  course: Pick<Course, "id" | "registrationId">,
  policies: readonly GradePolicy[],
  wanted: string | null = null,
): Promise<ExampleLearner> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const basis = await gradingBasis(deps, course, policies);
  const standings = (await deps.standings.listAfter(key, "", most))
    .map((standing) => ({ standing, variety: variety(standing, basis.uncounted) }))
    .filter((one) => one.variety > 0);
  const members = await deps.members.findMany(
    key,
    standings.map(({ standing }) => standing.personId),
  );
  const graded = new Map(members.filter(isGraded).map((member) => [member.personId, member]));
  const possible = standings
    .filter(({ standing }) => graded.has(standing.personId))
    .sort((a, b) => b.variety - a.variety || b.standing.sessions.length - a.standing.sessions.length);
  const people = await deps.people.findMany(possible.map(({ standing }) => standing.personId));
  const names = new Map(people.map((person) => [person.id, personName(person)]));
  const known = possible.filter(({ standing }) => names.has(standing.personId));
  const best = known.find(({ standing }) => standing.personId === wanted) ?? known[0];
  if (best === undefined) return madeUp;
  const { personId } = best.standing;
  const member = { sectionIds: graded.get(personId)?.sectionIds ?? [] };
  const choices = known.map(({ standing }) => ({
    personId: standing.personId,
    name: names.get(standing.personId) ?? "",
  }));
  return {
    personId,
    name: names.get(personId) ?? null,
    ...learnerBasis(basis, best.standing, member),
    choices: choices.sort((a, b) => a.name.localeCompare(b.name)),
  };
}

function variety({ sessions }: LearnerStanding, uncounted: ReadonlySet<string>): number {
  const statuses = sessionsThatCount(sessions, uncounted).flatMap(({ status }) =>
    status === null ? [] : [status],
  );
  return new Set(statuses).size;
}

const madeUp: ExampleLearner = {
  personId: null,
  name: null,
  counted: ["PRESENT", "PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED"].map((status, at) => ({
    eventId: `example-${at}`,
    status,
  })),
  planned: 10,
  choices: [],
};
