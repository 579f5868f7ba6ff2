import type { App } from "../../app.ts";
import type { AttendanceMark } from "./rules/attendance-mark.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { gradeMarked, type GradeMarkedDeps } from "./grade-marked.ts";
import { writeMarkFacts, type WriteMarkFactsDeps } from "./write-mark-facts.ts";

export type RunMarkDeps = WriteMarkFactsDeps & GradeMarkedDeps & Pick<App, "attendanceMarks" | "courses">;

/** After a failure (ms). */
const retryAfterMs = 30_000;

/** Continues the mark due longest, of a killed process or without a waiting page. @returns false when none is due. */
export async function runNextMark(deps: RunMarkDeps): Promise<boolean> {
  const holder = deps.ids.id("hold");
  const now = deps.clock.now();
  const mark = await deps.attendanceMarks.claimDue(holder, now, now + leaseMs);
  if (mark === null) return false;
  await carryOut(deps, mark, holder, Number.POSITIVE_INFINITY);
  return true;
}

/** Corrections, the audit trail, grades; each step is repeatable. @param until When the worker takes over (ms). */
export async function carryOut(
  deps: RunMarkDeps,
  mark: AttendanceMark,
  holder: string,
  until: number,
): Promise<AttendanceMark> {
  const { attendanceMarks: marks, clock } = deps;
  try {
    return await withClaim(deps, { until: 0, extend: (to) => marks.extend(mark.id, holder, to) }, () =>
      steps(deps, mark, holder, until),
    );
  } catch (thrown) {
    await marks.release(mark.id, holder, clock.now() + retryAfterMs);
    throw thrown;
  }
}

async function steps(
  deps: RunMarkDeps,
  begun: AttendanceMark,
  holder: string,
  until: number,
): Promise<AttendanceMark> {
  const { attendanceMarks: marks, clock } = deps;
  const course = await deps.courses.find(begun.courseId);
  let mark = begun;
  if (course !== null && mark.state === "facts") {
    mark = await writeMarkFacts(deps, course, mark, holder, until);
    if (mark.state === "facts" || clock.now() > until) {
      await marks.release(mark.id, holder, clock.now());
      return mark;
    }
  }
  if (course !== null) await gradeMarked(deps, course, mark);
  await marks.finish(mark.id, holder, clock.now());
  return { ...mark, state: "done" };
}
