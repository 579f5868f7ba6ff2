import type { App } from "../../app.ts";
import type { Member } from "../../domain/course.ts";
import {
  type FeedbackAnswer,
  maxCommentCharacters,
  type Occasion,
  occasionKey,
  problemOf,
  tidyComment,
} from "./rules/feedback.ts";
import { refusal } from "../../kernel/refusal.ts";
import { spendTry } from "./spend-try.ts";

export type GiveFeedbackDeps = Pick<App, "courses" | "members" | "feedback" | "clock">;

export type Asked = {
  registrationId: string;
  courseId: string;
  personId: string;
  occasion: Occasion;
  sessionId: string | null;
};

/**
 * Keeps a person's answer about a class, in place of their earlier one.
 * @param from Where the answer comes from, as a digest.
 * @throws NamedError "feedback-empty", "feedback-too-long", "feedback-not-taken" (not in this course, or nobody asks
 *   any more: which one is not said) or "feedback-too-often" (temporary)
 */
export async function giveFeedback(
  deps: GiveFeedbackDeps,
  asked: Asked,
  typed: FeedbackAnswer,
  from: string,
): Promise<void> {
  const answer = { ...typed, comment: tidyComment(typed.comment ?? "") };
  refuseProblem(answer);
  const { spaceId } = asked.occasion;
  const free =
    (await spendTry(deps, `person ${asked.courseId} ${asked.personId}`, 10)) &&
    // See `findToldVisit`: a whole school may share one address.
    (await spendTry(deps, `place ${spaceId} ${from}`, 1_500));
  if (!free) {
    throw refusal("feedback-too-often", { status: 429, temporary: true });
  }
  const course = await deps.courses.find(asked.courseId);
  const member = await deps.members.find(asked.registrationId, asked.courseId, asked.personId);
  if (course === null || !mayAnswer(course, member)) {
    throw refusal("feedback-not-taken", { status: 403 });
  }
  const { occasion, ...about } = asked;
  await deps.feedback.keep(
    { ...about, ...answer, occasion: occasionKey(occasion), givenAt: deps.clock.now() },
    occasion,
  );
}

/** Learners of courses that ask, without preview students. */
export function mayAnswer(course: { asksFeedback: boolean }, member: Member | null): boolean {
  return (
    course.asksFeedback && member !== null && member.active && member.role === "learner" && !member.testUser
  );
}

function refuseProblem(answer: FeedbackAnswer): void {
  const problem = problemOf(answer);
  if (problem === "empty") {
    throw refusal("feedback-empty", {
      status: 422,
    });
  }
  if (problem === "too-long") {
    throw refusal("feedback-too-long", { values: { longest: maxCommentCharacters }, status: 422 });
  }
}
