import type { Course } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import { type CountedSession, isGraded, type LearnerStanding } from "../../domain/learner-standing.ts";
import { personName } from "../../domain/person-name.ts";
import type { MemberStore } from "../../storage/member-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { StandingStore } from "../../storage/standing-store.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type ExampleLearnerDeps = GradingBasisDeps & {
  standings: Pick<StandingStore, "listAfter">;
  members: Pick<MemberStore, "findMany">;
  people: Pick<PersonStore, "find">;
};

/** A learner by whom a policy is explained; the name is null for a made-up one. */
export type ExampleLearner = {
  name: string | null;
  counted: readonly CountedSession[];
  /** All sessions planned for them. */
  planned: number;
};

/** So many learners are looked through for a telling one. */
const most = 200;

/**
 * The learner of a course with the most different statuses, as they stand; a made-up one when nobody has any.
 * @param policies Those by which their grade is to be explained.
 */
export async function exampleLearner(
  deps: ExampleLearnerDeps,
  course: Pick<Course, "id" | "registrationId">,
  policies: readonly GradePolicy[],
): Promise<ExampleLearner> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const standings = (await deps.standings.listAfter(key, "", most)).filter((one) => variety(one) > 0);
  const members = await deps.members.findMany(
    key,
    standings.map(({ personId }) => personId),
  );
  const graded = new Map(members.filter(isGraded).map((member) => [member.personId, member]));
  const [best] = standings
    .filter(({ personId }) => graded.has(personId))
    .sort((a, b) => variety(b) - variety(a) || b.sessions.length - a.sessions.length);
  const person = best === undefined ? null : await deps.people.find(best.personId);
  if (best === undefined || person === null) return madeUp;
  const sectionIds = graded.get(best.personId)?.sectionIds ?? [];
  const basis = await gradingBasis(deps, course, policies);
  return { name: personName(person), ...learnerBasis(basis, best, { sectionIds }) };
}

function variety({ sessions }: LearnerStanding): number {
  return new Set(sessions.flatMap(({ status }) => (status === null ? [] : [status]))).size;
}

const madeUp: ExampleLearner = {
  name: null,
  counted: ["PRESENT", "PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED"].map((status, at) => ({
    eventId: `example-${at}`,
    status,
  })),
  planned: 10,
};
