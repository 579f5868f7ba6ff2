import type { AccountId } from "../../../domain/account.ts";
import { ofCoursesAlone, signedBy } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import type { UnplannedRule } from "../../../domain/course.ts";
import { byId, compareText } from "../../../kernel/lists.ts";
import { dayMs, hourMs } from "../../../kernel/clock.ts";
import { placed } from "../../scheduling/rules/recurrence.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import { type FoundClass, isPlanned, type PlannedTime } from "./found-class.ts";

/** waiting: an instructor is asked · class: a session of the course · planned: a planned session took its place · none: no class (any more). */
export type UnplannedState = "waiting" | "class" | "planned" | "none";

/** People met in a course's Space, though no session was planned. Times in ms. */
export const unplannedClassRecord = describeRecord("UnplannedClass", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    startsAt: field.number,
    endsAt: field.number,
    /** How many learners were there. */
    learners: field.number,
    led: field.json<FoundClass["led"]>().orNull,
    state: field.textOf<UnplannedState>(),
    /** The state that sessions and attendance already have. Null for none yet. */
    settled: field.textOf<UnplannedState>().orNull,
    /** The rule at the time of the answer, which suggests attendance. */
    rule: field.json<UnplannedRule>().orNull,
    /** The person who answered. Null for the course's or the institution's rule. */
    by: field.text.orNull,
    /** The session's title, as the answer said. Left out for the usual one. */
    title: field.text.optional,
    answeredAt: field.number.orNull,
    /** The planned session that took its place or, for state "class", the session that was postponed to it. */
    eventId: field.text.orNull,
  },
  indexes: [index("courseId", "-startsAt"), index("environment", "spaceId", "startsAt"), index("endsAt")],
  personalData: {
    key: "unplannedClasses",
    holds:
      "when and how many people met in a course's Space without a planned session, and who answered what it was",
    stored: "90 days; a session made of it stays",
    person: [signedBy("by", { courses: ofCoursesAlone })],
    purged: { days: 90, field: "endsAt" },
    names: [{ path: "by", among: "courses" }],
  },
});
export type UnplannedClass = ItemOf<typeof unplannedClassRecord>;

export const unplannedRecords = [unplannedClassRecord];

/** The id of the session made from a class. The classroom doesn't know it and is never asked about it. */
export function sessionIdOf({ id }: Pick<UnplannedClass, "id">): string {
  return `unplanned-${id}`;
}

type StoredClass = Pick<UnplannedClass, "id" | "startsAt" | "endsAt" | "learners" | "led" | "state">;

type ClassChanges = {
  added: FoundClass[];
  changed: { id: string; to: FoundClass }[];
  /** No longer classes: they were joined, a session was planned, or people left earlier. */
  removed: string[];
  /** Sessions whose attendance may have changed. */
  sessions: string[];
};

/**
 * What late signs change. Answered classes stay, whatever they overlap by now. Those that wait for an answer grow, shrink and join.
 * @param stored All that may overlap. @param since Earlier classes stay as they are, because not all of their signs were read.
 */
export function compareClasses(
  found: readonly FoundClass[],
  stored: readonly StoredClass[],
  since: number,
): ClassChanges {
  const changes: ClassChanges = { added: [], changed: [], removed: [], sessions: [] };
  const fixed = stored.filter(({ state, startsAt }) => state !== "waiting" || startsAt < since);
  const waiting = byId(stored.filter((one) => !fixed.includes(one)));
  for (const one of found) {
    if (one.startsAt < since || fixed.some((other) => overlaps(one, other))) continue;
    const [first, ...others] = [...waiting.values()]
      .filter((other) => overlaps(one, other))
      .sort((a, b) => a.startsAt - b.startsAt || compareText(a.id, b.id));
    for (const { id } of others) changes.removed.push(id);
    for (const { id } of [...(first === undefined ? [] : [first]), ...others]) waiting.delete(id);
    if (first === undefined) changes.added.push(one);
    else if (!isSame(first, one)) changes.changed.push({ id: first.id, to: one });
  }
  changes.removed.push(...waiting.keys());
  changes.sessions.push(
    ...stored.filter(({ state, startsAt }) => state === "class" && startsAt >= since).map(({ id }) => id),
  );
  return changes;
}

/**
 * How the timetable changes sessions made from classes. A session planned for the same time, or moved there, replaces ours. If it moves away
 * or is deleted, ours comes back. So one hour never has two sessions.
 */
export function timetableChanges<Of extends Pick<UnplannedClass, "startsAt" | "endsAt" | "state">>(
  stored: readonly Of[],
  planned: readonly (PlannedTime & { eventId: string | null; cancelled: boolean })[],
): TimetableChange<Of>[] {
  return stored.flatMap((of): TimetableChange<Of>[] => {
    const session = planned.find((one) => one.eventId !== null && !one.cancelled && isPlanned(of, [one]));
    if (of.state === "class" && session !== undefined)
      return [{ of, to: "planned", eventId: session.eventId }];
    return of.state === "planned" && session === undefined ? [{ of, to: "class", eventId: null }] : [];
  });
}

type TimetableChange<Of> = { of: Of; to: "class" | "planned"; eventId: string | null };

type Times = Pick<FoundClass, "startsAt" | "endsAt">;

export function overlaps(one: Times, other: Times): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

function isSame(one: Omit<StoredClass, "id" | "state">, other: FoundClass): boolean {
  return (
    one.startsAt === other.startsAt &&
    one.endsAt === other.endsAt &&
    one.learners === other.learners &&
    one.led === other.led
  );
}

type ClassTimes = { startsAt: number; endsAt: number };

const longestMs = 12 * hourMs;
const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * A class's times as an instructor typed them, on a clock in the course's zone: the start nearest to the one found, and the first matching end
 * after it. @returns null if it isn't a time, is longer than twelve hours, or isn't over yet.
 */
export function typedTimes(
  found: ClassTimes,
  typed: { began: string; ended: string },
  timeZone: string,
  now: number,
): ClassTimes | null {
  if (!clockTime.test(typed.began) || !clockTime.test(typed.ended)) return null;
  const startsAt = nearest(found.startsAt, typed.began, timeZone);
  const endsAt =
    startsAt === found.startsAt && typed.ended === wallTimeOf(found.endsAt, timeZone).time
      ? found.endsAt
      : Math.min(...around(startsAt, typed.ended, timeZone).filter((at) => at > startsAt));
  return endsAt > now || endsAt - startsAt > longestMs ? null : { startsAt, endsAt };
}

function nearest(found: number, time: string, timeZone: string): number {
  if (wallTimeOf(found, timeZone).time === time) return found;
  const near = around(found, time, timeZone);
  return near.reduce((best, at) => (Math.abs(at - found) < Math.abs(best - found) ? at : best));
}

/** The moments at which a clock shows this time, from the day before to the day after. */
function around(at: number, time: string, timeZone: string): number[] {
  return [at - dayMs, at, at + dayMs, at + 2 * dayMs].map(
    (day) => placed(wallTimeOf(day, timeZone).date, time, 0, timeZone).startsAt,
  );
}
