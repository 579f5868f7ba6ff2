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

/** A learner by whom a policy is explained. */
export type ExampleLearner = {
  /** Null for a made-up one. */
  personId: string | null;
  name: string | null;
  counted: readonly CountedSession[];
  /** All sessions planned for them. */
  planned: number;
  /** The learners who may be chosen instead, as lists of people are sorted. */
  choices: readonly { personId: string; name: string }[];
};

/** So many learners are looked through for a telling one, and offered. */
const most = 200;

/**
 * The learner of a course by whom its policy is explained, as they stand: the wanted one, else the one with the most
 * different statuses in sessions that count; a made-up one when nobody has any.
 * @param policies Those by which their grade is to be explained.
 * @param wanted A learner's person id; null for any. Somebody without attendance here is not found.
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
