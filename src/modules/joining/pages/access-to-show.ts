import type { Course } from "../../../domain/course.ts";
import { type CourseLink, type SpaceAccess, spaceAccessOf } from "../../../domain/course-link.ts";
import type { Session } from "../../../web/session.ts";

/** A waiting room, or invited people only. Null: nothing; instructors read it on the settings page. */
export function accessToShow(
  session: Pick<Session, "role">,
  { course, link }: { course: Course; link: CourseLink | null },
): Exclude<SpaceAccess, "unknown"> | null {
  if (session.role === "instructor") return null;
  const access = spaceAccessOf(course, link);
  return access === "unknown" ? null : access;
}
