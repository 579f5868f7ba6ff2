import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { Sending } from "./rules/score-gathering.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { publishStandings, type PublishStandingsDeps } from "./publish-standings.ts";
import { scoreLearners, type ScoreLearnersDeps } from "./score-learners.ts";

export type GradeMemberDeps = ScoreLearnersDeps &
  PublishStandingsDeps &
  Pick<App, "attendance" | "members" | "deliveries" | "columns">;

type Place = Pick<Course, "id" | "registrationId">;
type Graded = Pick<Person, "id" | "sub">;

/**
 * Sets the scores that a learner should have after any change of their facts or sections, from everything that is
 * stored now; the course's policy is read anew. Repeating it changes nothing. Instructors, preview students and who is
 * not listed as a learner (mentors, guests) get no score; of who has left the course, facts that still come count.
 */
export async function gradeMember(deps: GradeMemberDeps, course: Place, person: Graded): Promise<void> {
  await gradeMembers(deps, course, [person]);
}

/** So many learners' records are read at once. */
const slice = 50;

/**
 * As `gradeMember`, for any number of people; much cheaper than one by one.
 * @param sending Whether more about these people is expected in a moment.
 */
export async function gradeMembers(
  deps: GradeMemberDeps,
  course: Place,
  people: readonly Graded[],
  sending: Sending = "now",
): Promise<void> {
  for (let from = 0; from < people.length; from += slice) {
    const some = people.slice(from, from + slice);
    await publishStandings(deps, course, some);
    await scoreLearners(
      deps,
      course,
      some.map(({ id }) => id),
      sending,
    );
    if (from + slice < people.length) await letOthersRun();
  }
}
