import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { Sending } from "./rules/score-gathering.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { publishSummaries, type PublishSummariesDeps } from "./publish-summaries.ts";
import { scoreLearners, type ScoreLearnersDeps } from "./score-learners.ts";

export type GradeMemberDeps = ScoreLearnersDeps &
  PublishSummariesDeps &
  Pick<App, "attendance" | "members" | "deliveries" | "columns">;

type Place = Pick<Course, "id" | "registrationId">;
type Graded = Pick<Person, "id" | "sub">;

/**
 * From everything stored now. Repeatable. Only learners get scores, not instructors, preview students, mentors and
 * guests; new facts of former members count.
 */
export async function gradeMember(deps: GradeMemberDeps, course: Place, person: Graded): Promise<void> {
  await gradeMembers(deps, course, [person]);
}

/** Learners per read. */
const batchSize = 50;

/** As `gradeMember`, for many people at once. @param sending Whether more about them is expected soon. */
export async function gradeMembers(
  deps: GradeMemberDeps,
  course: Place,
  people: readonly Graded[],
  sending: Sending = "now",
): Promise<void> {
  for (let from = 0; from < people.length; from += batchSize) {
    const some = people.slice(from, from + batchSize);
    await publishSummaries(deps, course, some);
    await scoreLearners(
      deps,
      course,
      some.map(({ id }) => id),
      sending,
    );
    if (from + batchSize < people.length) await letOthersRun();
  }
}
