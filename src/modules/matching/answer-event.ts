import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { writeCourseAudit, type CourseAuditDeps } from "../audit/write-course-audit.ts";

export type AnswerEventDeps = CourseAuditDeps & Pick<App, "unassignedEvents" | "events" | "wake">;

/**
 * "ours" makes an event of no course a session of this one, earlier reports included; "not-ours" hides it here; "open"
 * shows it again.
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
  const key = keyOf(course, eventId);
  if ((await deps.unassignedEvents.find(key)) === null) return false;
  const event = await deps.events.find(course.environment, eventId);
  if (answer === "ours" && event !== null && event.courseId !== null && event.courseId !== course.id)
    return false;
  if (!(await deps.unassignedEvents.answer(key, answer, { by: actor, at: deps.clock.now() }))) return false;
  if (answer !== "ours") return true;
  deps.wake("matches");
  await writeCourseAudit(deps, course, actor, {
    what: "event-matched",
    session: sessionOf(eventId, event),
  });
  return true;
}

/**
 * Takes "ours" back: attendance leaves the course, grades follow, and the event belongs to no course.
 * @param actor The instructor's person id.
 * @returns false when it is not "ours" (any more).
 */
export async function undoEvent(
  deps: AnswerEventDeps,
  course: Course,
  actor: string,
  eventId: string,
): Promise<boolean> {
  const said = { by: actor, at: deps.clock.now() };
  if (!(await deps.unassignedEvents.undo(keyOf(course, eventId), said))) return false;
  deps.wake("matches");
  const event = await deps.events.find(course.environment, eventId);
  await writeCourseAudit(deps, course, actor, {
    what: "event-match-undone",
    session: sessionOf(eventId, event),
  });
  return true;
}

function keyOf({ registrationId, id: courseId, environment }: Course, eventId: string) {
  return { registrationId, courseId, environment, eventId };
}

function sessionOf(eventId: string, event: ClassroomEvent | null) {
  return { eventId, title: event?.title ?? null, startsAt: event?.startsAt ?? null };
}
