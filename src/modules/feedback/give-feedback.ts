import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import {
  type FeedbackAnswer,
  maxCommentCharacters,
  type Occasion,
  occasionKey,
  problemOf,
  tallyOf,
  tidyComment,
} from "./rules/feedback.ts";

export type FeedbackRequest = {
  registrationId: string;
  courseId: string;
  personId: string;
  occasion: Occasion;
  sessionId: string | null;
};

/**
 * Stores a person's answer about a class, replacing their earlier one.
 * @param from Where the answer comes from, as a digest.
 * @throws NamedError "feedback-empty", "feedback-too-long", "feedback-not-taken" (not in this course, or nobody asks any more, without saying
 * which) or "feedback-too-often" (temporary)
 */
export async function giveFeedback(
  app: Pick<App, "courses" | "members" | "feedback" | "clock">,
  request: FeedbackRequest,
  typed: FeedbackAnswer,
  from: string,
): Promise<void> {
  const answer = { ...typed, comment: tidyComment(typed.comment ?? "") };
  refuseProblem(answer);
  const { spaceId } = request.occasion;
  const free =
    (await spendTry(app, `person ${request.courseId} ${request.personId}`, 10)) &&
    // As in `findVisitByAttribution`: a whole school may share one address.
    (await spendTry(app, `place ${spaceId} ${from}`, 1_500));
  if (!free) throw refusal("feedback-too-often", { status: 429, temporary: true });
  const course = await app.courses.find(request.courseId);
  const member = await app.members.find(request.registrationId, request.courseId, request.personId);
  if (course === null || !mayAnswer(course, member)) throw refusal("feedback-not-taken", { status: 403 });
  const { occasion, ...about } = request;
  await app.feedback.keep(
    { ...about, ...answer, occasion: occasionKey(occasion), givenAt: app.clock.now() },
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
  if (problem === "empty") throw refusal("feedback-empty", { status: 422 });
  if (problem === "too-long") {
    throw refusal("feedback-too-long", { values: { longest: maxCommentCharacters }, status: 422 });
  }
}

const maxClasses = 10;
const maxComments = 50;

export type ClassFeedback = Awaited<ReturnType<typeof showFeedback>>[number];

/** Latest first. */
export async function showFeedback(app: Pick<App, "feedback" | "events">, course: Course) {
  const occasions = await app.feedback.occasionsOf(course.id, maxClasses);
  const eventIds = occasions.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const events = new Map(
    (await app.events.findMany(course.environment, eventIds)).map((event) => [event.eventId, event]),
  );
  return Promise.all(
    occasions.map(async ({ key, eventId, heldAt }) => {
      const answers = await app.feedback.answersTo(course.id, key);
      const { comments, total } = await app.feedback.commentsOn(course.id, key, maxComments);
      const event = eventId === null ? undefined : events.get(eventId);
      return {
        ...tallyOf(answers),
        /** The event's title. Null for a day. */
        title: event?.title ?? null,
        heldAt,
        /** A day rather than a moment. */
        isDay: eventId === null,
        /** The latest, at most `maxComments`. */
        comments,
        moreComments: total - comments.length,
      };
    }),
  );
}

const spanMs = 600_000;

/** Counts an attempt in the current ten minutes, for all processes together. @returns false if there were already `limit` attempts. */
export async function spendTry(
  { feedback, clock }: Pick<App, "feedback" | "clock">,
  what: string,
  limit: number,
): Promise<boolean> {
  const { key, until } = spanOf(what, clock.now());
  // Over the limit, an attempt costs only a read.
  if ((await feedback.triesOf(key)) >= limit) return false;
  return (await feedback.countTry(key, until)) <= limit;
}

/** Whether an attempt would be refused. */
export async function isSpent(
  { feedback, clock }: Pick<App, "feedback" | "clock">,
  what: string,
  limit: number,
): Promise<boolean> {
  return (await feedback.triesOf(spanOf(what, clock.now()).key)) >= limit;
}

/** Takes back an attempt that proved not to count. */
export async function giveBackTry({ feedback, clock }: Pick<App, "feedback" | "clock">, what: string) {
  await feedback.uncountTry(spanOf(what, clock.now()).key);
}

function spanOf(what: string, now: number): { key: string; until: number } {
  const began = now - (now % spanMs);
  return { key: `${what} ${began}`, until: began + spanMs };
}
