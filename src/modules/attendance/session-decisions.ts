import type { App } from "../../app.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { writeCourseAudit } from "../audit/write-course-audit.ts";
import type { CourseAuditAction } from "../audit/rules/course-audit.ts";
import { isOfEarlierTerm } from "../scheduling/list-sessions.ts";
import type { OwnFacts } from "../scheduling/rules/course-session.ts";
import { wallTimeOf } from "../scheduling/rules/time-zone.ts";
import {
  type CourseTimetable,
  factsOf,
  findEventSession,
  ownRecord,
  type SessionRecord,
} from "../scheduling/show-sessions.ts";
import { refusal } from "../../kernel/refusal.ts";
import { everybodyLeftAt } from "./rules/register.ts";
import { recomputedForMs } from "../presence/rules/limits.ts";
import type { AttendanceRecord } from "./store/attendance-store.ts";
import { wantSessionPresence } from "./keep-presence.ts";

/** To save what instructors decide about a session. */
export type DecisionsApp = Pick<
  App,
  "attendance" | "clock" | "courseAudit" | "events" | "ids" | "people" | "sessionPlans"
> &
  Pick<App, "tasks" | "wake" | "whileSessionsChange">;

/** A session that was cancelled or deleted after somebody was marked in it. */
type EndedSession = { eventId: string; title: string | null; startsAt: number | null; marks: number };

/**
 * Those whose marks count, while no instructor has said whether they are to; latest first. Without grades they count
 * nowhere.
 */
export async function listEndedWithMarks(
  { attendance }: Pick<App, "attendance">,
  course: Pick<Course, "id" | "registrationId" | "policy" | "countsFrom">,
  { next, past }: Pick<CourseTimetable, "next" | "past">,
): Promise<EndedSession[]> {
  if (course.policy.kind === "no-grades") return [];
  const { registrationId, id: courseId } = course;
  const ended = [...next.toReversed(), ...past].flatMap((session) => {
    const { eventId, state, counts, keepsMarks = false, title, startsAt } = session;
    if (eventId === null || state !== "cancelled" || !counts || keepsMarks) return [];
    return isOfEarlierTerm(course, session) ? [] : [{ eventId, title, startsAt }];
  });
  if (ended.length === 0) return [];
  const eventIds = ended.map(({ eventId }) => eventId);
  const known = new Set(await attendance.knownEvents({ registrationId, courseId }, eventIds));
  const counted = ended
    .filter(({ eventId }) => known.has(eventId))
    .map(async (session) => {
      const records = await attendance.listOfEvent(registrationId, courseId, session.eventId);
      const marks = records.filter((record) => currentAttendanceOf(record) !== null).length;
      return { ...session, marks };
    });
  return (await Promise.all(counted)).filter(({ marks }) => marks > 0);
}

/** keep, leave: what counts of a cancelled session with marks. shorten, whole: to when minutes count, see `everybodyLeftAt`. */
export const sessionDecisions = ["keep", "leave", "shorten", "whole"] as const;
export type SessionDecision = (typeof sessionDecisions)[number];

/**
 * An instructor's answer to what a register asks about its session; may be changed by another.
 * @param actor Person id. @returns false when there was nothing to answer.
 * @throws NamedError "session-unknown", "session-changed-meanwhile" (temporary)
 */
export async function decideSession(
  app: DecisionsApp,
  course: Course,
  eventId: string,
  decision: SessionDecision,
  actor: string,
): Promise<boolean> {
  const record = await findEventSession(app, course, eventId);
  if (record?.event == null) throw refusal("session-unknown", { status: 404 });
  const said = await answerFor(app, course, record, decision);
  if (said === null) return false;
  const { startsAt, title } = factsOf(record);
  if (said.minutes) {
    const { registrationId, id: courseId, environment } = course;
    const about = { environment, eventId, registrationId, courseId };
    // Also where this process ends in between.
    await wantSessionPresence(app, about, app.clock.now() + afterwardsMs);
    await say(app, course, record, said.own);
    await wantSessionPresence(app, about);
  } else await app.whileSessionsChange(course, () => say(app, course, record, said.own));
  const line = { what: said.what, session: { eventId, title, startsAt }, ...said.change };
  await writeCourseAudit(app, course, actor, line);
  return true;
}

/** Longer than it takes to write the answer down (ms). */
const afterwardsMs = 30_000;

type Said = {
  own: Partial<Pick<OwnFacts, "counts" | "keepsMarks" | "shortened">>;
  what: CourseAuditAction;
  change: { count?: number; before?: string; after?: string };
  /** It changes minutes, not which sessions count. */
  minutes: boolean;
};

/** Null where the register does not ask for that. */
async function answerFor(
  app: DecisionsApp,
  course: Course,
  { event, plan }: SessionRecord,
  decision: SessionDecision,
): Promise<Said | null> {
  if (event === null) return null;
  const records = await app.attendance.listOfEvent(course.registrationId, course.id, event.eventId);
  if (decision === "keep" || decision === "leave") return aboutMarks(event, records, decision);
  const to = decision === "shorten" ? everybodyLeftAt(event, records, course.policy) : null;
  // Pressed twice, it undoes nothing.
  if (decision === "shorten" && to === null) return null;
  return aboutMinutes(app, course, event, { to, from: plan?.shortened?.to ?? null });
}

function aboutMarks(
  { cancelled }: ClassroomEvent,
  records: readonly AttendanceRecord[],
  decision: "keep" | "leave",
): Said | null {
  const count = records.filter((record) => currentAttendanceOf(record) !== null).length;
  if (!cancelled || count === 0) return null;
  const own = { counts: decision === "keep", keepsMarks: decision === "keep" };
  const what = decision === "keep" ? "session-marks-kept" : "session-marks-left-out";
  return { own, what, change: { count }, minutes: false };
}

/** @param to Null for the whole session. @param from To when minutes count now (ms); null for the whole. */
function aboutMinutes(
  { clock }: Pick<DecisionsApp, "clock">,
  { timeZone }: Course,
  { startsAt, endsAt }: ClassroomEvent,
  { to, from }: { to: number | null; from: number | null },
): Said | null {
  // The minutes of older ones are left as they are.
  if (endsAt === null || startsAt === null || startsAt < clock.now() - recomputedForMs) return null;
  if (to === from) return null;
  const clockOf = (at: number) => wallTimeOf(at, timeZone ?? "UTC").time;
  const what = to === null ? "minutes-of-whole-session" : "minutes-shortened";
  const shortened = to === null ? null : { endsAt, to };
  const change = { before: clockOf(from ?? endsAt), after: clockOf(to ?? endsAt) };
  return { own: { shortened }, what, change, minutes: true };
}

const maxTries = 5;

async function say(
  app: DecisionsApp,
  course: Course,
  record: SessionRecord,
  own: Said["own"],
): Promise<void> {
  let plan = await ownRecord(app, course, record, app.clock.now());
  for (let tries = 1; !(await app.sessionPlans.change(plan, own)); tries += 1) {
    const now = await app.sessionPlans.find(plan.id);
    if (now === null || tries === maxTries)
      throw refusal("session-changed-meanwhile", { status: 409, temporary: true });
    plan = now;
  }
}
