import type { AccountId } from "../../../domain/account.ts";
import type { Member } from "../../../domain/course.ts";
import type { LastEntry } from "../../../domain/entry.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import {
  maxLeadMs,
  maxSessionMs,
  minArrivals,
  preparationCallsPerSecond,
  quietForMs,
  readyLeadMs,
  renewLeadMs,
} from "./limits.ts";
import { minuteMs, secondMs } from "../../../kernel/clock.ts";
import { compareText } from "../../../kernel/lists.ts";

/** A class whose people are expected to enter soon, for a session or because people walk in. */
export const expectedClassRecord = describeRecord("ExpectedClass", {
  /** Names the course and the reason. A moved session counts as another reason. */
  id: "id",
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    reason: field.json<{ kind: "session"; eventId: string; spaceId: string } | { kind: "busy-door" }>(),
    /** The session's start, or when people were first seen walking in (ms). */
    startsAt: field.number,
    /** From then on, no login is fetched (ms). */
    endsAt: field.number,
    /** Calls planned for the whole class. */
    calls: field.number,
    made: field.number,
    /** When the class next needs work (ms). */
    dueAt: field.number,
    failures: field.number,
  },
  hidden: {
    open: field.flag,
    begun: field.flag,
    rank: field.number,
    lookedAt: field.number.or(0),
    expiresAt: field.date,
    ...field.lease,
  },
  indexes: [
    index("environment", "open", "rank", "startsAt", "made"),
    index("environment", "open", "dueAt"),
    index("registrationId", "courseId", "open"),
    index("environment", "lookedAt"),
    index.expiry("expiresAt"),
  ],
  personalData: {
    key: "expectedClasses",
    holds: "when a class is expected; no person",
    stored: "a few days after the class",
  },
});
export type ExpectedClass = ItemOf<typeof expectedClassRecord>;

export function sessionPlanId(courseId: string, eventId: string, startsAt: number): string {
  return `${courseId} ${eventId} ${startsAt}`;
}

/** Returns when no more people are expected (ms). */
export function sessionEnd(event: { startsAt: number; endsAt: number | null }): number {
  const { startsAt, endsAt } = event;
  if (endsAt === null || endsAt <= startsAt) return startsAt + assumedLengthMs;
  return Math.min(endsAt, startsAt + maxSessionMs);
}

/**
 * Begins as late as possible, so logins are fresh, but early enough that each class is ready `readyLeadMs` before its start. Earlier starts go
 * first, and equal starts share the calls. Never begins earlier than `maxLeadMs`: people without a login then use the queue.
 * @returns moments (ms) by id. A moment in the past means now.
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
    nextBegin =
      Math.min(nextBegin, start - readyLeadMs) - Math.ceil((calls / preparationCallsPerSecond) * secondMs);
    for (const { id } of together) begins.set(id, Math.max(nextBegin, start - maxLeadMs));
  }
  return begins;
}

/** Classes before their start go first, as later people use the queue anyway. Then the earlier start, then fewer calls so far. */
export function rankOf({ startsAt }: Pick<ExpectedClass, "startsAt">, now: number): number {
  return now < startsAt ? 0 : 1;
}

/** How many calls one class gets before another with the same start has its turn. */
export function turnOf(people: number): number {
  // Large classes get longer turns, because a class is listed again at each turn.
  return Math.min(40, Math.max(8, Math.ceil(people / 25)));
}

/** 15 seconds after the first failure in a row, doubling up to 5 minutes (ms). */
export function planRetryAfter(failures: number): number {
  return Math.min(15 * secondMs * 2 ** Math.min(failures - 1, 10), 5 * minuteMs);
}

/**
 * When to check a class whose people all have logins again, because settings and people change and logins expire.
 * @param refreshAt When the first unused login expires (ms). Null: none will.
 */
export function nextCheckAt(plan: Pick<ExpectedClass, "startsAt">, refreshAt: number | null, now: number) {
  // A change of settings concerns everybody before the start, and few people afterwards.
  const soon = now < plan.startsAt + 5 * minuteMs ? minuteMs : 5 * minuteMs;
  return Math.max(now + 5 * secondMs, Math.min(now + soon, refreshAt ?? Infinity));
}

/**
 * Whether people walk in as a class: at least five in two minutes, and a tenth of the class, but not if most have come, because the queue is
 * fast enough for the rest.
 */
export function isBusy(course: { arrived: number; expected: number; come: number }): boolean {
  const { arrived, expected, come } = course;
  return couldBeBusy(arrived) && arrived * 10 >= expected && !hasMajorityCome(course) && come < expected;
}

export function couldBeBusy(arrived: number): boolean {
  return arrived >= minArrivals;
}

export function hasMajorityCome({ expected, come }: { expected: number; come: number }): boolean {
  return come * 2 > expected;
}

/** At `at` (ms) the course wasn't busy, with this many people arrived. */
export type QuietCourse = { at: number; arrived: number };

/** A check reads the whole class, so the next one waits until a tenth more have arrived, or half a minute has passed. */
export function isStillQuiet(known: QuietCourse | undefined, arrived: number, now: number): boolean {
  return known !== undefined && arrived * 10 < known.arrived * 11 && Math.abs(now - known.at) < quietForMs;
}

export type ExpectedPerson = {
  personId: string;
  role: Member["role"];
  lastLaunchAt: number | null;
  /** When the person last joined the queue (ms). Null: too long ago to matter. */
  queuedAt: number | null;
  login: Pick<PreparedLogin, "plan" | "fetches" | "usableUntil" | "usedAt"> | null;
};

/** People who came since this moment (ms) count as inside. People who looked in earlier are expected again. */
export function insideSince(plan: Pick<ExpectedClass, "startsAt" | "reason">): number {
  return plan.startsAt - (plan.reason.kind === "session" ? 15 : 30) * minuteMs;
}

/**
 * Limits the logins per person. A session allows two: the second replaces a first that expired or was used early. People inside get none,
 * because the queue is empty when they return.
 */
export function maxFetches({ reason }: Pick<ExpectedClass, "reason">): number {
  return reason.kind === "session" ? 2 : 1;
}

/** Whether a person came through the queue or with a prepared login. A launch doesn't count: it may precede the opening of entry. */
export function hasCome(
  { queuedAt, login }: Pick<ExpectedPerson, "queuedAt" | "login">,
  plan: Pick<ExpectedClass, "startsAt" | "reason">,
): boolean {
  return Math.max(queuedAt ?? -Infinity, login?.usedAt ?? -Infinity) >= insideSince(plan);
}

/** When a person needs a login (ms): 0 is now, later if theirs expires, null never (they came or had their share). */
export function loginNeededAt(
  person: Pick<ExpectedPerson, "queuedAt" | "login">,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
): number | null {
  if (hasCome(person, plan)) return null;
  const { login } = person;
  const fetches = login?.plan === plan.id ? login.fetches : 0;
  if (fetches >= maxFetches(plan)) return null;
  if (login === null || login.usedAt !== null) return 0;
  const at = Math.max(0, login.usableUntil - renewLeadMs);
  return at < plan.endsAt ? at : null;
}

/** Hosts first, then people seen most recently. People who never came are last. */
export function likeliestFirst<Person extends Pick<ExpectedPerson, "personId" | "role" | "lastLaunchAt">>(
  people: readonly Person[],
): Person[] {
  const hosts = ({ role }: Person) => (role === "instructor" ? 0 : 1);
  return [...people].sort(
    (a, b) =>
      hosts(a) - hosts(b) ||
      (b.lastLaunchAt ?? -1) - (a.lastLaunchAt ?? -1) ||
      compareText(a.personId, b.personId),
  );
}

/** How people who never came are expected: as the host who came last, or as the last person. A wrong guess costs a call. */
export function usualEntry(
  members: readonly Pick<Member, "role" | "lastLaunchAt" | "lastEntry" | "personId">[],
): LastEntry {
  const [latest] = likeliestFirst(members.filter(({ lastEntry }) => lastEntry !== null));
  const { courseLinkId, locale } = latest?.lastEntry ?? { courseLinkId: null, locale: null };
  return { courseLinkId, locale, mobile: false };
}

export type PreparedLogin = {
  id: string;
  registrationId: string;
  courseId: string;
  personId: string;
  /** The sealed URL. Empty if it was used or discarded, or if there was none. */
  login: string;
  /** The fingerprint of its Space URL. With other settings, another role or Space, the login isn't used. */
  fingerprint: string;
  /** How the person was expected to come, a guess for people who never came. Null if there was no login. */
  expectedAs: LastEntry | null;
  /** Milliseconds. The classroom accepts a token for one hour. */
  usableUntil: number;
  plan: string;
  /** Calls spent on this person for this plan, including failed ones. */
  fetches: number;
  /** When the person entered with it (ms). */
  usedAt: number | null;
  /** Milliseconds. Until then, nobody is authorized again for the same reason. */
  retainedUntil: number;
};
