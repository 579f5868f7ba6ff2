import { refuseLeft } from "../features/joining/find-target.ts";
import { stillAdmitted, type StillAdmittedDeps } from "../features/registration/still-admitted.ts";
import type { CourseStore } from "../storage/course-store.ts";
import type { MemberStore } from "../storage/member-store.ts";
import type { Session, Sessions } from "./session.ts";

/**
 * Sessions that a later launch with a lower role takes rights from: a page that somebody opened as an instructor
 * is a learner's once the LMS says that they are one. Never the other way: a session gets no rights that its own
 * launch did not have. Those of an LMS that was switched off, of a place that was refused, or of somebody who is not
 * in the course any more, are not read at all.
 */
export function withCurrentRoles(
  sessions: Sessions,
  deps: StillAdmittedDeps & { courses: Pick<CourseStore, "find">; members: Pick<MemberStore, "find"> },
): Sessions {
  const asOfNow = async (session: Session): Promise<Session> => {
    const { registrationId, courseId, personId } = session;
    const course = await deps.courses.find(courseId);
    if (course !== null) await stillAdmitted(deps, course);
    const member = await deps.members.find(registrationId, courseId, personId);
    refuseLeft(member);
    return member?.role === "instructor" ? session : { ...session, role: "learner" };
  };
  return {
    issue: sessions.issue,
    read: async (token) => asOfNow(await sessions.read(token)),
    readForEntry: async (token) => asOfNow(await sessions.readForEntry(token)),
  };
}
