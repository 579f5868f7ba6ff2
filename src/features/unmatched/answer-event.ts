import type { Course } from "../../domain/course.ts";
import type { EventStore } from "../../storage/event-store.ts";
import type { StrayEventStore } from "../../storage/stray-event-store.ts";
import { writeCourseAudit, type CourseAuditDeps } from "../courses/write-course-audit.ts";

export type AnswerEventDeps = CourseAuditDeps & {
  strayEvents: Pick<StrayEventStore, "find" | "answer">;
  events: Pick<EventStore, "find">;
  onMatchSaid: () => void;
};

/**
 * Keeps what an instructor says about an event that is no course's: "ours" makes it a session of this course for good,
 * whatever its Space is, and applies what was told of it before; "not-ours" hides it here; "open" shows it again.
 * @param actor The instructor's person id.
 * @returns false when it was not offered to this course, or is a course's meanwhile.
 */
export async function answerEvent(
  deps: AnswerEventDeps,
  course: Course,
  actor: string,
  eventId: string,
  answer: "ours" | "not-ours" | "open",
): Promise<boolean> {
  const { registrationId, id: courseId, environment } = course;
  const key = { registrationId, courseId, environment, eventId };
  if ((await deps.strayEvents.find(key)) === null) return false;
  const event = await deps.events.find(environment, eventId);
  if (answer === "ours" && event !== null && event.courseId !== null && event.courseId !== courseId)
    return false;
  if (!(await deps.strayEvents.answer(key, answer, { by: actor, at: deps.clock.now() }))) return false;
  if (answer !== "ours") return true;
  deps.onMatchSaid();
  await writeCourseAudit(deps, course, actor, {
    what: "event-matched",
    session: { eventId, title: event?.title ?? null, startsAt: event?.startsAt ?? null },
  });
  return true;
}
