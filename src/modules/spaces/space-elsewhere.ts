import type { Course } from "../../domain/course.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

/** Whether an origin may be the classroom's. */
export type IsSpaceOrigin = (environment: Course["environment"], origin: string) => boolean;

/** The origin that the service named for the course's Space, kept unused because it is not a configured one; null for none. */
export async function originElsewhere(
  deps: { courses: Pick<CourseStore, "keptElsewhere">; isSpaceOrigin: IsSpaceOrigin },
  course: Pick<Course, "id" | "registrationId" | "environment">,
): Promise<string | null> {
  const kept = await deps.courses.keptElsewhere(course);
  return kept.find(({ origin }) => !deps.isSpaceOrigin(course.environment, origin))?.origin ?? null;
}
