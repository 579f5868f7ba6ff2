import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { isDate } from "../../kernel/text.ts";
import { isDayOff, type Occurrence } from "./rules/recurrence.ts";
import { showSessions } from "./show-sessions.ts";

/** The button that was pressed, and a day without class, or the first and last of several. */
type LessDates = { act: string; offFrom: string; offTo: string };

/** Leaves out dates that overlap a session, or that are on the course's days without class, which are named here. */
export async function lessDates(
  app: App,
  course: Course,
  { act, offFrom: from, offTo: to }: LessDates,
  chosen: readonly Occurrence[],
) {
  if (act === "clashes") {
    const overlapped = await sessionsAt(app, course);
    return { course, chosen: chosen.filter((one) => overlapped(one).length === 0) };
  }
  const isKnown = isDate(from) && (to === "" || (isDate(to) && to >= from));
  if (act === "forget") await app.courses.forgetDaysOff(course.id);
  else if (isKnown) await app.courses.addDayOff(course.id, to === "" ? from : `${from}/${to}`);
  // Another instructor may have added one.
  const asItIs = (await app.courses.find(course.id)) ?? course;
  const left = chosen.filter(({ date }) => !isDayOff(asItIs.daysOff ?? [], date));
  return { course: asItIs, chosen: left, wrongDay: act === "off" && !isKnown };
}

/** @returns the sessions of the course that a time overlaps. */
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
