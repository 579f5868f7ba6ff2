import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";
import { presenceOf } from "./rules/presence.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import type { UserOfPerson } from "../members/store/person-store.ts";
import type { PresenceRecord } from "./store/presence-store.ts";
import { maxNamed, silenceMs } from "./rules/limits.ts";

export type CountHereDeps = Pick<App, "presences" | "people" | "courseLinks" | "courses" | "clock">;

export type ListHereDeps = CountHereDeps & Pick<App, "people" | "members" | "userMatches">;

export type PersonHere = {
  personId: string;
  /** A pseudonym when the LMS withholds names. */
  name: string;
  role: "instructor" | "learner";
  /** As far as reported (ms). */
  since: number;
};

/** `others`: people in the Spaces who are not named members of this course. */
export type PeopleHere = { all: number; people: PersonHere[]; others: number };

/** How many people are in a course's Spaces now. A person present as host and as participant counts once, where known. */
export async function countHere(deps: CountHereDeps, course: Course): Promise<number> {
  const spaceIds = await openSpaces(deps, course);
  if (spaceIds.length === 0) return 0;
  const { environment } = course;
  const since = deps.clock.now() - silenceMs;
  const all = await deps.presences.countHere(environment, spaceIds, since);
  if (all < 2) return all;
  const here = await deps.presences.listHere(environment, spaceIds, since, maxNamed);
  const userIds = [...new Set(here.map(({ userId }) => userId))];
  return all - countedTwice(await deps.people.listByApiUsers(environment, userIds));
}

/** Who is in a course's Spaces now. Only members of this course are named: a Space may be shared with other courses. */
export async function listHere(deps: ListHereDeps, course: Course): Promise<PeopleHere> {
  const spaceIds = await openSpaces(deps, course);
  if (spaceIds.length === 0) return { all: 0, people: [], others: 0 };
  const { environment, registrationId, deploymentId } = course;
  const since = deps.clock.now() - silenceMs;
  const [all, here] = await Promise.all([
    deps.presences.countHere(environment, spaceIds, since),
    deps.presences.listHere(environment, spaceIds, since, maxNamed),
  ]);
  const cameAt = new Map<string, number>();
  for (const record of here) {
    const came = cameOf(record);
    cameAt.set(record.userId, Math.min(came, cameAt.get(record.userId) ?? came));
  }
  const userIds = [...cameAt.keys()];
  const [users, matches] = await Promise.all([
    deps.people.listByApiUsers(environment, userIds),
    deps.userMatches.findMany({ registrationId, deploymentId, environment }, userIds),
  ]);
  const ours = users.filter(({ person }) => isKnownIn(person, course));
  const matched = await deps.people.findMany(matches.map(({ personId }) => personId));
  const cameAs = Map.groupBy(
    [...matches, ...ours.map(({ userId, person }) => ({ userId, personId: person.id }))],
    ({ personId }) => personId,
  );
  const everybody = new Map([...matched, ...ours.map(({ person }) => person)].map((one) => [one.id, one]));
  const members = await deps.members.findMany({ registrationId, courseId: course.id }, [...everybody.keys()]);
  const people = members.flatMap((member): PersonHere[] => {
    const person = everybody.get(member.personId);
    if (person === undefined) return [];
    const came = (cameAs.get(person.id) ?? []).flatMap(({ userId }) => cameAt.get(userId) ?? []);
    const since = Math.min(...came, deps.clock.now());
    const { role } = member;
    return [{ personId: person.id, name: personName(person, role), role, since }];
  });
  people.sort((one, other) => one.since - other.since || one.personId.localeCompare(other.personId));
  const total = Math.max(all - countedTwice(users), people.length);
  return { all: total, people, others: total - people.length };
}

/** Users of somebody counted already. */
function countedTwice(users: readonly UserOfPerson[]): number {
  const userIds = new Set(users.map(({ userId }) => userId));
  const ofPerson = Map.groupBy(users, ({ person }) => person.id);
  let twice = 0;
  for (const own of ofPerson.values()) {
    const others = own.slice(1).filter(({ userId }) => userIds.delete(userId));
    twice += others.length;
  }
  return twice;
}

/** When a present person came (ms). */
function cameOf({ signs, firstAt, lastAt }: PresenceRecord): number {
  return presenceOf(signs, { sessionEndedAt: null, now: lastAt }).stays.at(-1)?.from ?? firstAt;
}

/** Those that a course and its links open and have a right to. */
async function openSpaces(deps: CountHereDeps, course: Course): Promise<string[]> {
  const links = await deps.courseLinks.listOfCourse(course.registrationId, course.id);
  const linked = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const maxNamed = [...(course.spaceId === null ? [] : [course.spaceId]), ...linked];
  return [...(await deps.courses.usableOf(course, maxNamed))];
}
