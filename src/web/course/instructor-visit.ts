import { z } from "zod";
import type { Course } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { Session, Sessions } from "../session.ts";

/** An instructor at a page of their course. */
export type InstructorVisit = { session: Session; course: Course };

const carried = z.object({ session: z.unknown().optional() }).catch({});

/**
 * Who sent a form of a course's page.
 * @param body The posted form; it carries the session.
 * @throws NamedError "session-over", "instructors-only"
 */
export async function instructorVisit(
  deps: { sessions: Sessions; courses: Pick<CourseStore, "find"> },
  body: unknown,
): Promise<InstructorVisit> {
  const session = await deps.sessions.read(carried.parse(body).session);
  const course = await deps.courses.find(session.courseId);
  if (session.role === "instructor" && course !== null) return { session, course };
  throw new NamedError("instructors-only", "Only instructors of this course can do this.", { status: 403 });
}
