import type { Course } from "../../domain/course.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

/** Whether an origin may be the classroom's. */
export type IsSpaceOrigin = (environment: Course["environment"], origin: string) => boolean;

/** Where the service put the course's Space, kept unused because that is not a configured origin. */
export async function originElsewhere(
  deps: { courses: Pick<CourseStore, "keptElsewhere">; isSpaceOrigin: IsSpaceOrigin },
  course: Pick<Course, "id" | "registrationId" | "environment">,
): Promise<string | null> {
  const kept = await deps.courses.keptElsewhere(course);
  return kept.find(({ origin }) => !deps.isSpaceOrigin(course.environment, origin))?.origin ?? null;
}
