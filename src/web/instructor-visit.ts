import type { Course } from "../domain/course.ts";
import { capabilitiesOf, type Capability } from "../domain/staff-rights.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { CourseStore } from "../modules/courses/store/course-store.ts";
import type { Session, Sessions } from "./session.ts";
import { type FormRequest, tokenOf } from "./session-address.ts";

export type InstructorVisit = { session: Session; course: Course };

/**
 * Who asks for a course's page, and whether they may: the one place where course pages decide that.
 * @param needs What the page or the change needs.
 * @throws NamedError "session-over", "instructors-only", "grades-not-allowed", "corrections-not-allowed"
 */
export async function instructorVisit(
  deps: { sessions: Sessions; courses: Pick<CourseStore, "find"> },
  request: FormRequest,
  needs: Capability,
): Promise<InstructorVisit> {
  const session = await deps.sessions.read(tokenOf(request));
  const course = await deps.courses.find(session.courseId);
  if (session.role !== "instructor" || course === null) throw refusal("instructors-only", { status: 403 });
  if (!mayIn(session, course, needs)) throw notAllowed(needs);
  setTemplateLocals(request, session, course);
  return { session, course };
}

/** By the institution's present rights of the session's role. */
export function mayIn(
  { role, staffRole }: Pick<Session, "role" | "staffRole">,
  { staff }: Pick<Course, "staff">,
  needs: Capability,
): boolean {
  return role === "instructor" && capabilitiesOf(staffRole, staff).includes(needs);
}

export function hiddenAreas(
  session: Pick<Session, "role" | "staffRole">,
  course: Pick<Course, "staff">,
): readonly string[] {
  return mayIn(session, course, "grades") ? [] : ["attendance", "grades"];
}

/** Read by the templates beside a page's own values. */
export function setTemplateLocals(request: FormRequest, session: Session, course: Course): void {
  if (request.res !== undefined) request.res.locals["hides"] = hiddenAreas(session, course);
}

export function notAllowed(needs: Capability): NamedError {
  const options = { status: 403 };
  if (needs === "grades") return refusal("grades-not-allowed", options);
  if (needs === "corrections") return refusal("corrections-not-allowed", options);
  return refusal("instructors-only", options);
}
