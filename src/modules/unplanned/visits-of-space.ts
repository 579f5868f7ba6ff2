import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import { presenceOf, type Stay } from "../presence/rules/presence.ts";
import { silenceMs } from "../presence/rules/limits.ts";
import type { PresenceRecord } from "../presence/store/presence-store.ts";
import type { Visit, VisitorRole } from "./rules/found-class.ts";
import { maxPresences } from "./rules/limits.ts";

export type VisitsOfSpaceDeps = Pick<App, "presences" | "people" | "members" | "userMatches" | "clock">;

const batchSize = 200;

/**
 * Everybody's stays in a Space, by what they are in a course. A person with several users is one; whom nobody knows is
 * never guessed by name. @param span People heard of from `from` on who came until `to` (ms; null: until now).
 */
export async function visitsOfSpace(
  deps: VisitsOfSpaceDeps,
  course: Course,
  spaceId: string,
  { from, to }: { from: number; to: number | null },
): Promise<Visit[]> {
  const now = deps.clock.now();
  const records = await presencesIn(deps, course, spaceId, { from, to });
  const visitors = await visitorsOf(deps, course, [...new Set(records.map(({ userId }) => userId))]);
  return records.flatMap((record) => {
    const visitor = visitors.get(record.userId) ?? {
      who: `user ${record.userId}`,
      role: "stranger" as const,
    };
    return visitsIn(record, now).map((visit) => ({ ...visit, ...visitor }));
  });
}

/** Ids of users of the classroom whom nobody knows, heard of from `from` on, who came until `to` (ms). */
export async function strangersInSpace(
  deps: VisitsOfSpaceDeps,
  course: Course,
  spaceId: string,
  span: { from: number; to: number },
): Promise<string[]> {
  const records = await presencesIn(deps, course, spaceId, span);
  const userIds = [...new Set(records.map(({ userId }) => userId))];
  const known = await visitorsOf(deps, course, userIds);
  return userIds.filter((userId) => !known.has(userId));
}

async function presencesIn(
  { presences }: Pick<VisitsOfSpaceDeps, "presences">,
  { environment }: Course,
  spaceId: string,
  { from, to }: { from: number; to: number | null },
): Promise<PresenceRecord[]> {
  const read = await presences.listOfSpace({ environment, spaceId }, from, maxPresences);
  return to === null ? read : read.filter(({ firstAt }) => firstAt <= to);
}

function visitsIn(record: PresenceRecord, now: number): Omit<Visit, "who" | "role">[] {
  const { signs, endedAt, lastAt } = record;
  const { stays, heardAt } = presenceOf(signs, { sessionEndedAt: endedAt, heardAt: lastAt, now });
  return stays.map((stay) => ({ from: stay.from, to: stay.to, open: openEnd(stay, heardAt) }));
}

function openEnd({ from, to, end }: Stay, heardAt: number): Visit["open"] {
  if (end === "session-ended") return { heardAt, latest: to };
  return end === "silence" ? { heardAt, latest: Math.max(from, heardAt) + silenceMs } : null;
}

/** By user id; without those whom nobody knows. */
async function visitorsOf(
  deps: VisitsOfSpaceDeps,
  course: Course,
  userIds: readonly string[],
): Promise<Map<string, { who: string; role: VisitorRole }>> {
  const { registrationId, deploymentId, environment } = course;
  const personOf = new Map<string, { id: string; isHere: boolean }>();
  for (let from = 0; from < userIds.length; from += batchSize) {
    const some = userIds.slice(from, from + batchSize);
    const [users, matches] = await Promise.all([
      deps.people.listByApiUsers(environment, some),
      deps.userMatches.findMany({ registrationId, deploymentId, environment }, some),
    ]);
    for (const { userId, person } of users)
      personOf.set(userId, { id: person.id, isHere: isKnownIn(person, course) });
    for (const { userId, personId } of matches) personOf.set(userId, { id: personId, isHere: true });
  }
  const ids = [...new Set([...personOf.values()].filter(({ isHere }) => isHere).map(({ id }) => id))];
  const roles = new Map<string, VisitorRole>();
  for (let from = 0; from < ids.length; from += batchSize) {
    const key = { registrationId, courseId: course.id };
    const members = await deps.members.findMany(key, ids.slice(from, from + batchSize));
    for (const member of members) roles.set(member.personId, roleOf(member));
  }
  return new Map(
    [...personOf].map(([userId, { id }]) => [userId, { who: id, role: roles.get(id) ?? "other" }]),
  );
}

function roleOf({ role, testUser, student }: Pick<Member, "role" | "testUser" | "student">): VisitorRole {
  if (role === "instructor") return "staff";
  return testUser || !student ? "other" : "learner";
}
