import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession, SeriesScope } from "./rules/planned-session.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { factsOf, ownRecord, type SessionRecord, type SessionRecordDeps } from "./session-record.ts";
import {
  cancellation,
  changeOf,
  type SessionChange,
  type SessionStepDeps,
  type Step,
} from "./session-step.ts";

export type ChangeSessionsDeps = SessionRecordDeps &
  CourseAuditDeps &
  SessionStepDeps &
  Pick<App, "sessionPlans" | "wake" | "whileSessionsChange">;

/** `notHere`: sessions that only the classroom itself can change. */
export type ChangeOutcome = { changed: number; notHere: number };

export async function sessionsInScope(
  deps: SessionRecordDeps,
  course: Pick<Course, "id" | "environment">,
  record: SessionRecord,
  scope: SeriesScope,
): Promise<SessionRecord[]> {
  const { plan } = record;
  if (plan === null || plan.seriesId === null || scope === "one") return [record];
  const series = await deps.sessionPlans.listSeries(course.id, plan.seriesId);
  const meant = series.filter(
    (each) => each.state !== "dropped" && (scope === "all" || each.number >= plan.number),
  );
  const events = await deps.events.findMany(
    course.environment,
    meant.flatMap(({ eventId }) => eventId ?? []),
  );
  return meant.map((each) => ({
    plan: each,
    event: events.find(({ eventId }) => eventId === each.eventId) ?? null,
  }));
}

/**
 * Our own facts at once, title and times in the classroom where it has an operation for that; else a title is shown
 * here and in calendars only.
 * @throws NamedError "session-changed-meanwhile" (temporary) while others keep changing the same sessions.
 */
export async function changeSessions(
  deps: ChangeSessionsDeps,
  course: Course,
  personId: string,
  seen: { record: SessionRecord; scope: SeriesScope },
  change: SessionChange,
): Promise<ChangeOutcome> {
  const records = await sessionsInScope(deps, course, seen.record, seen.scope);
  const outcome = await deps.whileSessionsChange(course, () =>
    forEach(deps, course, records, (record, plan) => changeOf(deps, course, record, plan, change)),
  );
  await recordChange(deps, course, personId, seen.record, "session-changed", outcome);
  return outcome;
}

/** Cancels sessions that have not begun; ones not yet made are dropped. */
export async function cancelSessions(
  deps: ChangeSessionsDeps,
  course: Course,
  personId: string,
  seen: { record: SessionRecord; scope: SeriesScope },
): Promise<ChangeOutcome> {
  const inScope = await sessionsInScope(deps, course, seen.record, seen.scope);
  const now = deps.clock.now();
  const records = inScope.filter(
    (record) => record.event?.cancelled !== true && (factsOf(record).startsAt ?? now) >= now,
  );
  const outcome = await deps.whileSessionsChange(course, () =>
    forEach(deps, course, records, (record, plan) => cancellation(deps, record, plan)),
  );
  await recordChange(deps, course, personId, seen.record, "session-cancelled", outcome);
  return outcome;
}

const tries = 5;

async function forEach(
  deps: ChangeSessionsDeps,
  course: Course,
  records: readonly SessionRecord[],
  stepOf: (record: SessionRecord, plan: PlannedSession) => Step,
): Promise<ChangeOutcome> {
  const outcome = { changed: 0, notHere: 0 };
  for (const record of records) {
    let plan = await ownRecord(deps, course, record, deps.clock.now());
    for (let tried = 1; ; tried += 1) {
      const { change, notHere } = stepOf(record, plan);
      if (change === null || (await deps.sessionPlans.change(plan, change))) {
        if (change !== null) outcome.changed += 1;
        if (notHere) outcome.notHere += 1;
        break;
      }
      const now = await deps.sessionPlans.find(plan.id);
      if (now === null || tried >= tries) throw changedMeanwhile();
      plan = now;
    }
  }
  return outcome;
}

async function recordChange(
  deps: ChangeSessionsDeps,
  course: Course,
  personId: string,
  record: SessionRecord,
  what: "session-changed" | "session-cancelled",
  { changed }: ChangeOutcome,
): Promise<void> {
  if (changed === 0) return;
  deps.wake("session-plans");
  const { title, startsAt } = factsOf(record);
  const eventId = record.event?.eventId ?? record.plan?.eventId ?? record.plan?.id ?? "";
  await writeCourseAudit(deps, course, personId, {
    what,
    session: { eventId, title, startsAt },
    after: changed === 1 ? null : `${changed}`,
  });
}

function changedMeanwhile(): NamedError {
  return refusal("session-changed-meanwhile", { status: 409, temporary: true });
}
