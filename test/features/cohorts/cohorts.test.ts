import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallOptions } from "../../../src/classroom/create-reader.ts";
import type { ClassroomClient } from "../../../src/classroom/client.ts";
import type { CohortReply, ListedCohortReply } from "../../../src/classroom/read-cohorts.ts";
import { type CohortKey, deletedSince } from "../../../src/modules/cohorts/rules/cohort.ts";
import { linkSection, listLinkHistory, unlinkSection } from "../../../src/modules/cohorts/section-links.ts";
import {
  findCohorts,
  listCohortAttention,
  readCohortList,
  readCohort,
  readUnread,
  refreshCohort,
} from "../../../src/modules/cohorts/cohorts.ts";
import { showDifference } from "../../../src/modules/cohorts/compare-sections.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { openRegisterCourse, type RegisterCourse } from "../../support/builders/register-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
const minute = 60_000;
const key = { environment: "production", programId: "p", cohortId: "c" } as const;
const ids = { programId: "p", cohortId: "c" };

let world: RegisterCourse;
/** The cohort in the classroom; null if it has none (any longer). An error if it does not answer. */
let there: Partial<CohortReply> | null | Error;
let asked: number;
let time: number;
/** The classroom's list of cohorts; null if it has none. */
let listed: { ofProgram: boolean; entries: ListedCohortReply[] } | null;
let programsAsked: (string | undefined)[];

const readList: NonNullable<ClassroomClient["cohortList"]>["read"] = (program) => {
  programsAsked.push(program);
  const of = ({ programId }: ListedCohortReply) => program === undefined || programId === program;
  return Promise.resolve({ entries: listed?.entries.filter(of) ?? [], more: null, failure: null });
};

function deps() {
  return {
    ...world.deps,
    whileSessionsChange: <T>(_of: unknown, change: () => Promise<T>) => change(),
    clock: { ...world.clock, now: () => time },
    classroomOf: () => ({
      readCohort: async (_cohort: object, { onPermit }: CallOptions): Promise<CohortReply | null> => {
        await onPermit?.();
        asked += 1;
        if (there instanceof Error) throw there;
        return there === null ? null : { ...ids, name: "Biology A", organizers: [], attendees: [], ...there };
      },
      cohortList: listed === null ? null : { ...listed, read: readList },
    }),
  };
}

beforeEach(async () => {
  world = await openRegisterCourse(database);
  there = {};
  asked = 0;
  listed = null;
  programsAsked = [];
  time = Date.UTC(2026, 10, 21, 10);
});
afterEach(() => world.close());

/** A webhook arrives, and takes effect a second later. */
async function webhook(eventType: string, at = time, change: Partial<CohortKey> = {}) {
  const receivedAt = time;
  time += 1_000;
  return refreshCohort(deps(), { ...key, ...change, eventType, at, receivedAt });
}
const cohort = () => world.stores.cohorts.find(key);
const since = async () => {
  const known = await cohort();
  return known === null ? "unknown" : deletedSince(known);
};
const attendees = async () => (await cohort())?.attendees?.map(({ userId }) => userId);

describe("a cohort of which the classroom lists only some people", () => {
  const listing = (...userIds: string[]) => userIds.map((userId) => ({ userId, name: null }));

  test("keeps those it listed before, and is complete again as soon as all are listed", async () => {
    there = { attendees: listing("a", "b", "c") };
    await webhook("COHORT_CREATED");
    there = { attendees: listing("d", "b"), cut: { read: 2, total: 4 } };
    time += minute;
    await webhook("COHORT_UPDATED");
    expect(await attendees()).toEqual(["d", "b", "a", "c"]);
    expect((await cohort())?.cut).toEqual({ read: 2, total: 4 });
    there = { attendees: listing("d") };
    time += minute;
    await webhook("COHORT_UPDATED");
    expect([await attendees(), (await cohort())?.cut]).toEqual([["d"], null]);
  });
});

describe("the classroom's list of cohorts", () => {
  const entry = (cohortId: string, name: string | null = `Name ${cohortId}`) => ({
    programId: "p",
    cohortId,
    name,
  });
  const names = async () =>
    (await findCohorts(deps(), { environment: "production" }, "")).cohorts.map(({ name }) => name);

  test("adds cohorts that no webhook reported, by name; their people are read once one is linked", async () => {
    listed = { ofProgram: false, entries: [entry("c"), entry("d")] };
    expect(await readCohortList(deps(), "production")).toEqual({ found: 2, more: null });
    expect(await names()).toEqual(["Name c", "Name d"]);
    expect([asked, (await cohort())?.readAt]).toEqual([0, null]);
    there = { attendees: [{ userId: "u", name: null }] };
    await readUnread(deps(), key);
    await readUnread(deps(), key);
    expect([asked, await attendees()]).toEqual([1, ["u"]]);
  });

  test("never forgets what was read before, and deletes no cohort that it leaves out", async () => {
    there = { attendees: [{ userId: "u", name: null }] };
    await webhook("COHORT_CREATED");
    listed = { ofProgram: false, entries: [entry("c", null), entry("d")] };
    time += minute;
    await readCohortList(deps(), "production");
    expect(await cohort()).toMatchObject({ name: "Biology A", attendees: [{ userId: "u" }] });
    listed = { ofProgram: false, entries: [] };
    await readCohortList(deps(), "production");
    expect(await names()).toEqual(["Biology A", "Name d"]);
  });

  test("is requested for each known program if it covers one at a time", async () => {
    await webhook("COHORT_CREATED");
    await webhook("COHORT_CREATED", time, { programId: "q" });
    listed = { ofProgram: true, entries: [entry("d")] };
    await readCohortList(deps(), "production");
    expect(programsAsked.toSorted()).toEqual(["p", "q"]);
    expect(await names()).toContain("Name d");
  });

  test("is not requested if the classroom has none, and an unanswered cohort can still be linked", async () => {
    await expect(readCohortList(deps(), "production")).rejects.toMatchObject({ code: "cohorts-not-listed" });
    listed = { ofProgram: false, entries: [entry("c")] };
    await readCohortList(deps(), "production");
    there = new NamedError("classroom-unreachable", "It did not answer.", { temporary: true });
    await readUnread(deps(), key);
    expect(await cohort()).toMatchObject({ readAt: null, name: "Name c" });
  });
});

describe("a cohort of the classroom", () => {
  test("is read when it is created or changed, and stored as it is", async () => {
    await webhook("COHORT_CREATED");
    expect(await cohort()).toMatchObject({ name: "Biology A", attendees: [], readAt: time });
    there = { name: "Biology B", attendees: [{ userId: "u", name: "Uma" }] };
    time += minute;
    await webhook("COHORT_UPDATED");
    expect(await cohort()).toMatchObject({ name: "Biology B", attendees: [{ userId: "u", name: "Uma" }] });
  });

  test("that is deleted keeps everything known about it, and the time of its deletion", async () => {
    there = { attendees: [{ userId: "u", name: null }] };
    await webhook("COHORT_CREATED");
    there = null;
    const when = time + 5;
    await webhook("COHORT_DELETED", when);
    expect(await cohort()).toMatchObject({ name: "Biology A", attendees: [{ userId: "u", name: null }] });
    expect(await since()).toBe(when);
  });

  test("keeps the latest reading, whatever order readings end in", async () => {
    const store = world.stores.cohorts;
    const read = (name: string) => ({ name, organizers: null, attendees: null });
    await store.noteRead(key, read("new"), { readAt: 20, aliveAt: 20 });
    await store.noteRead(key, read("old"), { readAt: 10, aliveAt: 10 });
    await store.noteGone(key, 15);
    expect(await cohort()).toMatchObject({ name: "new", readAt: 20, aliveAt: 20, goneAt: null });
  });

  test("that was read since a webhook came is not read again", async () => {
    const receivedAt = time;
    time += minute;
    for (let n = 0; n < 5; n += 1)
      await refreshCohort(deps(), { ...key, eventType: "COHORT_UPDATED", at: receivedAt + n, receivedAt });
    expect(asked).toBe(1);
  });

  test("is separate in another environment or another program", async () => {
    await webhook("COHORT_CREATED");
    await webhook("COHORT_DELETED", time, { programId: "other" });
    expect(await since()).toBeNull();
    const staging = { ...key, environment: "staging" } as const;
    expect(await world.stores.cohorts.find(staging)).toBeNull();
    const course = await world.course();
    expect((await findCohorts(deps(), { ...course, environment: "staging" }, "")).cohorts).toEqual([]);
  });
});

describe("a section and a cohort", () => {
  const wanted = { lmsSectionId: "1", ...ids };
  beforeEach(async () => {
    const place = { registrationId: world.key.registrationId, courseId: world.key.courseId };
    for (const [id, name] of [
      ["1", "Section A"],
      ["2", "Section B"],
      ["3", null],
    ] as const)
      await world.stores.sections.record(
        place,
        { lmsSectionId: id, lmsName: name, lmsSetName: null },
        `sec-${id}`,
      );
  });
  const link = async (change: Partial<typeof wanted> = {}) =>
    linkSection(deps(), await world.course(), "per-Ina", { ...wanted, ...change });
  const courseLinks = () =>
    world.stores.sectionLinks.listLinked(world.key.registrationId, world.key.courseId);

  /** Somebody in the course with a user in the classroom. */
  const withUser = async (name: string, sectionIds: readonly string[]) => {
    await world.enrol(name, sectionIds);
    await giveApiUser(world.stores.people, `per-${name}`, { userId: `user-${name}`, name });
  };

  test("are linked once, by the first to do so, and linking again changes nothing", async () => {
    await webhook("COHORT_CREATED");
    await webhook("COHORT_CREATED", time, { cohortId: "other" });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_none, n) => link({ cohortId: n % 2 === 0 ? "c" : "other" })),
    );
    const [only, ...more] = await courseLinks();
    expect(more).toEqual([]);
    const accepted = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(accepted).toHaveLength(3);
    expect(new Set(accepted.map(({ id }) => id))).toEqual(new Set([only?.id]));
    const audit = await world.audit();
    expect(audit.map(({ what, before, by }) => [what, before, by.name])).toEqual([
      ["section-linked", "Section A", "Ina Instructor"],
    ]);
  });

  test("can be several sections and one cohort", async () => {
    await webhook("COHORT_CREATED");
    await link();
    await link({ lmsSectionId: "2" });
    expect(await courseLinks()).toHaveLength(2);
  });

  test.each([
    ["an unknown section", { lmsSectionId: "99" }, "section-unknown"],
    ["an unknown cohort", { cohortId: "nowhere" }, "cohort-unknown"],
    ["a cohort of another program", { programId: "elsewhere" }, "cohort-unknown"],
  ])("are not linked with %s", async (_what, change, code) => {
    await webhook("COHORT_CREATED");
    await expect(link(change)).rejects.toMatchObject({ code });
  });

  test("are not linked once the cohort is deleted", async () => {
    await webhook("COHORT_CREATED");
    await webhook("COHORT_DELETED");
    await expect(link()).rejects.toMatchObject({ code: "cohort-deleted" });
  });

  test("can be unlinked and linked again, and the history has everything", async () => {
    await webhook("COHORT_CREATED");
    const first = await link();
    time += minute;
    const course = await world.course();
    expect(await unlinkSection(deps(), course, "per-Ina", first.id)).toMatchObject({ id: first.id });
    expect(await unlinkSection(deps(), course, "per-Ina", first.id), "twice").toBeNull();
    time += minute;
    const second = await link();
    expect(await unlinkSection(deps(), course, "per-Ina", first.id), "an old page").toBeNull();
    expect(await courseLinks()).toMatchObject([{ id: second.id }]);
    const history = await listLinkHistory(deps(), course);
    expect(history).toMatchObject([
      { id: second.id, state: "linked", byName: "Ina Instructor", endedByName: null },
      { id: first.id, state: "unlinked", endedBy: "per-Ina", endedByName: "Ina Instructor" },
    ]);
    expect((await world.audit()).map(({ what, after }) => [what, after].join(" "))).toEqual([
      "section-linked Biology A",
      "section-unlinked Biology A",
      "section-linked Biology A",
    ]);
  });

  test("stay linked when the cohort is deleted, with its last people, and the course page says so", async () => {
    await withUser("Ann", ["1"]);
    there = { attendees: [{ userId: "user-Ann", name: "Ann" }] };
    await webhook("COHORT_CREATED");
    await link();
    const course = await world.course();
    expect(await listCohortAttention(deps(), course)).toEqual([]);
    there = null;
    const when = time;
    await webhook("COHORT_DELETED", when);
    expect(await listCohortAttention(deps(), course)).toEqual([
      { lmsSectionId: "1", sectionName: "Section A", cohortName: "Biology A", ...ids, deletedAt: when },
    ]);
    expect((await showDifference(deps(), course, "1"))?.compared).toMatchObject({ both: 1, onlySection: [] });
    expect(await listLinkHistory(deps(), course)).toMatchObject([{ deletedAt: when, attendees: 1 }]);
  });

  test("are compared by users of the classroom, never by name", async () => {
    await withUser("Ann", ["1"]);
    await withUser("Ben", ["1"]);
    await withUser("Cem", ["2"]);
    await withUser("Dora", ["1"]);
    await world.leaves("Dora");
    await world.enrol("Eve", ["1"]);
    await world.stores.userMatches.insert({
      id: "mat",
      registrationId: world.key.registrationId,
      deploymentId: "1",
      environment: "production",
      userId: "own-account",
      personId: "per-Ben",
      courseId: world.key.courseId,
      by: "per-Ina",
      at: 1,
    });
    there = {
      organizers: [{ userId: "boss", name: "The Boss" }],
      attendees: [
        { userId: "user-Cem", name: "Somebody" },
        { userId: "own-account", name: null },
        { userId: "user-Dora", name: null },
        { userId: "x", name: null },
        { userId: null, name: "Ann" },
      ],
    };
    await webhook("COHORT_CREATED");
    await link();
    const shown = await showDifference(deps(), await world.course(), "1");
    expect(shown?.compared).toEqual({
      cut: null,
      both: 1,
      onlySection: ["Ann"],
      onlyCohort: [
        { userId: "user-Cem", as: "attendee", name: "Cem", where: "in-course", sectionIds: ["2"] },
        { userId: "user-Dora", as: "attendee", name: "Dora", where: "left", sectionIds: ["1"] },
        { userId: "boss", as: "organizer", name: "The Boss", where: "elsewhere", sectionIds: [] },
        { userId: "x", as: "attendee", name: null, where: "elsewhere", sectionIds: [] },
      ],
      withoutUser: ["Eve"],
      withoutId: ["Ann"],
      organizersKnown: true,
    });
  });

  test("show no names of a cohort without people of this LMS if other LMSs share the account", async () => {
    there = {
      attendees: [
        { userId: "x", name: "Xaver" },
        { userId: null, name: "Yves" },
      ],
    };
    await webhook("COHORT_CREATED");
    await link();
    const names = async () => {
      const { onlyCohort, withoutId } =
        (await showDifference(deps(), await world.course(), "1"))?.compared ?? {};
      return [onlyCohort?.map(({ name }) => name), withoutId];
    };
    const register = (id: string, change: Partial<Registration> = {}) =>
      world.stores.registrations.insert(
        registrationOf({ id, clientId: id, environment: "staging", ...change }),
      );
    await register("reg_staging");
    expect(await names()).toEqual([["Xaver"], ["Yves"]]);
    await register("reg_2", { account: "production" });
    expect(await names()).toEqual([[null], [null]]);
    await withUser("Xaver", ["2"]);
    there = {
      attendees: [
        { userId: "x", name: "Xaver" },
        { userId: "user-Xaver", name: "Xaver" },
      ],
    };
    time += minute;
    await webhook("COHORT_UPDATED");
    expect((await names())[0]).toEqual(["Xaver", "Xaver"]);
  });

  test("are found by words of the cohort's name, ignoring accents and capitals", async () => {
    for (const [cohortId, name] of [
      ["1", "Évening (group) 2"],
      ["2", "Morning"],
    ] as const) {
      there = { cohortId, name };
      await webhook("COHORT_CREATED", time, { cohortId });
    }
    const found = async (search: string) =>
      (await findCohorts(deps(), { environment: "production" }, search)).cohorts.map(
        ({ cohortId }) => cohortId,
      );
    expect(await found("")).toEqual(["1", "2"]);
    expect(await found("2  EVE")).toEqual(["1"]);
    expect(await found("(group)")).toEqual(["1"]);
    expect(await found(".*")).toEqual([]);
  });

  test("are not created for an id that nobody has", async () => {
    there = null;
    expect(await readCohort(deps(), key, { priority: "instructor" })).toBeNull();
    expect(await cohort()).toBeNull();
  });
});
