import type { App } from "../../app.ts";
import { checkInOf } from "../../domain/attendance.ts";
import type { Course, Member } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { registerRow } from "../attendance/rules/register.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { sessionOf } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import {
  type CheckIn,
  checkInSpan,
  closingTime,
  isOpen,
  codeOf,
  maxWrongOfPerson,
  maxWrongOfSession,
  readCode,
  statusAt,
  turnAt,
  turnsTaken,
} from "./rules/check-in.ts";
import { isSameSecret, keysFor } from "../../kernel/sealer.ts";
import { createHmac, type KeyObject } from "node:crypto";
import type { Config } from "../../config.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { giveBackTry, isSpent, spendTry } from "../feedback/give-feedback.ts";
import { gradeAfterChange } from "../grading/regrade.ts";

/** What listing sessions open for check-in needs. */
export type OpenCheckInsApp = Pick<App, "checkIns" | "events" | "sessionPlans" | "clock">;
/** What an instructor's pages and actions need. */
type CheckInApp = OpenCheckInsApp &
  Pick<App, "courses" | "attendance" | "members" | "courseAudit" | "people" | "ids">;

type OpenCheckIn = { checkIn: CheckIn; session: CourseSession };

/** Sessions of a course in which learners may check in now. */
export async function listOpen(app: OpenCheckInsApp, course: Course): Promise<OpenCheckIn[]> {
  if (!course.checkIn) return [];
  const now = app.clock.now();
  const all = await app.checkIns.listOpen(course.id, now);
  const open = await Promise.all(
    all.map(async (checkIn): Promise<OpenCheckIn[]> => {
      const session = await sessionOfCourse(app, course, checkIn.eventId);
      return session !== null && isOpen(session, checkIn, now) ? [{ checkIn, session }] : [];
    }),
  );
  return open.flat();
}

/** Null for a session of another course. */
async function sessionOfCourse(
  app: Pick<App, "events" | "sessionPlans">,
  { id, environment }: Pick<Course, "id" | "environment">,
  eventId: string,
): Promise<CourseSession | null> {
  const [event, plan] = await Promise.all([
    app.events.find(environment, eventId),
    app.sessionPlans.findByEvent(environment, eventId),
  ]);
  if (event === null || event.courseId !== id) return null;
  return sessionOf(event, plan?.courseId === id ? plan : null);
}

/** Whether the register of a session lists the member, or the account that counts in their place. */
function isExpected(session: Pick<CourseSession, "sectionIds">, member: Member): boolean {
  return registerRow(session, { ...member, joinedTo: null }, null) !== null;
}

export type MyCheckIns = Awaited<ReturnType<typeof myCheckIns>>;

/** The sessions in which a learner may check in now, and those in which they have checked in, with when (ms). */
export async function myCheckIns(
  app: OpenCheckInsApp & Pick<App, "attendance">,
  course: Course,
  member: Member,
) {
  const mine = (await listOpen(app, course)).filter(({ session }) => isExpected(session, member));
  const { registrationId, id: courseId } = course;
  const { personId } = member;
  const all = await Promise.all(
    mine.map(async ({ session }) => {
      const key = { registrationId, courseId, eventId: session.eventId, personId };
      const record = await app.attendance.find(key);
      return { session, at: record === null ? undefined : checkInOf(record) };
    }),
  );
  return {
    open: all.flatMap(({ session, at }) => (at === undefined ? [session] : [])),
    done: all.flatMap(({ session, at }) => (at === undefined ? [] : [{ session, at }])),
  };
}

/**
 * What the screen in the room shows about a session. `from`: when check-in may start at the earliest. `lateAfter`: minutes after the session's
 * start.
 * @throws NamedError "session-unknown"
 */
export async function showCheckIn(app: CheckInApp & { codes: Codes }, course: Course, eventId: string) {
  const session = await sessionOfCourse(app, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  const now = app.clock.now();
  const { registrationId, id: courseId } = course;
  const [known, checkedIn, expected] = await Promise.all([
    app.checkIns.ofSession(courseId, eventId),
    app.attendance.countCheckedIn(registrationId, courseId, eventId),
    app.members.countLearners({ registrationId, courseId }, session.sectionIds),
  ]);
  const span = checkInSpan(session);
  const state = stateOf(course, session, known, now);
  const open =
    state !== "open" || known === null || span === null
      ? null
      : {
          id: known.id,
          /** Until when any code is accepted (ms). */
          closesAt: Math.min(known.closesAt, span.to),
          ...app.codes.newest(known, now),
        };
  return {
    session,
    checkedIn,
    expected,
    lateAfter: course.unplanned.lateAfter,
    from: span?.from ?? null,
    state,
    open,
  };
}

/** off: the course doesn't want it · early, over: not now · ready: it may be started · open: a code is shown. */
type CheckInState = "off" | "cancelled" | "early" | "over" | "ready" | "open";

function stateOf(
  course: Pick<Course, "checkIn">,
  session: CourseSession,
  known: CheckIn | null,
  now: number,
): CheckInState {
  const span = checkInSpan(session);
  if (!course.checkIn) return "off";
  if (span === null) return "cancelled";
  if (known !== null && isOpen(session, known, now)) return "open";
  if (now < span.from) return "early";
  return now < span.to ? "ready" : "over";
}

/**
 * @param words The minutes as instructors read them, for the change log. @returns false if learners may already check in.
 * @throws NamedError "check-in-off", "session-unknown", "check-in-not-now"
 */
export async function startCheckIn(
  app: CheckInApp,
  course: Course,
  of: { eventId: string; minutes: number; by: string },
  words: (minutes: number) => string,
): Promise<boolean> {
  const { eventId, minutes, by } = of;
  const session = await sessionToCheckIn(app, course, eventId);
  const now = app.clock.now();
  const closesAt = closingTime(session, minutes, now);
  if (closesAt === null) throw refusal("check-in-not-now", { status: 409 });
  const { registrationId, id: courseId } = course;
  const times = { startedBy: by, startedAt: now, closesAt };
  const id = app.ids.id("cin");
  if (!(await app.checkIns.start({ id, registrationId, courseId, eventId, ...times }))) return false;
  const { title, startsAt } = session;
  await writeCourseAudit(app, course, by, {
    what: "check-in-started",
    session: { eventId, title, startsAt },
    after: words(minutes),
  });
  return true;
}

/** Ends a check-in. Learners who checked in stay checked in. @throws NamedError "check-in-off", "session-unknown" */
export async function stopCheckIn(app: CheckInApp, course: Course, eventId: string): Promise<void> {
  await sessionToCheckIn(app, course, eventId);
  await app.checkIns.stop(course.id, eventId, app.clock.now());
}

async function sessionToCheckIn(app: Pick<App, "events" | "sessionPlans">, course: Course, eventId: string) {
  if (!course.checkIn) throw refusal("check-in-off", { status: 409 });
  const session = await sessionOfCourse(app, course, eventId);
  if (session === null) throw refusal("session-unknown", { status: 404 });
  return session;
}

export type Codes = ReturnType<typeof createCodes>;

type CodesOf = Pick<CheckIn, "id" | "startedAt">;

/**
 * The codes of a check-in, under SECRET_KEY. Codes under the previous key are accepted, too. They are computed from the time, so all instances
 * agree and nothing is stored.
 */
export function createCodes(config: Pick<Config, "secretKey" | "secretKeyPrevious">) {
  const { current, keys } = keysFor(config, "check-in");
  const codeUnder = (key: KeyObject, { id, startedAt }: CodesOf, turn: number) =>
    codeOf(
      createHmac("sha256", key)
        .update(`${id} ${String(startedAt)} ${String(turn)}`)
        .digest(),
    );
  return {
    /** The newest code, and when the next one comes (ms). */
    newest: (checkIn: CodesOf, now: number) => {
      const { turn, endsAt } = turnAt(checkIn.startedAt, now);
      return { code: codeUnder(current, checkIn, turn), endsAt };
    },
    /** @param code As `readCode` returns it. */
    fits: (checkIn: CodesOf, code: string, now: number): boolean =>
      turnsTaken(checkIn.startedAt, now).some((turn) =>
        keys.some((key) => isSameSecret(codeUnder(key, checkIn, turn), code)),
      ),
  };
}

/** What checking a typed code needs. */
type TakeCodeApp = OpenCheckInsApp &
  GradingApp &
  Pick<App, "attendance" | "people" | "feedback"> & { codes: Codes };

/**
 * none-open: no session is open for check-in · no-learner: teachers don't check in · wrong: no current code of this course · not-yours: the
 * session is for other learners · too-many: there were too many wrong codes before.
 */
export type CodeRefused = "none-open" | "no-learner" | "wrong" | "not-yours" | "too-many";

type CodeTaken =
  | { kind: "taken"; at: number; isLate: boolean; again: boolean }
  | { kind: "refused"; why: CodeRefused };

/** Checks a learner in with a typed code. @param member The course's member whose session this is. */
export async function takeCode(
  app: TakeCodeApp,
  course: Course,
  member: Member,
  typed: string,
): Promise<CodeTaken> {
  const refused = (why: CodeRefused): CodeTaken => ({ kind: "refused", why });
  const now = app.clock.now();
  const open = await listOpen(app, course);
  if (open.length === 0) return refused("none-open");
  if ((member.role !== "learner" && !member.student) || !member.active) return refused("no-learner");
  const own = `check-in ${course.id} ${member.personId}`;
  if (!(await mayTry(app, own, open))) return refused("too-many");
  const code = readCode(typed);
  const found = code === null ? [] : open.filter(({ checkIn }) => app.codes.fits(checkIn, code, now));
  if (found.length === 0) {
    await Promise.all(open.map((one) => spendTry(app, triesOf(one), maxWrongOfSession)));
    return refused("wrong");
  }
  await giveBackTry(app, own);
  const mine = found.find(({ session }) => isExpected(session, member));
  if (mine === undefined) return refused("not-yours");
  return checkIn(app, course, member, mine.session, now);
}

/** Counts an attempt before the code is checked, so parallel requests give no extra attempts. */
async function mayTry(app: TakeCodeApp, own: string, open: readonly OpenCheckIn[]): Promise<boolean> {
  const spent = await Promise.all(open.map((one) => isSpent(app, triesOf(one), maxWrongOfSession)));
  return !spent.every((one) => one) && (await spendTry(app, own, maxWrongOfPerson));
}

function triesOf({ checkIn: { id } }: OpenCheckIn): string {
  return `check-in ${id}`;
}

async function checkIn(
  app: TakeCodeApp,
  course: Course,
  { personId, sectionIds }: Member,
  session: CourseSession,
  now: number,
): Promise<CodeTaken> {
  const { registrationId, id: courseId } = course;
  const key = { registrationId, courseId, eventId: session.eventId, personId };
  const { lateAfter } = course.unplanned;
  const status = statusAt(session, lateAfter, now);
  const people = await app.people.findMany([personId]);
  const first = { id: app.ids.id("att"), sectionIds };
  const facts = await gradeAfterChange(app, course, people, () =>
    app.attendance.checkIn(key, { status, at: now }, first),
  );
  const at = checkInOf(facts) ?? now;
  return { kind: "taken", at, isLate: statusAt(session, lateAfter, at) === "LATE", again: at !== now };
}
