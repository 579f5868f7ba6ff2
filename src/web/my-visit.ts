import { z } from "zod";
import type { Course, Member } from "../domain/course.ts";
import { refusal } from "../kernel/refusal.ts";
import type { CourseStore } from "../modules/courses/store/course-store.ts";
import type { MemberStore } from "../modules/members/store/member-store.ts";
import type { Session, Sessions } from "./session.ts";
import { type FormRequest, setTemplateLocals } from "./instructor-visit.ts";

/** Somebody at a page about themselves. */
export type MyVisit = { session: Session; course: Course; member: Member };

export type MyVisitDeps = {
  sessions: Sessions;
  courses: Pick<CourseStore, "find">;
  members: Pick<MemberStore, "find">;
};

const carried = z.object({ session: z.unknown().optional() }).catch({});

/**
 * Who sent a form of a page about themselves: only the session says whom it is about. The role is never more than the
 * launch and the present role both allow.
 * @param request Its body is the posted form, with the session.
 * @throws NamedError "session-over", "members-only"
 */
export async function myVisit(deps: MyVisitDeps, request: FormRequest): Promise<MyVisit> {
  const session = await deps.sessions.read(carried.parse(request.body).session);
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
