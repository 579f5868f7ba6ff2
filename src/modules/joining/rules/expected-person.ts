import type { Member } from "../../../domain/course.ts";
import type { LastEntry } from "../../../domain/entry.ts";
import type { ExpectedClass } from "./expected-class.ts";
import type { PreparedLogin } from "./prepared-login.ts";

/** What is known of somebody who is expected. */
export type ExpectedPerson = {
  personId: string;
  role: Member["role"];
  lastLaunchAt: number | null;
  /** When they got their latest place in the line (ms); null when that was too long ago to matter. */
  queuedAt: number | null;
  /** Their record of logins authorized ahead; null when there is none. */
  login: Pick<PreparedLogin, "plan" | "fetches" | "usableUntil" | "usedAt"> | null;
};

const minute = 60_000;
/** A login is replaced this long before it runs out (ms). */
const renewBefore = minute;

/**
 * Whoever has come since this moment (ms) is taken to be inside: a quarter of an hour before a session. Who looked in
 * earlier is expected again.
 */
export function insideSince(plan: Pick<ExpectedClass, "startsAt" | "reason">): number {
  return plan.startsAt - (plan.reason.kind === "session" ? 15 : 30) * minute;
}

/**
 * How many logins one person may cost a class. Two for a session: the second for those whose first one ran out, or who
 * looked in early. Nobody who is inside gets a spare: who comes back finds the door idle and is in within a second,
 * hosts before everybody else.
 */
export function mostFetches({ reason }: Pick<ExpectedClass, "reason">): number {
  return reason.kind === "session" ? 2 : 1;
}

/**
 * Whether somebody has come to this class: through the line, or with a login that was ready. A launch alone is none:
 * they may have looked at the page only, or have come before the door was open.
 */
export function hasCome(
  { queuedAt, login }: Pick<ExpectedPerson, "queuedAt" | "login">,
  plan: Pick<ExpectedClass, "startsAt" | "reason">,
): boolean {
  return Math.max(queuedAt ?? -Infinity, login?.usedAt ?? -Infinity) >= insideSince(plan);
}

/**
 * From when on (ms) a login is to be fetched for somebody: 0 for at once, later for when theirs runs out, null for
 * never: they have come, or had their share of logins.
 */
export function loginWantedAt(
  person: Pick<ExpectedPerson, "queuedAt" | "login">,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
): number | null {
  if (hasCome(person, plan)) return null;
  const { login } = person;
  const fetches = login?.plan === plan.id ? login.fetches : 0;
  if (fetches >= mostFetches(plan)) return null;
  if (login === null || login.usedAt !== null) return 0;
  const at = Math.max(0, login.usableUntil - renewBefore);
  return at < plan.endsAt ? at : null;
}

/** Who is authorized first: hosts, then who was here most recently, last those who never came. */
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

/**
 * How those are expected to come who never did: as the course's hosts came last, who look at the same course in the
 * same language; as anybody came when no host did. At a computer: a wrong guess costs one call.
 */
export function usualEntry(
  members: readonly Pick<Member, "role" | "lastLaunchAt" | "lastEntry" | "personId">[],
): LastEntry {
  const [latest] = likeliestFirst(members.filter(({ lastEntry }) => lastEntry !== null));
  const { courseLinkId, locale } = latest?.lastEntry ?? { courseLinkId: null, locale: null };
  return { courseLinkId, locale, mobile: false };
}
