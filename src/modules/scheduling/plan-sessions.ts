import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import { sha256 } from "../../kernel/ids.ts";
import { type CourseAuditApp, writeCourseAudit } from "../audit/audit.ts";
import type { PlanChange } from "./store/session-plan-store.ts";
import { type PlannedSession, titleOf } from "./rules/course-session.ts";
import { type Occurrence, isDayOff } from "./rules/recurrence.ts";
import { timeZoneOf } from "./rules/time-zone.ts";
import { isDate } from "../../kernel/text.ts";
import { showSessions } from "./show-sessions.ts";

/** What planning and changing sessions needs. */
export type PlansApp = CourseAuditApp &
  Pick<App, "events" | "sessionPlans" | "wake" | "whileSessionsChange"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "updateEvent" | "cancelEvent">;
  };

type RequestedSessions = {
  /** The page chooses it, so pressing twice plans only once. */
  batch: string;
  /** May have placeholders. See `titleOf`. */
  title: string;
  occurrences: readonly Occurrence[];
  repeats: boolean;
  sectionIds: readonly string[];
  counts: boolean;
  /** Null: the course's own Space. If it's missing, it's made with the first session. */
  spaceId: string | null;
};

export async function planSessions(
  app: PlansApp,
  course: Course,
  personId: string,
  requested: RequestedSessions,
) {
  const now = app.clock.now();
  const of = requested.occurrences.length;
  const series = sha256(`${course.id}\n${requested.batch}`).slice(0, 24);
  const plans = requested.occurrences.map(({ date, startsAt, endsAt }, at): PlannedSession => {
    const number = at + 1;
    return {
      id: `plan_${series}_${number}`,
      registrationId: course.registrationId,
      courseId: course.id,
      environment: course.environment,
      spaceId: requested.spaceId ?? course.spaceId,
      origin: "planned",
      seriesId: requested.repeats ? `series_${series}` : null,
      number,
      of,
      eventId: null,
      state: "wanted",
      task: "make",
      title: titleOf(requested.title, {
        number: String(number),
        of: String(of),
        date,
        course: course.title || course.label,
      }),
      startsAt,
      endsAt,
      shownTitle: null,
      sectionIds: requested.sectionIds,
      counts: requested.counts,
      hostPersonId: personId,
      askedAt: null,
      attempts: 0,
      problem: null,
      revision: 0,
      createdAt: now,
    };
  });
  await app.sessionPlans.insert(plans, now);
  app.wake("session-plans");
  const [first] = plans;
  if (first !== undefined) {
    await writeCourseAudit(app, course, personId, {
      what: "session-planned",
      after: of === 1 ? first.title : `${first.title} (${of})`,
    });
  }
  return of;
}

/**
 * An answer about a stuck plan. "there": it was made, the classroom shows it. "again": make it (once more). "drop": not wanted, or not there.
 * "retry": repeat what failed.
 */
type PlanAnswer = "there" | "again" | "drop" | "retry";

/** Applies an instructor's decision. @returns false if it doesn't fit the plan any more. */
export async function resolvePlan(
  app: Pick<App, "sessionPlans" | "clock" | "wake">,
  course: Pick<Course, "id">,
  planId: string,
  answer: PlanAnswer,
): Promise<boolean> {
  const plan = await app.sessionPlans.find(planId);
  if (plan === null || plan.courseId !== course.id) return false;
  const change = changeFor(plan, answer, app.clock.now());
  if (change === null) return false;
  if (!(await app.sessionPlans.change(plan, change))) return false;
  app.wake("session-plans");
  return true;
}

function changeFor(plan: PlannedSession, answer: PlanAnswer, now: number): PlanChange | null {
  const { state, eventId } = plan;
  const lost = lostStates.has(state) && eventId === null;
  switch (answer) {
    case "there":
      return lost ? { state: "assumed", task: "find", attempts: 0, dueAt: now } : null;
    case "again":
      return lost ? { ...fromTheStart, dueAt: now } : null;
    case "drop":
      return lost || state === "failed" ? { state: "dropped", task: null, dueAt: null } : null;
    case "retry":
      return state === "failed" ? { ...fromTheStart, dueAt: now } : onceMore(plan, now);
  }
}

function onceMore({ task, problem }: PlannedSession, now: number): PlanChange | null {
  return task === null || problem === null ? null : { attempts: 0, problem: null, dueAt: now };
}

const lostStates: ReadonlySet<PlannedSession["state"]> = new Set(["unknown", "assumed"]);
const fromTheStart = { state: "wanted", task: "make", askedAt: null, attempts: 0, problem: null } as const;

/**
 * Takes the zone from an instructor's launch. It's the person's own (`$Person.address.timezone`), so only a first guess. Grades are computed
 * again, as in `changeTimeZone`.
 */
export async function saveTimeZone(
  app: Pick<App, "courses" | "whileSessionsChange">,
  course: Course,
  launch: Pick<Launch, "custom" | "rights">,
): Promise<void> {
  if (course.timeZone !== null || launch.rights.role !== "instructor") return;
  const timeZone = timeZoneOf(launch.custom[customParameter.timeZone] ?? "");
  if (timeZone !== null)
    await app.whileSessionsChange(course, () => app.courses.suggestTimeZone(course.id, timeZone));
}

/** The button that was pressed, and a day without class or the first and last of several. */
type DatesToLeaveOut = { act: string; offFrom: string; offTo: string };

/** Leaves out dates that overlap a session, or that fall on days without class, to which it adds those named here. */
export async function leaveOutDates(
  app: App,
  course: Course,
  { act, offFrom: from, offTo: to }: DatesToLeaveOut,
  chosen: readonly Occurrence[],
) {
  if (act === "clashes") {
    const overlapped = await sessionsAt(app, course);
    return { course, chosen: chosen.filter((one) => overlapped(one).length === 0) };
  }
  const isKnown = isDate(from) && (to === "" || (isDate(to) && to >= from));
  if (act === "forget") await app.courses.forgetDaysOff(course.id);
  else if (isKnown) await app.courses.addDayOff(course.id, to === "" ? from : `${from}/${to}`);
  // Another instructor may have added a day without class.
  const current = (await app.courses.find(course.id)) ?? course;
  const left = chosen.filter(({ date }) => !isDayOff(current.daysOff ?? [], date));
  return { course: current, chosen: left, wrongDay: act === "off" && !isKnown };
}

/** @returns a function that lists the course's sessions that a time overlaps. */
export async function sessionsAt(app: App, course: Course) {
  const others = await comingSessions(app, course);
  return (one: Pick<Occurrence, "startsAt" | "endsAt">) =>
    others.filter(({ startsAt, endsAt }) => startsAt < one.endsAt && (endsAt ?? startsAt + 1) > one.startsAt);
}

export async function comingSessions(app: App, course: Course) {
  const { live, next } = await showSessions(app, course);
  return [...live, ...next].flatMap((session) => {
    const { startsAt, state } = session;
    return startsAt === null || state === "cancelled" ? [] : [{ ...session, startsAt }];
  });
}
