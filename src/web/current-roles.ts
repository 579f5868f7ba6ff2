import type { MemberStore } from "../storage/member-store.ts";
import type { Sessions } from "./session.ts";

/**
 * Sessions that a later launch with a lower role takes rights from: a page that somebody opened as an instructor
 * is a learner's once the LMS says that they are one. Never the other way: a session gets no rights that its own
 * launch did not have.
 */
export function withCurrentRoles(sessions: Sessions, members: MemberStore): Sessions {
  return {
    issue: sessions.issue,
    read: async (token) => {
      const session = await sessions.read(token);
      if (session.role !== "instructor") return session;
      const { registrationId, courseId, personId } = session;
      const member = await members.find(registrationId, courseId, personId);
      return member?.role === "instructor" ? session : { ...session, role: "learner" };
    },
  };
}
