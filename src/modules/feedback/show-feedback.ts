import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { type FeedbackTally, tallyOf } from "./rules/feedback.ts";

export type ShowFeedbackDeps = Pick<App, "feedback" | "events">;

export type ClassFeedback = FeedbackTally & {
  /** Title of the event; null for a day. */
  title: string | null;
  heldAt: number;
  /** A day (UTC) rather than a moment. */
  isDay: boolean;
  /** The latest, at most `maxComments`. */
  comments: string[];
  moreComments: number;
};

const maxClasses = 10;
const maxComments = 50;

/** Latest first. */
export async function showFeedback(deps: ShowFeedbackDeps, course: Course): Promise<ClassFeedback[]> {
  const occasions = await deps.feedback.occasionsOf(course.id, maxClasses);
  const eventIds = occasions.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const events = new Map(
    (await deps.events.findMany(course.environment, eventIds)).map((event) => [event.eventId, event]),
  );
  return Promise.all(
    occasions.map(async ({ key, eventId, heldAt }) => {
      const answers = await deps.feedback.answersTo(course.id, key);
      const { comments, total } = await deps.feedback.commentsOn(course.id, key, maxComments);
      const event = eventId === null ? undefined : events.get(eventId);
      return {
        ...tallyOf(answers),
        title: event?.title ?? null,
        heldAt,
        isDay: eventId === null,
        comments,
        moreComments: total - comments.length,
      };
    }),
  );
}
