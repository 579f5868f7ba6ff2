import type { Member } from "../../../domain/course.ts";
import type { LastEntry } from "../../../domain/entry.ts";
import type { ExpectedClass } from "./expected-class.ts";
import type { PreparedLogin } from "./prepared-login.ts";
import { renewLeadMs } from "./limits.ts";

export type ExpectedPerson = {
  personId: string;
  role: Member["role"];
  lastLaunchAt: number | null;
  /** When they last joined the queue (ms); null: too long ago to matter. */
  queuedAt: number | null;
  login: Pick<PreparedLogin, "plan" | "fetches" | "usableUntil" | "usedAt"> | null;
};

const minuteMs = 60_000;

/** People who came since this moment (ms) count as inside; those who looked in earlier are expected again. */
export function insideSince(plan: Pick<ExpectedClass, "startsAt" | "reason">): number {
  return plan.startsAt - (plan.reason.kind === "session" ? 15 : 30) * minuteMs;
}

/**
 * For one person. Two for a session: the second for a first that ran out or was used early. People inside get none: the
 * queue is empty when they return.
 */
export function mostFetches({ reason }: Pick<ExpectedClass, "reason">): number {
  return reason.kind === "session" ? 2 : 1;
}

/** Through the queue or with a prepared login. A launch alone does not count: they may have come before entry opened. */
export function hasCome(
  { queuedAt, login }: Pick<ExpectedPerson, "queuedAt" | "login">,
  plan: Pick<ExpectedClass, "startsAt" | "reason">,
): boolean {
  return Math.max(queuedAt ?? -Infinity, login?.usedAt ?? -Infinity) >= insideSince(plan);
}

/** Milliseconds: 0 for now, later when theirs runs out, null for never (they have come or had their share). */
export function loginWantedAt(
  person: Pick<ExpectedPerson, "queuedAt" | "login">,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
): number | null {
  if (hasCome(person, plan)) return null;
  const { login } = person;
  const fetches = login?.plan === plan.id ? login.fetches : 0;
  if (fetches >= mostFetches(plan)) return null;
  if (login === null || login.usedAt !== null) return 0;
  const at = Math.max(0, login.usableUntil - renewLeadMs);
  return at < plan.endsAt ? at : null;
}

/** Hosts first, then the most recently seen, last those who never came. */
export function likeliestFirst<Person extends Pick<ExpectedPerson, "personId" | "role" | "lastLaunchAt">>(
  people: readonly Person[],
): Person[] {
  const hosts = ({ role }: Person) => (role === "instructor" ? 0 : 1);
  return [...people].sort(
    (a, b) =>
      hosts(a) - hosts(b) ||
      (b.lastLaunchAt ?? -1) - (a.lastLaunchAt ?? -1) ||
      (a.personId < b.personId ? -1 : 1),
  );
}

/** Of people who never came: as the last host, else as anybody. At a computer: a wrong guess costs one call. */
export function usualEntry(
  members: readonly Pick<Member, "role" | "lastLaunchAt" | "lastEntry" | "personId">[],
): LastEntry {
  const [latest] = likeliestFirst(members.filter(({ lastEntry }) => lastEntry !== null));
  const { courseLinkId, locale } = latest?.lastEntry ?? { courseLinkId: null, locale: null };
  return { courseLinkId, locale, mobile: false };
}
