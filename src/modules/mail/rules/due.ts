import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import { longestReminderMs } from "../../../domain/mails.ts";
import { byId } from "../../../kernel/lists.ts";
import { dayMs, hourMs, minuteMs } from "../../../kernel/clock.ts";
import { placed } from "../../scheduling/rules/recurrence.ts";
import { timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import type { Mail, MailedAlarm } from "./records.ts";

/** A weekly mail is useful until this long after its week (ms). */
export const weeklyUsefulMs = 3 * dayMs;
/** If its course sends no reminders, a session is checked again after this (ms), because an institution may switch them on. */
const checkAgainMs = 15 * minuteMs;
/** A mail about a new time replaces the reminder if it was made at most this long before the reminder is due (ms). */
const changeRemindsMs = hourMs;
/** An alarm that comes and goes is mailed again only after this (ms). */
const alarmRestMs = hourMs;
/** How many alarms that begin in one check are mailed. */
const maxAlarmsMailed = 20;

/** What a reminder is about: a session at its time (ms). If the session is moved, that is another matter. */
type ReminderMatter = { eventId: string; startsAt: number };

/** What a mail about a change is about: the session's new time (null if cancelled), as of one revision of its event. */
type ChangeMatter = { eventId: string; startsAt: number | null; revision: number };

type EventTime = Pick<ClassroomEvent, "startsAt" | "endsAt" | "cancelled">;
type MailFacts = Pick<Mail, "kind" | "about" | "state" | "createdAt">;

export function reminderMatter({ eventId, startsAt }: ReminderMatter): string {
  return `${beginningOfMatters(eventId)}${startsAt}`;
}

export function changeMatter({ eventId, startsAt, revision }: ChangeMatter): string {
  return `${beginningOfMatters(eventId)}${startsAt ?? cancelledWord}@${revision}`;
}

/** The start of `about` in every mail about an event. */
export function beginningOfMatters(eventId: string): string {
  return `${eventId}@`;
}

export function matterOf({ kind, about }: Pick<Mail, "kind" | "about">): ChangeMatter {
  const parts = about.split("@");
  const revision = kind === "reminder-changed" ? Number(parts.pop()) : -1;
  const startsAt = parts.pop();
  return {
    eventId: parts.join("@"),
    revision,
    startsAt: startsAt === cancelledWord ? null : Number(startsAt),
  };
}

const cancelledWord = "cancelled";

/** What a recipient last read about a session: its time then (ms), null if cancelled. */
export type KnownTime = { startsAt: number | null; at: number; byChange: boolean };

/** @param mails One person's mails, in any order. @returns null if none of them about the event may have arrived. */
export function lastKnown(mails: readonly MailFacts[], eventId: string): KnownTime | null {
  const [last] = mails
    .filter(({ state }) => state === "sending" || state === "sent" || state === "unknown")
    .map((mail) => ({ ...mail, matter: matterOf(mail) }))
    .filter(({ kind, matter }) => kind.startsWith("reminder") && matter.eventId === eventId)
    .toSorted((one, other) => other.createdAt - one.createdAt || other.matter.revision - one.matter.revision);
  if (last === undefined) return null;
  const { kind, matter, createdAt } = last;
  return { startsAt: matter.startsAt, at: createdAt, byChange: kind === "reminder-changed" };
}

/** How a session differs from what its recipient read about it. Times in ms. The mail is useful until `usefulUntil`. */
export type SessionChange = { usefulUntil: number } & (
  | { what: "moved"; from: number; to: number }
  | { what: "cancelled"; from: number }
  | { what: "restored"; to: number }
);

/** Null if it doesn't differ, or if the session is over at the time they know. */
export function changeSince(known: KnownTime | null, event: EventTime, now: number): SessionChange | null {
  const { startsAt, endsAt } = event;
  if (known === null || startsAt === null) return null;
  const [from, to] = [known.startsAt, timeOf(event)];
  const usefulUntil = (from ?? startsAt) + Math.max(0, (endsAt ?? startsAt) - startsAt);
  if (from === to || usefulUntil <= now) return null;
  if (to === null) return from === null ? null : { what: "cancelled", from, usefulUntil };
  return from === null ? { what: "restored", to, usefulUntil } : { what: "moved", from, to, usefulUntil };
}

/** When it takes place (ms). Null if it doesn't. */
export function timeOf({ startsAt, cancelled }: EventTime): number | null {
  return cancelled ? null : startsAt;
}

/** Whether a mail about the change has just given this time, so a reminder would only repeat it. */
export function isJustKnown(known: KnownTime | null, startsAt: number, minutes: number): boolean {
  return (
    known?.byChange === true &&
    known.startsAt === startsAt &&
    known.at >= dueAt(startsAt, minutes) - changeRemindsMs
  );
}

/** When the reminder of a session is due (ms). @param minutes How long before the session. */
export function dueAt(startsAt: number, minutes: number): number {
  return startsAt - minutes * minuteMs;
}

/** When to check a session's reminders again (ms), if its event doesn't change first. @param minutes 0 if there are none. */
export function nextCheck(
  { startsAt, cancelled }: { startsAt: number; cancelled: boolean },
  minutes: number,
  now: number,
): number {
  const never = startsAt + longestReminderMs;
  if (cancelled || startsAt <= now) return never;
  if (startsAt - longestReminderMs > now) return startsAt - longestReminderMs;
  if (minutes === 0) return now + checkAgainMs;
  const due = dueAt(startsAt, minutes);
  return due > now ? due : never;
}

/** On Mondays, on the course's own clock. */
const weeklyTime = "07:00";

/** A week of a course, by its Monday ("2026-11-16"): the same week even if the time zone changes. From midnight to midnight there (ms). */
export type CourseWeek = { monday: string; from: number; to: number };

/**
 * The week whose mails are due: from Monday's hour on, while they still say something new.
 * @param now ms @param timeZone The course's. UTC for null, and for a zone that this machine doesn't know.
 */
export function weekToMail(now: number, timeZone: string | null): CourseWeek | null {
  const zone = zoneOf(timeZone);
  const thisMonday = mondayOf(wallTimeOf(now, zone).date);
  const week = weekFrom(daysAfter(thisMonday, -7), zone);
  return weeklyMoment(now, timeZone) <= now && now < week.to + weeklyUsefulMs ? week : null;
}

/** When mails are sent in the present week (ms). */
export function weeklyMoment(now: number, timeZone: string | null): number {
  const zone = zoneOf(timeZone);
  return momentOf(mondayOf(wallTimeOf(now, zone).date), weeklyTime, zone);
}

/** @param monday Such as "2026-11-16". */
export function weekFrom(monday: string, timeZone: string | null): CourseWeek {
  const zone = zoneOf(timeZone);
  const from = momentOf(monday, "00:00", zone);
  return { monday, from, to: momentOf(daysAfter(monday, 7), "00:00", zone) };
}

function zoneOf(timeZone: string | null): string {
  return timeZoneOf(timeZone ?? "") ?? "UTC";
}

function momentOf(date: string, time: string, zone: string): number {
  return placed(date, time, 0, zone).startsAt;
}

function mondayOf(date: string): string {
  const sundayFirst = new Date(`${date}T12:00:00Z`).getUTCDay();
  return daysAfter(date, -((sundayFirst + 6) % 7));
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/**
 * Which alarms operators are mailed about now. An alarm that comes and goes is mailed at most once an hour. If many begin together, some are
 * mailed at a later check, if they are still on.
 * @param told Alarms they know about, including those that are over.
 * @returns `recent`: told within the last hour and still on.
 */
export function alarmsToTell(on: readonly MailedAlarm[], told: readonly MailedAlarm[], now: number) {
  const known = byId(told);
  const present = byId(on);
  const begun = [...present.values()].filter(({ id }) => {
    const before = known.get(id);
    if (before === undefined) return true;
    return before.endedAt !== null && now - before.openedAt >= alarmRestMs;
  });
  const open = told.filter(({ endedAt }) => endedAt === null);
  return {
    begun: begun.slice(0, maxAlarmsMailed),
    recent: open.filter(({ id, openedAt }) => present.has(id) && now - openedAt < alarmRestMs),
    over: open.filter(({ id }) => !present.has(id)),
  };
}
