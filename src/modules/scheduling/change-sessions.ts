import type { SessionsApp } from "./list-sessions.ts";
import type { PlansApp } from "./plan-sessions.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import {
  type CourseSession,
  type OwnFacts,
  type PlannedSession,
  sameSections,
  type SeriesScope,
  titleOf,
} from "./rules/course-session.ts";
import { placed } from "./rules/recurrence.ts";
import { wallTimeOf } from "./rules/time-zone.ts";
import { factsOf, ownRecord, type SessionRecord } from "./show-sessions.ts";
import type { PlanChange } from "./store/session-plan-store.ts";

/** `notHere`: how many sessions only the classroom itself can change. */
export type ChangeOutcome = { changed: number; notHere: number };

async function sessionsInScope(
  app: SessionsApp,
  course: Pick<Course, "id" | "environment">,
  record: SessionRecord,
  scope: SeriesScope,
): Promise<SessionRecord[]> {
  const { plan } = record;
  if (plan === null || plan.seriesId === null || scope === "one") return [record];
  const series = await app.sessionPlans.listSeries(course.id, plan.seriesId);
  const meant = series.filter(
    (each) => each.state !== "dropped" && (scope === "all" || each.number >= plan.number),
  );
  const events = await app.events.findMany(
    course.environment,
    meant.flatMap(({ eventId }) => eventId ?? []),
  );
  return meant.map((each) => ({
    plan: each,
    event: events.find(({ eventId }) => eventId === each.eventId) ?? null,
  }));
}

type Seen = { record: SessionRecord; scope: SeriesScope };

/**
 * Changes our own facts here, and title and times in the classroom if it has an operation for that. Otherwise a new title is shown only here
 * and in calendars.
 * @throws NamedError "session-changed-meanwhile" (temporary) while others keep changing the same sessions.
 */
export function changeSessions(
  app: PlansApp,
  course: Course,
  personId: string,
  seen: Seen,
  change: SessionChange,
): Promise<ChangeOutcome> {
  return forScope(app, course, personId, seen, "session-changed", (record, plan) =>
    changeOf(app, course, record, plan, change),
  );
}

/**
 * Cancels a session, and the sessions of its series that haven't begun: in the classroom if it has an operation for that, otherwise here.
 * Sessions that aren't made yet are dropped.
 */
export function cancelSessions(app: PlansApp, course: Course, personId: string, seen: Seen) {
  const now = app.clock.now();
  const seenId = seen.record.plan?.id ?? seen.record.event?.eventId;
  return forScope(app, course, personId, seen, "session-cancelled", (record, plan) => {
    const isSeen = seenId === plan.id || seenId === plan.eventId;
    const isOpen = isSeen || (factsOf(record).startsAt ?? now) >= now;
    return isOpen && record.event?.cancelled !== true ? cancellation(app, record, plan) : nothing;
  });
}

/** Takes back what was cancelled here, unless the classroom has cancelled it since. */
export function restoreSessions(app: PlansApp, course: Course, personId: string, seen: Seen) {
  return forScope(app, course, personId, seen, "session-restored", (record) =>
    isRestorable(record) ? { ...nothing, here: "restoreHere" } : nothing,
  );
}

function isRestorable({ event }: SessionRecord): boolean {
  const reported = event?.told?.eventType;
  return event?.cancelledHere === true && reported !== "EVENT_CANCELLED" && reported !== "EVENT_DELETED";
}

const tries = 5;

/** Changes the sessions one after another, and writes it into the change log. */
async function forScope(
  app: PlansApp,
  course: Course,
  personId: string,
  { record: seen, scope }: Seen,
  what: "session-changed" | "session-cancelled" | "session-restored",
  stepOf: (record: SessionRecord, plan: PlannedSession) => Step,
): Promise<ChangeOutcome> {
  const outcome = { changed: 0, notHere: 0 };
  const records = await sessionsInScope(app, course, seen, scope);
  await app.whileSessionsChange(course, async () => {
    for (const record of records) {
      const done = await take(app, await ownRecord(app, course, record, app.clock.now()), (plan) =>
        stepOf(record, plan),
      );
      outcome.changed += done.changed;
      outcome.notHere += done.notHere;
    }
  });
  if (outcome.changed === 0) return outcome;
  for (const kind of ["session-plans", "upcoming"] as const) app.wake(kind);
  const { title, startsAt } = factsOf(seen);
  const eventId = seen.event?.eventId ?? seen.plan?.eventId ?? seen.plan?.id ?? "";
  const after = outcome.changed === 1 ? null : `${outcome.changed}`;
  await writeCourseAudit(app, course, personId, { what, session: { eventId, title, startsAt }, after });
  return outcome;
}

/** @param plan As it was read. If it has changed since, the step is computed again from the new state. */
async function take(
  app: PlansApp,
  plan: PlannedSession,
  stepOf: (plan: PlannedSession) => Step,
  tried = 1,
): Promise<ChangeOutcome> {
  const { change, here, ...step } = stepOf(plan);
  const notHere = step.notHere ? 1 : 0;
  const { environment, eventId } = plan;
  if (here !== undefined && eventId !== null)
    return { changed: (await app.events[here](environment, eventId, app.clock.now())) ? 1 : 0, notHere };
  if (change === null) return { changed: 0, notHere };
  if (await app.sessionPlans.change(plan, change)) return { changed: 1, notHere };
  const now = await app.sessionPlans.find(plan.id);
  if (now === null || tried >= tries) {
    throw refusal("session-changed-meanwhile", { status: 409, temporary: true });
  }
  return take(app, now, stepOf, tried + 1);
}

/** Fields that are left out stay unchanged. */
export type SessionChange = {
  title?: string;
  /** Wall-clock time in the course's zone. `date` only applies to a single session. */
  times?: { date: string | null; time: string; minutes: number; timeZone: string };
  own?: Partial<Pick<OwnFacts, "counts"> & Pick<CourseSession, "sectionIds">>;
};

/** `here`: a change that the classroom isn't told about. `notHere`: only the classroom can make it. */
type Step = { change: PlanChange | null; notHere: boolean; here?: "cancelHere" | "restoreHere" };

const nothing: Step = { change: null, notHere: false };

/**
 * What can be changed from here. `times`: "elsewhere" means only in the classroom itself, "begun" and "cancelled" that it's too late.
 * `cancel`: "sent" to the classroom, "here" without it, "unplanned" by taking back an unplanned class's answer.
 */
export function whatCanChange(app: PlansApp, record: SessionRecord) {
  const { plan } = record;
  const where = plan === null ? "elsewhere" : whereOf(app, record, plan);
  return {
    times: where === "elsewhere" ? timesElsewhere(app, record) : ("here" as const),
    cancel: howToCancel(app, record),
    titleIsSent: where !== "elsewhere",
  };
}

function timesElsewhere(app: PlansApp, record: SessionRecord): "elsewhere" | "begun" | "cancelled" {
  if (record.event?.cancelled === true) return "cancelled";
  return (factsOf(record).startsAt ?? Infinity) < app.clock.now() ? "begun" : "elsewhere";
}

function howToCancel(app: PlansApp, record: SessionRecord): "sent" | "here" | "undo" | "unplanned" | null {
  const { plan, event } = record;
  if (event?.ours === true) return "unplanned";
  if (event?.cancelled === true) return isRestorable(record) ? "undo" : null;
  if (plan === null) return "here";
  const { change, here } = cancellation(app, record, plan);
  if (change !== null) return "sent";
  return here === undefined ? null : "here";
}

function changeOf(
  app: PlansApp,
  course: Course,
  record: SessionRecord,
  plan: PlannedSession,
  requested: SessionChange,
): Step {
  const where = whereOf(app, record, plan);
  const changed = changedFacts(app, course, { ...record, plan }, requested);
  const { own } = requested;
  const { moved } = changed;
  const isChanged = moved !== null || changed.renamed !== null;
  const change: PlanChange = {
    ...(own === undefined ? {} : newlyStated({ ...record, plan }, own)),
    ...(where === "elsewhere" ? titleHere(changed) : inOurWords(changed)),
    ...(where === "sent" && isChanged ? wholeUpdate(record, plan, changed, app.clock.now()) : {}),
  };
  const notHere = where === "elsewhere" && moved !== null;
  return { change: Object.keys(change).length === 0 ? null : change, notHere };
}

function changedFacts(
  app: PlansApp,
  course: Course,
  record: SessionRecord & { plan: PlannedSession },
  { title, times }: SessionChange,
): ChangedFacts {
  const { plan } = record;
  const facts = factsOf(record);
  const over = facts.startsAt !== null && facts.startsAt < app.clock.now();
  const moved = times === undefined || over ? null : movedFrom(facts, plan, times);
  const name = title === undefined ? null : nameOf(course, plan, moved?.startsAt ?? plan.startsAt, title);
  return { moved, renamed: name === facts.title ? null : name };
}

type ChangedFacts = { moved: { startsAt: number; endsAt: number } | null; renamed: string | null };

function titleHere({ renamed }: ChangedFacts): PlanChange {
  return renamed === null ? {} : { shownTitle: renamed };
}

/** If a name is sent to the classroom, a separate name here isn't needed any more. */
function inOurWords({ moved, renamed }: ChangedFacts): PlanChange {
  return { ...moved, ...(renamed === null ? {} : { title: renamed, shownTitle: null }) };
}

function movedFrom(
  facts: { startsAt: number | null; endsAt: number | null },
  plan: PlannedSession,
  times: NonNullable<SessionChange["times"]>,
): ChangedFacts["moved"] {
  const { time, minutes, timeZone } = times;
  const date = times.date ?? wallTimeOf(facts.startsAt ?? plan.startsAt, timeZone).date;
  const { startsAt, endsAt } = placed(date, time, minutes, timeZone);
  return startsAt === facts.startsAt && endsAt === facts.endsAt ? null : { startsAt, endsAt };
}

/** An update replaces the whole event, so it starts from what the classroom has. */
function wholeUpdate(
  { event }: SessionRecord,
  plan: PlannedSession,
  { moved, renamed }: ChangedFacts,
  now: number,
): PlanChange {
  const { title, startsAt, endsAt } = event ?? plan;
  return {
    title: renamed ?? title ?? plan.title,
    startsAt: moved?.startsAt ?? startsAt ?? plan.startsAt,
    endsAt: moved?.endsAt ?? endsAt ?? plan.endsAt,
    task: "update",
    attempts: 0,
    problem: null,
    dueAt: now,
  };
}

function nameOf(course: Course, plan: PlannedSession, startsAt: number, template: string): string {
  return titleOf(template, {
    number: String(plan.number),
    of: String(plan.of),
    date: wallTimeOf(startsAt, course.timeZone ?? "UTC").date,
    course: course.title || course.label,
  });
}

/** Sections that are shown already stay the event's, so they follow its cohorts. */
function newlyStated(
  record: SessionRecord & { plan: PlannedSession },
  { sectionIds, counts = record.plan.counts }: NonNullable<SessionChange["own"]>,
): PlanChange {
  const isNew = sectionIds !== undefined && !sameSections(sectionIds, factsOf(record).sectionIds);
  return { ...(isNew ? { sectionIds } : {}), ...(counts === record.plan.counts ? {} : { counts }) };
}

/** Drops a session that the classroom doesn't know. Otherwise cancels it there, or here if that isn't possible. */
function cancellation(app: PlansApp, record: SessionRecord, plan: PlannedSession): Step {
  const { state, eventId, askedAt } = plan;
  if (eventId === null && askedAt === null && state !== "assumed")
    return { change: { state: "dropped", task: null, dueAt: null }, notHere: false };
  const isSent = cancelsInClassroom(app, record, plan);
  if (record.event !== null && !isSent) {
    const isUnplanned = record.event.ours === true;
    return { change: null, notHere: isUnplanned, ...(isUnplanned ? {} : { here: "cancelHere" }) };
  }
  const being = state === "wanted";
  if (!being && !isSent) return { change: null, notHere: true };
  const change: PlanChange = { task: "cancel", attempts: 0, problem: null };
  return { change: being ? change : { ...change, dueAt: app.clock.now() }, notHere: false };
}

/** Whether to ask the classroom to cancel the event: not once it has begun. */
function cancelsInClassroom(app: PlansApp, record: SessionRecord, plan: PlannedSession): boolean {
  const { startsAt } = factsOf(record);
  if (startsAt !== null && startsAt < app.clock.now()) return false;
  return app.classroomOf(plan.environment).cancelEvent !== null && isOurs(record, plan);
}

/** "here": the classroom doesn't know it yet. "sent": to the classroom. "elsewhere": only in the classroom itself. */
function whereOf(app: PlansApp, record: SessionRecord, plan: PlannedSession): "here" | "sent" | "elsewhere" {
  const { state, askedAt, environment } = plan;
  const canUpdate = app.classroomOf(environment).updateEvent !== null;
  if (state === "failed" || (state === "wanted" && (askedAt === null || canUpdate))) return "here";
  if (!canUpdate || state !== "made" || !isOurs(record, plan)) return "elsewhere";
  const { startsAt } = factsOf(record);
  return record.event?.cancelled === true || (startsAt ?? 0) < app.clock.now() ? "elsewhere" : "sent";
}

function isOurs({ event }: SessionRecord, plan: PlannedSession): boolean {
  return (
    plan.origin === "planned" &&
    event?.recurring !== true &&
    plan.state !== "unknown" &&
    plan.state !== "assumed"
  );
}
