import type { App } from "../../app.ts";
import { classroomRoleOf, personName, plainName } from "../../domain/person.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-scope.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId, compareText, slicesOf } from "../../kernel/lists.ts";
import { type Provisioning, usersToRename } from "./rules/provisioning.ts";
import { inSectionOrder, memberSlices } from "./sections.ts";
import type { ListedMember, MemberKey, MemberStore } from "./store/member-store.ts";

export type PeopleFilter = { search: string; role: Member["role"] | null; sectionId: string | null };

export type CoursePeople = Awaited<ReturnType<typeof showPeople>>;

const pageSize = 50;

/** A course's people for instructors: who they are, in which section, and how recent that is. */
export async function showPeople(
  app: Pick<App, "members" | "people" | "provisioning" | "sections" | "rosterSyncs">,
  course: Course,
  requested: Pick<PeopleFilter, "sectionId"> & Partial<PeopleFilter> & { page: number },
) {
  const { search = "", role = null } = requested;
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const sectionId = sections.some((one) => one.lmsSectionId === requested.sectionId)
    ? requested.sectionId
    : null;
  const { students, ...total } = await app.members.headcounts(key);
  const readiness = await countReadiness(app, key, students + total.instructors);
  const words = plainName(search)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, 8);
  const narrowed = { sectionId, role, words };
  const read = (page: number) =>
    app.members.searchPage(key, narrowed, { skip: (page - 1) * pageSize, limit: pageSize });
  let page = Math.max(1, requested.page);
  let part = await read(page);
  const pages = Math.max(1, Math.ceil(part.total / pageSize));
  if (page > pages) {
    page = pages; // people have left since the page was shown
    part = await read(page);
  }
  const ids = part.members.flatMap(({ personId, joinedTo }) => [personId, joinedTo ?? []].flat());
  const people = byId(await app.people.findMany(ids));
  return {
    rosterOffered: course.membershipsUrl !== null,
    /** Null if none was ever requested. */
    sync: await app.rosterSyncs.find(course.registrationId, course.id),
    total,
    readiness,
    sections: sections.toSorted(inSectionOrder),
    filter: { search, role, sectionId },
    rows: part.members.map((member) => {
      const { personId, role, active, testUser, sectionIds, lastLaunchAt } = member;
      const person = people.get(personId) ?? null;
      return {
        personId,
        role,
        active,
        testUser,
        sectionIds,
        lastLaunchAt,
        away: awayOf(member),
        /** Name of the account that counts instead of this one. */
        countsFor: nameOf(people, member.joinedTo),
        sub: person?.sub ?? "",
        name: person?.name ?? null,
        /** Another name under which the classroom knows them. */
        knownAs: person === null ? null : (usersToRename(person)[0]?.name ?? null),
        /** Their classroom user in their role here, for invitations in the classroom. */
        apiUserId: person?.apiUsers[classroomRoleOf(role)]?.id ?? null,
      };
    }),
    /** The page, counted from 1, the number of pages, and the number of people on all pages. */
    page,
    pages,
    listed: part.total,
  };
}

function nameOf(people: ReadonlyMap<string, Person>, personId: Member["joinedTo"]): string | null {
  const person = people.get(personId ?? "");
  return person === undefined ? null : personName(person);
}

/** unlisted: an instructor who was in no roster, such as an administrator of the LMS, so they haven't left. */
function awayOf({ active, role, listed = null }: Member): "inactive" | "unlisted" | null {
  if (active) return null;
  return role === "instructor" && listed === null ? "unlisted" : "inactive";
}

export type Readiness = {
  /** Students and instructors who are in the course now. */
  expected: number;
  ready: number;
  preparing: number;
  refused: number;
  /** The problem of people being prepared, and the problem of refused people. */
  problem: string | null;
  refusal: string | null;
  /** The codes of both problems, for translation. */
  problemCode: string | null;
  refusalCode: string | null;
};

const membersPerRead = 500;

/** People once seen with an API user for their role keep it, so only the others are read. @param expected How many people will enter. */
async function countReadiness(
  app: Pick<App, "members" | "people" | "provisioning">,
  key: MemberKey,
  expected: number,
): Promise<Readiness> {
  const nobody = { ready: 0, preparing: 0, refused: 0 };
  const readiness: Readiness = { expected, ...nobody, ...nothing };
  const unready = await app.members.listUnready(key);
  let missingInAll = 0;
  for (const role of ["instructor", "learner"] as const) {
    const ids = unready.filter((one) => one.role === role).map(({ personId }) => personId);
    for (const batch of slicesOf(ids, membersPerRead)) {
      const missing = await app.people.withoutApiUser(batch, classroomRoleOf(role));
      missingInAll += missing.length;
      await noteFound(app, key, role, { some: batch, missing });
      for (const one of await app.provisioning.findMany(key.courseId, missing)) countIn(readiness, one);
      await letOthersRun();
    }
  }
  readiness.ready = Math.max(0, expected - missingInAll);
  return readiness;
}

const nothing = { problem: null, refusal: null, problemCode: null, refusalCode: null };

function countIn(
  readiness: Readiness,
  { refused, problem, problemCode }: Pick<Provisioning, "refused" | "problem" | "problemCode">,
): void {
  readiness[refused ? "refused" : "preparing"] += 1;
  const text = refused ? "refusal" : "problem";
  if (problem === null || readiness[text] !== null) return;
  readiness[text] = problem;
  readiness[`${text}Code`] = problemCode ?? null;
}

async function noteFound(
  { members }: Pick<App, "members">,
  key: MemberKey,
  role: Member["role"],
  { some, missing }: { some: readonly string[]; missing: readonly string[] },
): Promise<void> {
  const without = new Set(missing);
  await members.noteReady(
    key,
    some.filter((id) => !without.has(id)),
    role,
  );
}

/** All members of a course in list order: those who are in the course now, then by name. */
export async function everyMember(app: { members: Pick<MemberStore, "listAfter"> }, key: MemberKey) {
  const members: ListedMember[] = [];
  for await (const batch of memberSlices(app, key)) members.push(...batch);
  return members.sort(inListOrder);
}

export function inListOrder(one: ListedMember, other: ListedMember): number {
  if (one.active !== other.active) return one.active ? -1 : 1;
  return compareText(one.listName, other.listName) || compareText(one.personId, other.personId);
}

const usersPerRead = 200;

/** Only names people known to the course's installation, because the classroom may give one user to people of several LMSs. */
export async function namesOfUsers(
  app: Pick<App, "people">,
  course: Pick<Course, "environment" | "registrationId" | "deploymentId">,
  userIds: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const ids = [...new Set(userIds.flatMap((id) => id ?? []))];
  const names = new Map<string, string>();
  for (const batch of slicesOf(ids, usersPerRead)) {
    const found = await app.people.listByApiUsers(course.environment, batch);
    for (const { userId, person } of found)
      if (isKnownIn(person, course)) names.set(userId, personName(person, "instructor"));
  }
  return names;
}

/** Finds people in the course's deployment by users made for them in either role, or matched by an instructor. Never by name. */
export async function personsOfUsers(
  app: Pick<App, "people" | "userMatches">,
  course: Pick<Course, "registrationId" | "deploymentId" | "environment">,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { registrationId, deploymentId, environment } = course;
  const found = new Map<string, string[]>();
  const add = (userId: string, personId: string) => {
    const before = found.get(userId) ?? [];
    if (!before.includes(personId)) found.set(userId, [...before, personId]);
  };
  for (const batch of slicesOf(userIds, usersPerRead)) {
    const matches = await app.userMatches.findMany({ registrationId, deploymentId, environment }, batch);
    for (const { userId, personId } of matches) add(userId, personId);
    for (const { userId, person } of await app.people.listByApiUsers(environment, batch))
      if (isKnownIn(person, course)) add(userId, person.id);
  }
  return found;
}
