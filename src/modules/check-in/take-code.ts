import { isSameSecret } from "../../kernel/sealer.ts";
import { createHmac, hkdfSync } from "node:crypto";
import type { App } from "../../app.ts";
import type { Config } from "../../config.ts";
import { checkInOf } from "../../domain/attendance.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { giveBackTry, isSpent, spendTry } from "../feedback/give-feedback.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { isExpected, listOpen, type OpenCheckIn, type OpenCheckInsApp } from "./check-in.ts";
import {
  type CheckIn,
  codeOf,
  maxWrongOfPerson,
  maxWrongOfSession,
  readCode,
  statusAt,
  turnAt,
  turnsTaken,
} from "./rules/check-in.ts";

export type Codes = ReturnType<typeof createCodes>;

type CodesOf = Pick<CheckIn, "id" | "startedAt">;

/**
 * The codes of a check-in, under SECRET_KEY; ones under the previous key are taken, too. They are computed from the time, so
 * that all instances agree and nothing is stored.
 */
export function createCodes({
  secretKey,
  secretKeyPrevious,
}: Pick<Config, "secretKey" | "secretKeyPrevious">) {
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
    /** The newest, and when the next one comes (ms). */
    newest: (checkIn: CodesOf, now: number) => {
      const { turn, endsAt } = turnAt(checkIn.startedAt, now);
      return { code: codeUnder(current, checkIn, turn), endsAt };
    },
    /** @param code As `readCode` reads it. */
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
 * none-open: no session is open for check-in · no-learner: teachers don't check in · wrong: no current code of this course ·
 * not-yours: the session is for other learners · too-many: too many wrong codes before.
 */
export type CodeRefused = "none-open" | "no-learner" | "wrong" | "not-yours" | "too-many";

type CodeTaken =
  { kind: "taken"; at: number; isLate: boolean; again: boolean } | { kind: "refused"; why: CodeRefused };

/** Checks a learner in by a typed code. @param member Of the course, as their own session says. */
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

/** Counts a try before the code is read, so that parallel requests bring no extra tries. */
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
