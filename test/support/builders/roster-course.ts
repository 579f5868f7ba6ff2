import { createTranslator } from "../../../src/web/translate.ts";
import type { Course } from "../../../src/domain/course.ts";
import type { PlatformFamily } from "../../../src/domain/lms-product.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { requestRoster } from "../../../src/modules/members/roster-readings.ts";
import { regradeAfterChanges } from "../../../src/modules/grading/regrade.ts";
import { readNextRoster, type RosterApp } from "../../../src/modules/members/sync-roster.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { CourseGroup, RosterMember } from "../../../src/lms/roster.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { openEmptyStores, type StoresFrom } from "./open-empty-stores.ts";
import { launchedCourse, newCourse } from "./launched-course.ts";
import { registrationOf } from "./registration.ts";
import { recordPerson } from "./give-api-user.ts";

/** A person as an LMS lists them: a student without a name unless told otherwise. */
export function listedAs(sub: string, change: Partial<RosterMember> = {}): RosterMember {
  return {
    sub,
    rights: { role: "learner", staffRole: null, testUser: false },
    learner: true,
    name: null,
    givenName: null,
    familyName: null,
    email: null,
    active: true,
    custom: {},
    groupIds: null,
    ...change,
  };
}

/** A course on its own embedded database, with an LMS whose roster a test defines. @param from See `openEmptyStores`. */
export async function openRosterCourse(family: PlatformFamily = "canvas", from?: StoresFrom) {
  const logger = createLogger("silent");
  const { stores, databaseUrl, close } = await openEmptyStores(from);
  const registration: Registration = registrationOf({ family });
  const record = (facts: { membershipsUrl: string | null; groupsUrl?: string }): Promise<Course> =>
    stores.courses.record(
      { registrationId: registration.id, deploymentId: "1", contextId: "ctx" },
      launchedCourse(facts),
      newCourse("crs_1"),
    );
  const course = await record({ membershipsUrl: "https://lms.test/members" });
  const key = { registrationId: registration.id, courseId: course.id };
  const lms: {
    list: RosterApp["roster"]["list"];
    groups: () => Promise<CourseGroup[]>;
    groupsOf: (sub: string) => Promise<string[]>;
  } = {
    list: () => Promise.resolve([]),
    groups: () => Promise.resolve([]),
    groupsOf: () => Promise.resolve([]),
  };
  // Each time is later than the one before: a launch in the millisecond in which a reading begins would outrank it.
  let last = 0;
  const clock = { ...systemClock, now: () => (last = Math.max(last + 1, Date.now())) };
  const deps: RosterApp & Pick<Stores, "provisioning" | "rosterSyncs"> = {
    ...stores,
    registrations: { find: () => Promise.resolve(registration) },
    provisionsOf: () => ({ makes: true, renames: false }),
    wake: () => undefined,
    regradeAfterChanges: (course) =>
      regradeAfterChanges(
        { ...stores, clock, ids: randomIds, translatorOf: createTranslator(), wake: () => undefined },
        course,
      ),
    roster: { list: (...given) => lms.list(...given) },
    groups: { list: () => lms.groups(), idsOfPerson: (_target, sub) => lms.groupsOf(sub) },
    clock,
    ids: randomIds,
    logger,
    ending: new AbortController().signal,
  };
  const next = (): Promise<boolean> => readNextRoster(deps);
  const request = () => requestRoster({ ...deps, wake: () => undefined }, course);
  return {
    url: databaseUrl,
    stores,
    course,
    key,
    record,
    lms,
    deps,
    clock,
    /** Somebody requests the roster. */
    request,
    /** One step of the worker; false when nothing is due. */
    next,
    /** Reads the roster now. @returns the reading's record. */
    read: async (members: RosterMember[]) => {
      lms.list = () => Promise.resolve(members);
      await request();
      await next();
      return stores.rosterSyncs.find(key.registrationId, key.courseId);
    },
    /** Somebody opens the course. */
    launch: async (sub: string, role: "instructor" | "learner", sectionIds: string[] | null = null) => {
      const person = await recordPerson(stores.people, randomIds.id("per"), {
        sub,
        registrationId: registration.id,
      });
      return stores.members.recordLaunch(
        { ...key, personId: person.id },
        { role, testUser: false, lastLaunchAt: clock.now(), listName: sub },
        sectionIds,
        randomIds.id("mem"),
      );
    },
    /** Everybody that the course has or had: "sub role sections (left)". */
    everybody: async (): Promise<string[]> => {
      const members = await stores.members.listAfter(key, "", 10_000);
      const people = await stores.people.findMany(members.map(({ personId }) => personId));
      return members
        .map((member) => {
          const sub = people.find(({ id }) => id === member.personId)?.sub ?? "nobody";
          const sections = member.sectionIds.length === 0 ? "" : ` in ${member.sectionIds.join("+")}`;
          return `${sub} ${member.role}${sections}${member.active ? "" : " (left)"}`;
        })
        .sort();
    },
    close,
  };
}

export type RosterCourse = Awaited<ReturnType<typeof openRosterCourse>>;
