import type { Course, Member } from "../domain/course.ts";
import { refusal } from "../kernel/refusal.ts";
import type { CourseStore } from "../modules/courses/store/course-store.ts";
import type { MemberStore } from "../modules/members/store/member-store.ts";
import type { Session, Sessions } from "./session.ts";
import { setTemplateLocals } from "./instructor-visit.ts";
import { type FormRequest, tokenOf } from "./session-address.ts";

/** Somebody at a page about themselves. */
export type MyVisit = { session: Session; course: Course; member: Member };

export type MyVisitDeps = {
  sessions: Sessions;
  courses: Pick<CourseStore, "find">;
  members: Pick<MemberStore, "find">;
};

/**
 * Who asks for a page about themselves. Whom the page is about is said by the session alone, whatever else the
 * form names; the role is never more than the launch and the present role both allow.
 * @throws NamedError "session-over", "members-only"
 */
export async function myVisit(deps: MyVisitDeps, request: FormRequest): Promise<MyVisit> {
  const session = await deps.sessions.read(tokenOf(request));
  const { registrationId, courseId, personId } = session;
  const course = await deps.courses.find(courseId);
  const member = await deps.members.find(registrationId, courseId, personId);
  if (course === null || member === null) {
    throw refusal("members-only", { status: 403 });
  }
  const role = session.role === "instructor" ? member.role : "learner";
  if (role === "instructor") setTemplateLocals(request, session, course);
  return { session, course, member: { ...member, role } };
}
