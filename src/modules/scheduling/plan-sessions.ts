import type { App } from "../../app.ts";
import { sha256 } from "../../kernel/ids.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession } from "./rules/planned-session.ts";
import type { Occurrence } from "./rules/recurrence.ts";
import { titleOf } from "./rules/session-title.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";

export type PlanSessionsDeps = CourseAuditDeps & Pick<App, "sessionPlans" | "wake">;

export type WantedSessions = {
  /** Chosen by the page, so that pressing twice plans once. */
  batch: string;
  /** May have placeholders, see `titleOf`. */
  title: string;
  occurrences: readonly Occurrence[];
  repeats: boolean;
  sectionIds: readonly string[];
  counts: boolean;
  /** Null: the course's own, made with the first session when missing. */
  spaceId: string | null;
};

export async function planSessions(
  deps: PlanSessionsDeps,
  course: Course,
  personId: string,
  wanted: WantedSessions,
): Promise<number> {
  const now = deps.clock.now();
  const of = wanted.occurrences.length;
  const series = sha256(`${course.id}\n${wanted.batch}`).slice(0, 24);
  const plans = wanted.occurrences.map(({ date, startsAt, endsAt }, at): PlannedSession => {
    const number = at + 1;
    return {
      id: `plan_${series}_${number}`,
      registrationId: course.registrationId,
      courseId: course.id,
      environment: course.environment,
      spaceId: wanted.spaceId ?? course.spaceId,
      origin: "planned",
      seriesId: wanted.repeats ? `series_${series}` : null,
      number,
      of,
      eventId: null,
      state: "wanted",
      task: "make",
      title: titleOf(wanted.title, {
        number: String(number),
        of: String(of),
        date,
        course: course.title || course.label,
      }),
      startsAt,
      endsAt,
      shownTitle: null,
      sectionIds: wanted.sectionIds,
      counts: wanted.counts,
      hostPersonId: personId,
      askedAt: null,
      attempts: 0,
      problem: null,
      revision: 0,
      createdAt: now,
    };
  });
  await deps.sessionPlans.insert(plans, now);
  deps.wake("session-plans");
  const [first] = plans;
  if (first !== undefined) {
    await writeCourseAudit(deps, course, personId, {
      what: "session-planned",
      after: of === 1 ? first.title : `${first.title} (${of})`,
    });
  }
  return of;
}
