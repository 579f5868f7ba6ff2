import { endedByMember } from "../../../domain/browser-session.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { MemberStore } from "../../members/store/member-store.ts";
import { type ActiveRegistrationApp, requireActiveRegistration } from "../../registration/registrations.ts";
import { ended, type SessionJudge } from "../../../web/session.ts";
import { notInCourse } from "../entry-target.ts";

type JudgeApp = ActiveRegistrationApp & { courses: Pick<CourseStore, "find"> };

/**
 * Ends sessions at the first request after their grounds are gone: registration off, deployment refused, person not in the course or in a
 * lower role. A session never gets rights that its launch didn't have.
 */
export function judgeByCourse(app: JudgeApp & { members: Pick<MemberStore, "find"> }): SessionJudge {
  const byLms = judgeByLms(app);
  return async (session) => {
    const { registrationId, courseId, personId } = session;
    const [refused, member] = await Promise.all([
      byLms(session),
      app.members.find(registrationId, courseId, personId),
    ]);
    if (refused !== null) return refused;
    const because = endedByMember(session, member);
    if (because === null) return null;
    if (because !== "left-course") return { because, says: ended(because) };
    // An LMS administrator needn't be in the course, and may be on the way to the console.
    const says = notInCourse();
    return session.consoleUntil === null ? { because, says } : { because, says, stays: true };
  };
}

/** Judges sessions of LMS administrators, who needn't be in the course. */
export function judgeByLms(app: JudgeApp): SessionJudge {
  return async ({ courseId, registrationId, deploymentId }) => {
    const [course] = await Promise.all([
      app.courses.find(courseId),
      // Usually the course's registration. The lookup is cached for later checks.
      app.registrations.find(registrationId),
      deploymentId === null ? null : app.deployments.find(registrationId, deploymentId),
    ]);
    if (course === null) return null;
    try {
      await requireActiveRegistration(app, course);
      return null;
    } catch (thrown) {
      if (!(thrown instanceof NamedError)) throw thrown;
      const because = thrown.code === "deployment-refused" ? "deployment-refused" : "lms-off";
      return { because, says: thrown };
    }
  };
}
