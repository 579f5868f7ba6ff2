import type { Course } from "../../domain/course.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

/** Whether the classroom may say that a Space is at an origin. */
export type IsSpaceOrigin = (environment: Course["environment"], origin: string) => boolean;

/**
 * Where the service said that a Space of the course is, which is kept because that is none of the classroom's origins as
 * they are configured now; null for none.
 */
export async function originElsewhere(
  deps: { courses: Pick<CourseStore, "keptElsewhere">; isSpaceOrigin: IsSpaceOrigin },
  course: Pick<Course, "id" | "registrationId" | "environment">,
): Promise<string | null> {
  const kept = await deps.courses.keptElsewhere(course);
  return kept.find(({ origin }) => !deps.isSpaceOrigin(course.environment, origin))?.origin ?? null;
}
