import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession } from "./rules/planned-session.ts";
import type { SectionLink } from "../cohorts/rules/section-link.ts";
import { coursesOpening, type CoursesOpeningDeps } from "../courses/courses-opening.ts";

export type CourseOfEventDeps = CoursesOpeningDeps & Pick<App, "courses" | "unassignedEvents" | "clock">;

type Seen = Pick<ClassroomEvent, "environment" | "eventId" | "spaceId" | "startsAt">;

type Known = {
  plan: PlannedSession | null;
  known: ClassroomEvent | null;
  links: readonly Pick<SectionLink, "courseId">[];
};

/** `said`: by an instructor, who may take it back at any moment. */
export type EventOwner = { courseId: Course["id"] | null; said: boolean };

/**
 * An event belongs to the course that an instructor named, else that planned it, else of its Space: the owner or the
 * only course with a link to it. Of several such courses to none, unless only one has a section linked to a cohort of
 * the event. A course keeps its sessions when another one links later.
 */
export async function courseOfEvent(
  deps: CourseOfEventDeps,
  event: Seen,
  { plan, known, links }: Known,
): Promise<EventOwner> {
  const { environment, eventId, spaceId } = event;
  const claimed = known === null ? null : await deps.unassignedEvents.courseOf(environment, eventId);
  if (claimed !== null) return { courseId: claimed, said: true };
  if (plan !== null && (spaceId === null || spaceId === plan.spaceId))
    return { courseId: plan.courseId, said: false };
  const courseId = spaceId === null ? null : await courseOfSpace(deps, { ...event, spaceId }, known, links);
  return { courseId, said: false };
}

async function courseOfSpace(
  deps: CourseOfEventDeps,
  event: Seen & { spaceId: string },
  known: ClassroomEvent | null,
  links: Known["links"],
): Promise<Course["id"] | null> {
  const { environment, spaceId } = event;
  const before = known?.courseId ?? null;
  if (before !== null && isHeldThere(deps, event, known)) return before;
  const owners = (await deps.courses.findBySpace(environment, spaceId)).map(({ id }) => id);
  const linked = (await coursesOpening(deps, environment, spaceId)).map(({ id }) => id);
  if (before !== null && [...owners, ...linked].includes(before)) return before;
  const there = new Set([...owners, ...linked]);
  const byCohort = new Set(links.flatMap(({ courseId }) => (there.has(courseId) ? [courseId] : [])));
  if (byCohort.size === 1) return [...byCohort][0] ?? null;
  const [owner] = owners;
  const [only = null] = linked.length === 1 ? linked : [];
  return owner ?? only;
}

/** A begun session stays with the course that opened its Space then. */
function isHeldThere({ clock }: Pick<CourseOfEventDeps, "clock">, event: Seen, known: ClassroomEvent | null) {
  return known?.spaceId === event.spaceId && event.startsAt !== null && event.startsAt <= clock.now();
}
