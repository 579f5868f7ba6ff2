import type { App } from "../../app.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { otherSpaceOf } from "../../domain/course-link.ts";
import type { Entry, LastEntry } from "../../domain/entry.ts";
import type { ExpectedClass } from "./rules/expected-class.ts";
import {
  type ExpectedPerson,
  hasCome,
  insideSince,
  likeliestFirst,
  loginWantedAt,
  usualEntry,
} from "./rules/expected-person.ts";
import { willEnter } from "../members/rules/provisioning.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { KnownLogin } from "./store/login-store.ts";
import { callsToEnter, type CallsToEnterDeps } from "./calls-to-enter.ts";
import { findTarget, type FindTargetDeps, fingerprintNow } from "./find-target.ts";
import { memberPageSize } from "./rules/limits.ts";

export type ListExpectedDeps = FindTargetDeps &
  CallsToEnterDeps &
  Pick<App, "members" | "people" | "logins" | "queuePositions"> & {
    appUrlOf: (environment: Course["environment"]) => string;
  };

export type ExpectedPeople = {
  expected: number;
  come: number;
  /** Of the whole class: see `callsToEnter`. */
  calls: number;
  /** Who needs a login now, likeliest first, and how they will probably come. */
  wanting: (ExpectedPerson & { entry: Entry })[];
  /** When the next login is needed (ms); null: none. */
  nextAt: number | null;
};

/**
 * Who is expected, who has come, and who needs a login now. Logins that no longer fit (settings, role, Space, link or
 * API user changed) are discarded; they still count as fetched. @throws what `requireActiveRegistration` throws.
 */
export async function listExpected(
  deps: ListExpectedDeps,
  course: Course,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
  now: number,
): Promise<ExpectedPeople> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const members = (await everyMember(deps, key)).filter(willEnter);
  const logins = new Map((await deps.logins.listOfCourse(key)).map((login) => [login.personId, login]));
  const arrivals = await deps.queuePositions.arrivalsOf(key, insideSince(plan));
  const found: ExpectedPeople = { expected: members.length, come: 0, calls: 0, wanting: [], nextAt: null };
  const usual = await reachableEntry(deps, course, usualEntry(members));
  const recall = remembering(deps, course);
  for (let at = 0; at < members.length; at += memberPageSize) {
    const page = members.slice(at, at + memberPageSize);
    const people = new Map(
      (await deps.people.findMany(page.map((one) => one.personId))).map((one) => [one.id, one]),
    );
    const entrants = page.map(({ personId, role }) => ({ person: people.get(personId), role }));
    for (const calls of await callsToEnter(deps, course, course.spaceId, entrants)) found.calls += calls;
    const outdated: KnownLogin[] = [];
    for (const member of page) {
      const { personId } = member;
      const known = logins.get(personId) ?? null;
      // A newer guess is no better than the one the login was fetched for: hosts may come in different languages.
      const wayOfLogin = entryOf(member, known?.expectedAs ?? usual);
      const fits = known === null || (await stillFits(recall(member, people), wayOfLogin, known, now));
      if (!fits) outdated.push(known);
      const { role, lastLaunchAt } = member;
      const queuedAt = arrivals.get(personId) ?? null;
      const login = fits ? known : { ...known, usableUntil: 0 };
      const person = { personId, role, lastLaunchAt, queuedAt, login };
      count(found, person, entryOf(member, usual), plan, now);
    }
    await deps.logins.discard(outdated);
    await letOthersRun();
  }
  return { ...found, wanting: likeliestFirst(found.wanting) };
}

/** How a person will probably come: as last time, or as others do. */
export function entryOf(
  member: Pick<Member, "courseId" | "personId" | "role" | "lastEntry">,
  usual: LastEntry,
): Entry {
  const { courseId, personId, role, lastEntry } = member;
  // Tab or frame is for the launch to say; the Space URL does not depend on it.
  return { courseId, personId, role, ...(lastEntry ?? usual), shown: "tab" };
}

function count(
  found: ExpectedPeople,
  person: ExpectedPerson,
  entry: Entry,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
  now: number,
): void {
  if (hasCome(person, plan)) found.come += 1;
  const wantedAt = loginWantedAt(person, plan);
  if (wantedAt === null) return;
  if (wantedAt <= now) found.wanting.push({ ...person, entry });
  else found.nextAt = Math.min(found.nextAt ?? Infinity, wantedAt);
}

async function everyMember(
  deps: Pick<ListExpectedDeps, "members">,
  key: { registrationId: string; courseId: string },
): Promise<Member[]> {
  const all: Member[] = [];
  for (let after = ""; ;) {
    const page = await deps.members.listAfter(key, after, memberPageSize);
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < memberPageSize) return all;
    after = last.personId;
    await letOthersRun();
  }
}

/** People who never came are expected in the course's own Space: a host's link may open another one. */
async function reachableEntry(deps: ListExpectedDeps, course: Course, usual: LastEntry): Promise<LastEntry> {
  if (usual.courseLinkId === null) return usual;
  const link = await deps.courseLinks.find(usual.courseLinkId);
  const own = link?.courseId === course.id && otherSpaceOf(link.choice) === null;
  return own ? usual : { ...usual, courseLinkId: null };
}

/** Whether a waiting login is for the way they would come today. */
async function stillFits(
  deps: FindTargetDeps & Pick<ListExpectedDeps, "appUrlOf">,
  entry: Entry,
  login: KnownLogin,
  now: number,
): Promise<boolean> {
  if (login.usedAt !== null || login.usableUntil <= now) return true;
  return fingerprintNow(deps, await findTarget(deps, entry)) === login.fingerprint;
}

/** `findTarget` asks for the same records for everybody of the class. */
function remembering(deps: ListExpectedDeps, course: Course) {
  const once = <Value>(find: (...key: string[]) => Promise<Value>) => {
    const known = new Map<string, Promise<Value>>();
    return (...key: string[]): Promise<Value> => {
      const name = key.join(" ");
      const value = known.get(name) ?? find(...key);
      known.set(name, value);
      return value;
    };
  };
  const shared = {
    accounts: deps.accounts,
    appUrlOf: deps.appUrlOf,
    courses: { find: () => Promise.resolve(course), rightState: deps.courses.rightState },
    courseLinks: { find: once((id = "") => deps.courseLinks.find(id)) },
    registrations: { find: once((id = "") => deps.registrations.find(id)) },
    deployments: { find: once((id = "", deployment = "") => deps.deployments.find(id, deployment)) },
  };
  return (member: Member, people: ReadonlyMap<string, Person>) => ({
    ...shared,
    people: { find: (id: string) => Promise.resolve(people.get(id) ?? null) },
    members: { recordEntry: deps.members.recordEntry, find: () => Promise.resolve(member) },
  });
}
