import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Sending } from "./rules/score-gathering.ts";
import {
  isGraded,
  type AttendanceSummary,
  linkedColumnsOf,
  scoresOf,
} from "../attendance/rules/attendance-summary.ts";
import type { LearnerScores } from "./store/want-scores.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type ScoreLearnersDeps = GradingBasisDeps &
  Pick<
    App,
    | "courses"
    | "members"
    | "columns"
    | "attendanceSummaries"
    | "regrades"
    | "deliveries"
    | "translatorOf"
    | "wake"
    | "clock"
    | "ids"
  >;

type Place = Pick<Course, "id" | "registrationId">;

/** An upper bound for crossing computations. */
const rounds = 50;

/**
 * Of concurrent computations, in any process, the one with the latest facts and policy stays: what each saw is stored
 * with the score, those that cross are repeated, and after a change of the course it starts anew.
 */
export async function scoreLearners(
  deps: ScoreLearnersDeps,
  place: Place,
  personIds: readonly string[],
  sending: Sending = "now",
): Promise<void> {
  const key = { registrationId: place.registrationId, courseId: place.id };
  let left = personIds;
  for (let round = 1; left.length > 0; round += 1) {
    if (round > rounds)
      throw new Error(`scores of course ${place.id} kept changing while they were computed`);
    // Read first: later computations with more have a higher one.
    const regrade = await deps.regrades.revisionOf(key);
    const summaries = await deps.attendanceSummaries.findMany(key, left);
    const across = await scoreSummaries(deps, place, { regrade, summaries, leavers: "sent", sending });
    // A score by an old policy, written after the new one's, is seen here or by the regrade that follows.
    left = (await deps.regrades.revisionOf(key)) === regrade ? across : left;
  }
  deps.wake("deliveries");
}

/**
 * One computation; all but the summaries is read here, after them.
 * @param seen.regrade Revision of the course's regrade, read before the summaries.
 * @param seen.leavers Whether former members get new scores (their facts changed); LMSs refuse most.
 * @returns people whose computation crossed another one; for `scoreLearners`.
 */
export async function scoreSummaries(
  deps: ScoreLearnersDeps,
  place: Place,
  seen: {
    regrade: number;
    summaries: readonly AttendanceSummary[];
    leavers: "sent" | "kept";
    sending: Sending;
  },
): Promise<string[]> {
  const course = await deps.courses.find(place.id);
  if (course === null || seen.summaries.length === 0) return [];
  const key = { registrationId: course.registrationId, courseId: course.id };
  const personIds = seen.summaries.map(({ personId }) => personId);
  const members = new Map(
    (await deps.members.findMany(key, personIds)).map((member) => [member.personId, member]),
  );
  const basis = await gradingBasis(deps, course, [course.policy]);
  const linked = await linkedColumns(deps, course);
  const learners = seen.summaries.flatMap((summary): LearnerScores[] => {
    const member = members.get(summary.personId);
    if (member === undefined || !isGraded(member)) return [];
    const left = !member.active && seen.leavers === "kept";
    const { personId, sub, revision } = summary;
    const { counted, planned } = learnerBasis(basis, summary, member);
    const scores = scoresOf(course.policy, counted, planned, linked, deps.translatorOf);
    const { listName } = member;
    return [{ personId, sub, listName, scores, left, seen: { regrade: seen.regrade, summary: revision } }];
  });
  return deps.deliveries.want(key, learners, {
    now: deps.clock.now(),
    sending: seen.sending,
    newId: () => deps.ids.id("dlv"),
  });
}

async function linkedColumns(deps: ScoreLearnersDeps, course: Course): Promise<ReadonlySet<string>> {
  if (course.policy.kind !== "one-column") return new Set();
  return linkedColumnsOf(await deps.columns.listOfCourse(course.registrationId, course.id));
}
