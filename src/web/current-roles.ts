import { stillAdmitted, type StillAdmittedDeps } from "../features/registration/still-admitted.ts";
import type { CourseStore } from "../storage/course-store.ts";
import type { MemberStore } from "../storage/member-store.ts";
import type { Sessions } from "./session.ts";

/**
 * Sessions that a later launch with a lower role takes rights from: a page that somebody opened as an instructor
 * is a learner's once the LMS says that they are one. Never the other way: a session gets no rights that its own
 * launch did not have. Those of an LMS that was switched off, or of a place that was refused, are not read at all.
 */
export function withCurrentRoles(
  sessions: Sessions,
  deps: StillAdmittedDeps & { courses: Pick<CourseStore, "find">; members: Pick<MemberStore, "find"> },
): Sessions {
  return {
    issue: sessions.issue,
    read: async (token) => {
      const session = await sessions.read(token);
      const { registrationId, courseId, personId } = session;
      const course = await deps.courses.find(courseId);
      if (course !== null) await stillAdmitted(deps, course);
      if (session.role !== "instructor") return session;
      const member = await deps.members.find(registrationId, courseId, personId);
      return member?.role === "instructor" ? session : { ...session, role: "learner" };
    },
  };
}
