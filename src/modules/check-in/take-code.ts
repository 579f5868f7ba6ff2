import type { App } from "../../app.ts";
import { checkInOf } from "../../domain/attendance.ts";
import type { Course, Member } from "../../domain/course.ts";
import { giveBackTry, isSpent, spendTry, type SpendTryDeps } from "../feedback/give-feedback.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "../grading/grade-after-change.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { ruleOfCourse } from "../unplanned/list-unplanned.ts";
import { type Codes, isExpected, listOpen, type ListOpenDeps, type OpenCheckIn } from "./check-in.ts";
import { maxWrongOfPerson, maxWrongOfSession, readCode, statusAt } from "./rules/check-in.ts";

export type TakeCodeDeps = ListOpenDeps &
  SpendTryDeps &
  GradeAfterChangeDeps &
  Pick<App, "attendance" | "people" | "institutionDefaults"> & { codes: Codes };

/**
 * none-open: nobody may check in now · no-learner: who teaches does not check in · wrong: no code of now, in this course ·
 * not-yours: of a session that is for others · too-many: wrong ones before.
 */
export type CodeRefused = "none-open" | "no-learner" | "wrong" | "not-yours" | "too-many";

export type CodeTaken =
  | { kind: "taken"; session: CourseSession; at: number; isLate: boolean; again: boolean }
  | { kind: "refused"; why: CodeRefused };

/** A learner types a code. @param member Of the course, as their own session says. */
export async function takeCode(
  deps: TakeCodeDeps,
  course: Course,
  member: Member,
  typed: string,
): Promise<CodeTaken> {
  const refused = (why: CodeRefused): CodeTaken => ({ kind: "refused", why });
  const now = deps.clock.now();
  const open = await listOpen(deps, course);
  if (open.length === 0) return refused("none-open");
  if ((member.role !== "learner" && !member.student) || !member.active) return refused("no-learner");
  const own = `check-in ${course.id} ${member.personId}`;
  if (!(await mayTry(deps, own, open))) return refused("too-many");
  const code = readCode(typed);
  const found = code === null ? [] : open.filter(({ checkIn }) => deps.codes.fits(checkIn, code, now));
  if (found.length === 0) {
    await Promise.all(open.map((one) => spendTry(deps, triesOf(one), maxWrongOfSession)));
    return refused("wrong");
  }
  await giveBackTry(deps, own);
  const mine = found.find(({ session }) => isExpected(session, member));
  if (mine === undefined) return refused("not-yours");
  return checkIn(deps, course, member, mine.session, now);
}

/** A learner's own tries are counted before the code is read, so that many at once do not help. */
async function mayTry(deps: TakeCodeDeps, own: string, open: readonly OpenCheckIn[]): Promise<boolean> {
  const spent = await Promise.all(open.map((one) => isSpent(deps, triesOf(one), maxWrongOfSession)));
  return !spent.every((one) => one) && (await spendTry(deps, own, maxWrongOfPerson));
}

function triesOf({ checkIn: { id } }: OpenCheckIn): string {
  return `check-in ${id}`;
}

async function checkIn(
  deps: TakeCodeDeps,
  course: Course,
  { personId, sectionIds }: Member,
  session: CourseSession,
  now: number,
): Promise<CodeTaken> {
  const { registrationId, id: courseId } = course;
  const key = { registrationId, courseId, eventId: session.eventId, personId };
  const { rule } = await ruleOfCourse(deps, course);
  const status = statusAt(session, rule.lateAfter, now);
  const people = await deps.people.findMany([personId]);
  const first = { id: deps.ids.id("att"), sectionIds };
  const facts = await gradeAfterChange(deps, course, people, () =>
    deps.attendance.checkIn(key, { status, at: now }, first),
  );
  const at = checkInOf(facts) ?? now;
  return {
    kind: "taken",
    session,
    at,
    isLate: statusAt(session, rule.lateAfter, at) === "LATE",
    again: at !== now,
  };
}
