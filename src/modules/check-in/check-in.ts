import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { App } from "../../app.ts";
import { checkInOf } from "../../domain/attendance.ts";
import type { Course, Member } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { registerRow } from "../attendance/rules/register.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { setByInstitution } from "../courses/change-settings.ts";
import { sessionOf } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { ruleOfCourse } from "../unplanned/list-unplanned.ts";
import { checkInSpan, closingTime, codeOf, isOpen, turnAt, turnsTaken } from "./rules/check-in.ts";
import type { CheckIn } from "./rules/records.ts";

export type ListOpenDeps = Pick<App, "checkIns" | "events" | "sessionPlans" | "clock">;

export type OpenCheckIn = { checkIn: CheckIn; session: CourseSession };

/** Sessions of a course in which learners may check in now. */
export async function listOpen(deps: ListOpenDeps, course: Course): Promise<OpenCheckIn[]> {
  if (course.checkIn !== true) return [];
  const now = deps.clock.now();
  const all = await deps.checkIns.listOpen(course.id, now);
  const open = await Promise.all(
    all.map(async (checkIn): Promise<OpenCheckIn[]> => {
      const session = await sessionOfCourse(deps, course, checkIn.eventId);
      return session !== null && isOpen(session, checkIn, now) ? [{ checkIn, session }] : [];
    }),
  );
  return open.flat();
}

/** Null for a session of another course. */
async function sessionOfCourse(
  deps: Pick<App, "events" | "sessionPlans">,
  { id, environment }: Pick<Course, "id" | "environment">,
  eventId: string,
): Promise<CourseSession | null> {
  const [event, plan] = await Promise.all([
    deps.events.find(environment, eventId),
    deps.sessionPlans.findByEvent(environment, eventId),
  ]);
  if (event === null || event.courseId !== id) return null;
  return sessionOf(event, plan?.courseId === id ? plan : null);
}

/** Whether the register of a session lists them. */
export function isExpected(session: Pick<CourseSession, "sectionIds">, member: Member): boolean {
  return registerRow(session, member, null) !== null;
}

export type MyCheckIns = {
  /** In which they may check in now, and did not yet. */
  open: CourseSession[];
  /** In which they did, of those that are open (ms). */
  done: { session: CourseSession; at: number }[];
};

/** What a learner is asked for now. */
export async function myCheckIns(
  deps: ListOpenDeps & Pick<App, "attendance">,
  course: Course,
  member: Member,
): Promise<MyCheckIns> {
  const mine = (await listOpen(deps, course)).filter(({ session }) => isExpected(session, member));
  const { registrationId, id: courseId } = course;
  const { personId } = member;
  const all = await Promise.all(
    mine.map(async ({ session }) => {
      const key = { registrationId, courseId, eventId: session.eventId, personId };
      const record = await deps.attendance.find(key);
      return { session, at: record === null ? undefined : checkInOf(record) };
    }),
  );
  return {
    open: all.flatMap(({ session, at }) => (at === undefined ? [session] : [])),
    done: all.flatMap(({ session, at }) => (at === undefined ? [] : [{ session, at }])),
  };
}

type ShowCheckInDeps = Pick<
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

type StartCheckInDeps = CourseAuditDeps & Pick<App, "checkIns" | "events" | "sessionPlans">;

/**
 * Learners of a session may check in from now on. @param words The minutes as instructors read them, for the trail.
 * @returns false when they may already.
 * @throws NamedError "check-in-off", "session-unknown", "check-in-not-now"
 */
export async function startCheckIn(
  deps: StartCheckInDeps,
  course: Course,
  of: { eventId: string; minutes: number; by: string },
  words: (minutes: number) => string,
): Promise<boolean> {
  const { eventId, minutes, by } = of;
  const session = await sessionToCheckIn(deps, course, eventId);
  const now = deps.clock.now();
  const closesAt = closingTime(session, minutes, now);
  if (closesAt === null) throw refusal("check-in-not-now", { status: 409 });
  const { registrationId, id: courseId } = course;
  const times = { startedBy: by, startedAt: now, closesAt };
  const id = deps.ids.id("cin");
  if (!(await deps.checkIns.start({ id, registrationId, courseId, eventId, ...times }))) return false;
  const { title, startsAt } = session;
  await writeCourseAudit(deps, course, by, {
    ...{ what: "check-in-started", session: { eventId, title, startsAt } },
    after: words(minutes),
  });
  return true;
}

/** Nobody checks in any more; who did keeps it. @throws NamedError "check-in-off", "session-unknown" */
export async function stopCheckIn(deps: StartCheckInDeps, course: Course, eventId: string): Promise<void> {
  await sessionToCheckIn(deps, course, eventId);
  await deps.checkIns.stop(course.id, eventId, deps.clock.now());
}

async function sessionToCheckIn(
  deps: Pick<App, "events" | "sessionPlans">,
  course: Course,
  eventId: string,
): Promise<CourseSession> {
  if (course.checkIn !== true) throw refusal("check-in-off", { status: 409 });
  const session = await sessionOfCourse(deps, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  return session;
}

type SwitchCheckInDeps = CourseAuditDeps & Pick<App, "courses">;

/**
 * Whether learners of a course may check in; one that is open ends with it. @param words Both as instructors read them, for the
 * trail. @returns false when it is so already.
 * @throws NamedError "set-by-institution"
 */
export async function switchCheckIn(
  deps: SwitchCheckInDeps,
  course: Course,
  personId: string,
  on: boolean,
  words: (on: boolean) => string,
): Promise<boolean> {
  if (course.locked?.includes("checkIn") === true) throw setByInstitution();
  if (!(await deps.courses.setCheckIn(course.id, on))) return false;
  const change = { before: words(!on), after: words(on) };
  await writeCourseAudit(deps, course, personId, { what: "settings-changed", ...change });
  return true;
}

/** The codes of a check-in. They are computed from the time, so that all instances agree and nothing is stored. */
export type Codes = {
  /** The newest, and when the next one comes (ms). */
  newest: (checkIn: CodesOf, now: number) => { code: string; endsAt: number };
  /** @param code As `readCode` reads it. */
  fits: (checkIn: CodesOf, code: string, now: number) => boolean;
};

type CodesOf = Pick<CheckIn, "id" | "startedAt">;

/** Codes under SECRET_KEY; ones under the previous key are taken, too. */
export function createCodes(deps: { secretKey: string; secretKeyPrevious: string | undefined }): Codes {
  const { secretKey, secretKeyPrevious } = deps;
  const keyOf = (secret: string) => new Uint8Array(hkdfSync("sha256", secret, "spaces-lti", "check-in", 32));
  const current = keyOf(secretKey);
  const keys = [current, ...(secretKeyPrevious === undefined ? [] : [keyOf(secretKeyPrevious)])];
  const codeUnder = (key: Uint8Array, { id, startedAt }: CodesOf, turn: number) =>
    codeOf(
      createHmac("sha256", key)
        .update(`${id} ${String(startedAt)} ${String(turn)}`)
        .digest(),
    );
  return {
    newest: (checkIn, now) => {
      const { turn, endsAt } = turnAt(checkIn.startedAt, now);
      return { code: codeUnder(current, checkIn, turn), endsAt };
    },
    fits: (checkIn, code, now) =>
      turnsTaken(checkIn.startedAt, now).some((turn) =>
        keys.some((key) => isSame(codeUnder(key, checkIn, turn), code)),
      ),
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
