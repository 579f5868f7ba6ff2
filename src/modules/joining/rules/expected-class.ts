import type { EnvironmentName } from "../../../domain/registration.ts";

/** A class that is expected to walk in: for a session on the timetable, or because its door is busy. */
export type ExpectedClass = {
  /** Names course and reason: a session that is moved is another reason. */
  id: string;
  registrationId: string;
  courseId: string;
  environment: EnvironmentName;
  reason: { kind: "session"; eventId: string; spaceId: string } | { kind: "busy-door" };
  /** When people are expected (ms): the session's start, or when the door was found busy. */
  startsAt: number;
  /** No login is fetched from then on (ms). */
  endsAt: number;
  /** Calls the whole class needs, as counted when it was planned. */
  calls: number;
  /** Calls made so far. */
  made: number;
  /** When there is (next) something to do (ms). */
  dueAt: number;
  /** Failures in a row. */
  failures: number;
};

const second = 1_000;
const minute = 60 * second;

/** The whole class should have its logins so long before the session (ms): the first come early. */
export const readyBefore = 5 * minute;
/** Nobody is authorized earlier: a login lasts 55 minutes, so it is still good a quarter of an hour into the session. */
export const earliestBefore = 40 * minute;
/** Calls a second that are counted on: half of what the limit allows; the door and everything else take the rest. */
export const callsLeftOver = 2;
/** A session whose end the classroom does not tell counts as this long (ms). */
const usualLength = 60 * minute;
/** However long a session is on paper, nobody is expected later than this after its start (ms). */
const longestLength = 12 * 60 * minute;

/** The id of a course's plan for a session. */
export function sessionPlanId(courseId: string, eventId: string, startsAt: number): string {
  return `${courseId} ${eventId} ${startsAt}`;
}

/** When a session is over for those who would come (ms). */
export function sessionEnd(event: { startsAt: number; endsAt: number | null }): number {
  const { startsAt, endsAt } = event;
  if (endsAt === null || endsAt <= startsAt) return startsAt + usualLength;
  return Math.min(endsAt, startsAt + longestLength);
}

/**
 * When to begin with each class: as late as possible, so that logins are fresh, and early enough that every class is
 * ready `readyBefore` its start when those that start earlier are served first and those that start together share
 * the calls. Never earlier than `earliestBefore` the start: what cannot be done in that time waits at the door.
 * @returns moments (ms) by id; one in the past means now.
 */
export function latestBegins(
  classes: readonly Pick<ExpectedClass, "id" | "startsAt" | "calls" | "made">[],
): Map<string, number> {
  const begins = new Map<string, number>();
  const starts = [...new Set(classes.map(({ startsAt }) => startsAt))].sort((a, b) => b - a);
  let nextBegin = Infinity;
  for (const start of starts) {
    const together = classes.filter(({ startsAt }) => startsAt === start);
    const calls = together.reduce((sum, { calls: all, made }) => sum + Math.max(0, all - made), 0);
    nextBegin = Math.min(nextBegin, start - readyBefore) - Math.ceil((calls / callsLeftOver) * second);
    for (const { id } of together) begins.set(id, Math.max(nextBegin, start - earliestBefore));
  }
  return begins;
}

/**
 * Who goes first: classes that have not begun before those that have, whose people come through the door anyway.
 * Within a rank the earlier start goes first, and of those that start together the one with fewer calls so far.
 */
export function rankOf({ startsAt }: Pick<ExpectedClass, "startsAt">, now: number): number {
  return now < startsAt ? 0 : 1;
}

/** Calls made for one class before another that starts together with it has its turn. */
export function turnOf(people: number): number {
  // A large class is listed anew at each turn, so it gets longer ones.
  return Math.min(40, Math.max(8, Math.ceil(people / 25)));
}

/** When to try a class again after failures in a row (ms): 15 seconds, then twice as long each time, at most 5 minutes. */
export function planRetryAfter(failures: number): number {
  return Math.min(15 * second * 2 ** Math.min(failures - 1, 10), 5 * minute);
}

/**
 * When to look at a class again of which everybody has a login: settings and people change, and logins run out.
 * @param refreshAt When the first login of somebody who has not come runs out (ms); null when none will.
 */
export function nextLook(
  plan: Pick<ExpectedClass, "startsAt">,
  refreshAt: number | null,
  now: number,
): number {
  // Once people are inside, a change of settings concerns few; before, it concerns everybody.
  const soon = now < plan.startsAt + 5 * minute ? minute : 5 * minute;
  return Math.max(now + 5 * second, Math.min(now + soon, refreshAt ?? Infinity));
}

/** Fewer people at a door are no class. */
const fewest = 5;
/** Entries within this time (ms) tell whether a door is busy. */
export const busyWithin = 2 * minute;
/** So long after the last sign of it a door does not count as busy any more (ms). */
export const busyLasts = 5 * minute;

/**
 * Whether the people of a course are walking in as a class: at least five in two minutes and a tenth of the class. Not
 * when most have come: for the rest the door is fast enough.
 */
export function isBusy(course: { arrived: number; expected: number; come: number }): boolean {
  const { arrived, expected, come } = course;
  return couldBeBusy(arrived) && arrived * 10 >= expected && !mostHaveCome(course) && come < expected;
}

/** Whether so many arrivals can be a class, whatever its size. */
export function couldBeBusy(arrived: number): boolean {
  return arrived >= fewest;
}

/** Whether more than half of a class have come. */
export function mostHaveCome({ expected, come }: { expected: number; come: number }): boolean {
  return come * 2 > expected;
}
