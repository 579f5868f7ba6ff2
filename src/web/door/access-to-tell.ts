import type { Course } from "../../domain/course.ts";
import { type SpaceAccess, spaceAccessOf } from "../../domain/space-access.ts";
import { linkOfCourse } from "../../features/courses/change-link.ts";
import type { CourseLinkStore } from "../../storage/course-link-store.ts";
import type { Session } from "../session.ts";

/**
 * What a learner should know of the Space before entering: that it has a waiting room, or lets in invited people only.
 * @returns null when there is nothing to tell. Instructors are told on the settings page, where one of them said so.
 */
export async function accessToTell(
  deps: { courseLinks: CourseLinkStore },
  session: Session,
  course: Course,
): Promise<Exclude<SpaceAccess, "unknown"> | null> {
  if (session.role === "instructor") return null;
  const access = spaceAccessOf(course, await linkOfCourse(deps, course, session.courseLinkId));
  return access === "unknown" ? null : access;
}
