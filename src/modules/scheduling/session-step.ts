import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { Course } from "../../domain/course.ts";
import type { OwnFacts, PlannedSession } from "./rules/planned-session.ts";
import { placed } from "./rules/recurrence.ts";
import { titleOf } from "./rules/session-title.ts";
import { wallTimeOf } from "./rules/time-zone.ts";
import type { PlanChange } from "./store/session-plan-store.ts";
import { factsOf, type SessionRecord } from "./session-record.ts";

export type SessionStepDeps = Pick<App, "clock"> & {
  classroomOf: (environment: Course["environment"]) => Pick<ClassroomClient, "updateEvent" | "cancelEvent">;
};

/** What is left out stays. */
export type SessionChange = {
  title?: string;
  /** Wall-clock time in the course's zone; `date` for a single session only. */
  times?: { date: string | null; time: string; minutes: number; timeZone: string };
  own?: Pick<OwnFacts, "sectionIds" | "counts">;
};

export type Step = { change: PlanChange | null; notHere: boolean };

/** What can be changed from here. "elsewhere": only in the classroom itself; "over": not any more. */
export function whatCanChange(
  deps: SessionStepDeps,
  record: SessionRecord,
): { times: "here" | "elsewhere" | "over"; cancel: "here" | "elsewhere" | "over"; titleIsSent: boolean } {
  const over = record.event?.cancelled === true || (factsOf(record).startsAt ?? Infinity) < deps.clock.now();
  const plan = record.plan;
  if (plan === null) {
    const there = over ? "over" : "elsewhere";
    return { times: there, cancel: there, titleIsSent: false };
  }
  const where = placeOf(deps, record, plan);
  const cancels = cancellation(deps, record, plan).change !== null;
  return {
    times: where !== "elsewhere" ? "here" : over ? "over" : "elsewhere",
    cancel: over ? "over" : cancels ? "here" : "elsewhere",
    titleIsSent: where !== "elsewhere",
  };
}

export function changeOf(
  deps: SessionStepDeps,
  course: Course,
  record: SessionRecord,
  plan: PlannedSession,
  wanted: SessionChange,
): Step {
  const where = placeOf(deps, record, plan);
  const wish = wishOf(deps, course, { ...record, plan }, wanted);
  const { own } = wanted;
  const { moved } = wish;
  const isWished = moved !== null || wish.renamed !== null;
  const change: PlanChange = {
    ...(own === undefined || isSaid(plan, own) ? {} : own),
    ...(where === "elsewhere" ? shownHere(wish) : inOurWords(wish)),
    ...(where === "sent" && isWished ? wholeUpdate(record, plan, wish, deps.clock.now()) : {}),
  };
  const notHere = where === "elsewhere" && moved !== null;
  return { change: Object.keys(change).length === 0 ? null : change, notHere };
}

function wishOf(
  deps: Pick<SessionStepDeps, "clock">,
  course: Course,
  record: SessionRecord & { plan: PlannedSession },
  { title, times }: SessionChange,
): Wish {
  const { plan } = record;
  const facts = factsOf(record);
  const over = facts.startsAt !== null && facts.startsAt < deps.clock.now();
  const moved = times === undefined || over ? null : movedFrom(facts, plan, times);
  const name = title === undefined ? null : nameOf(course, plan, moved?.startsAt ?? plan.startsAt, title);
  return { moved, renamed: name === facts.title ? null : name };
}

type Wish = { moved: { startsAt: number; endsAt: number } | null; renamed: string | null };

function shownHere({ renamed }: Wish): PlanChange {
  return renamed === null ? {} : { shownTitle: renamed };
}

/** A name that the classroom knows, or will know, needs no other one here. */
function inOurWords({ moved, renamed }: Wish): PlanChange {
  return { ...moved, ...(renamed === null ? {} : { title: renamed, shownTitle: null }) };
}

/** Null when unchanged. */
function movedFrom(
  facts: { startsAt: number | null; endsAt: number | null },
  plan: PlannedSession,
  times: NonNullable<SessionChange["times"]>,
): Wish["moved"] {
  const { time, minutes, timeZone } = times;
  const date = times.date ?? wallTimeOf(facts.startsAt ?? plan.startsAt, timeZone).date;
  const { startsAt, endsAt } = placed(date, time, minutes, timeZone);
  return startsAt === facts.startsAt && endsAt === facts.endsAt ? null : { startsAt, endsAt };
}

/** Updates are sent whole, so they begin with what the classroom has. */
function wholeUpdate(
  { event }: SessionRecord,
  plan: PlannedSession,
  { moved, renamed }: Wish,
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

function isSaid(
  plan: PlannedSession,
  { sectionIds, counts }: Pick<OwnFacts, "sectionIds" | "counts">,
): boolean {
  return (
    counts === plan.counts && [...sectionIds].sort().join("\n") === [...plan.sectionIds].sort().join("\n")
  );
}

/** Drops a session that the classroom does not know; else cancels it there. */
export function cancellation(deps: SessionStepDeps, record: SessionRecord, plan: PlannedSession): Step {
  if (plan.eventId === null && plan.askedAt === null && plan.state !== "assumed") {
    const change = { state: "dropped", task: null, dueAt: null } as const;
    return { change, notHere: false };
  }
  const cancels = deps.classroomOf(plan.environment).cancelEvent !== null && isOurs(record, plan);
  if (!cancels) return { change: null, notHere: true };
  const being = plan.state === "wanted";
  const change: PlanChange = { task: "cancel", attempts: 0, problem: null };
  return { change: being ? change : { ...change, dueAt: deps.clock.now() }, notHere: false };
}

/** "here": the classroom does not know it yet; "sent" to the classroom; "elsewhere": only in the classroom itself. */
function placeOf(
  deps: SessionStepDeps,
  record: SessionRecord,
  plan: PlannedSession,
): "here" | "sent" | "elsewhere" {
  const { state, askedAt, environment } = plan;
  const canUpdate = deps.classroomOf(environment).updateEvent !== null;
  if (state === "failed" || (state === "wanted" && (askedAt === null || canUpdate))) return "here";
  if (!canUpdate || state !== "made" || !isOurs(record, plan)) return "elsewhere";
  const { startsAt } = factsOf(record);
  return record.event?.cancelled === true || (startsAt ?? 0) < deps.clock.now() ? "elsewhere" : "sent";
}

function isOurs({ event }: SessionRecord, plan: PlannedSession): boolean {
  return (
    plan.origin === "planned" &&
    event?.recurring !== true &&
    plan.state !== "unknown" &&
    plan.state !== "assumed"
  );
}
