import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { ruleOfCourse } from "../unplanned/list-unplanned.ts";
import type { Codes } from "./codes.ts";
import { sessionOfCourse } from "./list-open.ts";
import { checkInSpan, isOpen } from "./rules/check-in-times.ts";

export type ShowCheckInDeps = Pick<
  App,
  "checkIns" | "events" | "sessionPlans" | "attendance" | "institutionDefaults" | "members" | "clock"
> & { codes: Codes };

export type ShownCheckIn = {
  session: CourseSession;
  /** off: the course does not want it · early, over: not now · ready: it may be started · open: a code is shown. */
  state: "off" | "cancelled" | "early" | "over" | "ready" | "open";
  /** From when it may be started (ms). */
  from: number | null;
  open: {
    id: string;
    code: string;
    /** When the next code comes, and until when any is taken (ms). */
    endsAt: number;
    closesAt: number;
  } | null;
  checkedIn: number;
  expected: number;
  /** Minutes after the beginning from which on a learner is late. */
  lateAfter: number;
};

/** What the screen in the room shows of a session. @throws NamedError "session-unknown" */
export async function showCheckIn(
  deps: ShowCheckInDeps,
  course: Course,
  eventId: string,
): Promise<ShownCheckIn> {
  const session = await sessionOfCourse(deps, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  const now = deps.clock.now();
  const { registrationId, id: courseId } = course;
  const [known, checkedIn, expected, { rule }] = await Promise.all([
    deps.checkIns.ofSession(courseId, eventId),
    deps.attendance.countCheckedIn(registrationId, courseId, eventId),
    deps.members.countLearners({ registrationId, courseId }, session.sectionIds),
    ruleOfCourse(deps, course),
  ]);
  const span = checkInSpan(session);
  const shown = { session, checkedIn, expected, lateAfter: rule.lateAfter, from: span?.from ?? null };
  if (course.checkIn !== true) return { ...shown, state: "off", open: null };
  if (span === null) return { ...shown, state: "cancelled", open: null };
  if (known !== null && isOpen(session, known, now)) {
    const { id } = known;
    const closesAt = Math.min(known.closesAt, span.to);
    return { ...shown, state: "open", open: { id, closesAt, ...deps.codes.newest(known, now) } };
  }
  return { ...shown, state: now < span.from ? "early" : now < span.to ? "ready" : "over", open: null };
}
