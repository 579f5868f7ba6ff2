import { describe, expect, test } from "vitest";
import { alwaysOpen } from "../../../src/domain/entry.ts";
import { defaultGradePolicy } from "../../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";
import { required } from "../../support/required.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { memberRecord, personRecord } from "../../../src/domain/course.ts";
import { personKeysOf } from "../../../src/modules/members/rules/names.ts";
import { openRecords } from "../../../src/storage/records.ts";

const { connection, stores } = await forAllTests(openEmptyStores());

const around = { ...alwaysOpen, opens: "around-sessions" as const };

async function addCourse(contextId: string): Promise<string> {
  const course = await stores.courses.record(
    { registrationId: "reg_1", deploymentId: "1", contextId },
    launchedCourse({ title: "", label: "" }),
    newCourse(`crs_${contextId}`),
  );
  expect(course).toMatchObject({ door: alwaysOpen, spaceAccess: "unknown", settingsRevision: 0 });
  return course.id;
}

test("a course's settings are changed only by somebody who saw the latest ones", async () => {
  const id = await addCourse("1");
  const to = {
    settings: { ...defaultJoinSettings, galleryView: true },
    door: around,
    spaceAccess: "waiting-room",
  } as const;
  const done = await Promise.all([0, 0, 0, 1].map((seen) => stores.courses.changeSettings(id, seen, to)));
  expect(done.slice(0, 3).filter(Boolean)).toHaveLength(1);
  const revision = (await stores.courses.find(id))?.settingsRevision ?? 0;
  expect(await stores.courses.changeSettings(id, revision - 1, to)).toBe(false);
  expect(await stores.courses.changeSettings(id, revision, { ...to, door: alwaysOpen })).toBe(true);
  expect(await stores.courses.find(id)).toMatchObject({ door: alwaysOpen, settingsRevision: revision + 1 });
});

test("settings taken from a copied course count as a change", async () => {
  const id = await addCourse("2");
  const taken = { settings: defaultJoinSettings, policy: defaultGradePolicy, door: around };
  await stores.courses.answerCopy(id, taken);
  const to = { settings: defaultJoinSettings, door: alwaysOpen, spaceAccess: "unknown" } as const;
  expect(await stores.courses.changeSettings(id, 0, to)).toBe(false);
  expect(await stores.courses.find(id)).toMatchObject({ door: around, settingsRevision: 1 });
});

test("a link's own choice and a person's choice for it are stored separately", async () => {
  const key = { registrationId: "reg_1", deploymentId: "1", courseId: await addCourse("4"), linkId: "5" };
  const { id } = await stores.courseLinks.record(key, null, "lnk_4");
  await stores.courseLinks.changeSettings(id, 0, {
    settings: { language: "it" },
    door: {},
    spaceAccess: null,
  });
  await stores.courseLinks.takeOver(id, { customSettings: { language: "de" }, ignoredParameters: [] });
  expect(await stores.courseLinks.find(id)).toMatchObject({
    settings: { language: "it" },
    customSettings: { language: "de" },
    settingsRevision: 1,
  });
});

test("an entry window reads all current sessions and the next ones, however many are planned, and no past ones", async () => {
  const courseId = await addCourse("5");
  const event = (eventId: string, startsAt: number | null, endsAt: number | null, more = {}) =>
    stores.events.save(eventOf({ eventId, startsAt, endsAt, courseId, ...more }));
  for (let day = 300; day > 0; day -= 1) await event(`day-${day}`, day * 1_000, day * 1_000 + 500);
  await event("cancelled", 100_000, 100_500, { cancelled: true });
  await event("long ago", 5, null);
  for (let day = 200; day > 0; day -= 1) await event(`endless-${day}`, 100_400 + day * 1_000, null);
  await event("untimed", null, null);
  await event("in the lab", 400_000, 400_500, { spaceId: "lab" });
  const read = async (spaceId: string | null) => {
    const around = { since: 100_500, until: 160_400 };
    return (await stores.events.listForEntryWindow(courseId, around, spaceId)).map(({ eventId }) => eventId);
  };
  const found = await read(null);
  expect(found.slice(0, 2)).toEqual(["day-101", "day-102"]);
  expect(found[60], "the one that is running now is not cut off").toBe("endless-1");
  expect(found.slice(120, 122)).toEqual(["day-161", "endless-61"]);
  expect(found.at(-1)).toBe("untimed");
  expect(found).not.toContain("long ago");
  expect(found).toHaveLength(60 + 60 + 50 + 1);
  expect(await read("lab")).toEqual(["in the lab"]);
});

test("it is remembered whether a launch has named a person's sections", async () => {
  const key = { registrationId: "reg_1", courseId: "crs_6", personId: "per_1" };
  const facts = { role: "learner", testUser: false, listName: "a", lastLaunchAt: 1 } as const;
  const silent = await stores.members.recordLaunch(key, facts, null, "mem_1");
  expect([silent.sectionIds, silent.sectionsTold]).toEqual([[], false]);
  const told = await stores.members.recordLaunch(key, facts, [], "mem_2");
  expect([told.sectionIds, told.sectionsTold]).toEqual([[], true]);
  const again = await stores.members.recordLaunch(key, facts, null, "mem_3");
  expect([again.sectionIds, again.sectionsTold]).toEqual([[], true]);
});

const key = { registrationId: "reg_1", deploymentId: "1", courseId: "crs_1" };
const space = (id: string, spaceId: string) => ({ id, choice: { kind: "space", spaceId } as const });

describe("A link of a course", () => {
  test("is recorded once, however many people open it first at the same moment, and each sees the choice", async () => {
    const opened = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        stores.courseLinks.record({ ...key, linkId: "5" }, space("chc_1", "s1"), `lnk_${index}`),
      ),
    );
    expect(new Set(opened.map((link) => link.id)).size).toBe(1);
    expect(opened.every(({ choice }) => choice.kind === "space" && choice.spaceId === "s1")).toBe(true);
  });

  test("opens the course's Space without a choice, and is another link with the same id in another course", async () => {
    const here = await stores.courseLinks.record({ ...key, linkId: "6" }, space("chc_2", "s2"), "lnk_a");
    const there = await stores.courseLinks.record({ ...key, courseId: "crs_2", linkId: "6" }, null, "lnk_b");
    expect(there.id).not.toBe(here.id);
    expect(there.choice).toEqual({ kind: "course-space" });
  });

  test("keeps the choice made on our page until it brings another one", async () => {
    const link = { ...key, linkId: "7" };
    const { id } = await stores.courseLinks.record(link, space("chc_3", "s3"), "lnk_c");
    await stores.courseLinks.choose(id, { kind: "space", spaceId: "ours" });
    const again = await stores.courseLinks.record(link, space("chc_3", "s3"), "lnk_d");
    expect(again.choice).toEqual({ kind: "space", spaceId: "ours" });
    const without = await stores.courseLinks.record(link, null, "lnk_e");
    expect(without.choice).toEqual({ kind: "space", spaceId: "ours" });
    await stores.courseLinks.choose(id, space("chc_4", "s4").choice, "chc_4");
    const other = await stores.courseLinks.find(id);
    expect(other).toMatchObject({ id, choiceId: "chc_4", choice: { kind: "space", spaceId: "s4" } });
  });
});

test("a stored choice is found only within its LMS", async () => {
  const choice = { id: "chc_9", ...key, choice: { kind: "session", eventId: "e" } as const, createdAt: 1 };
  await stores.linkChoices.insert(choice);
  expect(await stores.linkChoices.find("reg_1", "chc_9")).toEqual(choice);
  expect(await stores.linkChoices.find("reg_2", "chc_9")).toBeNull();
});

describe("A column that moved in the gradebook", () => {
  const column = { registrationId: "reg_1", courseId: "crs_1" };
  const attendance = { ...column, columnKey: "attendance", personId: "per_1" };

  const wantOf = (personId: string, id: string, score: number | null) =>
    stores.deliveries.setDesired(
      column,
      [
        {
          personId,
          sub: "7",
          seen: { regrade: 0, summary: 1 },
          scores: new Map([["attendance", { score, maximum: 100, comment: null }]]),
          left: false,
        },
      ],
      { now: 1, newId: () => id },
    );

  test("is used by one key only", async () => {
    const one = await stores.columns.open({ ...column, key: "attendance" }, "col_1");
    const other = await stores.columns.open({ ...column, key: "session e" }, "col_2");
    expect(await stores.columns.couple(one.id, "5", "https://lms.test/items/1")).toBe(true);
    expect(await stores.columns.couple(other.id, "5", "https://lms.test/items/1")).toBe(true);
    await stores.columns.uncoupleOthers({ ...column, key: "session e" }, "https://lms.test/items/1");
    const all = await stores.columns.listOfCourse("reg_1", "crs_1");
    expect(all.map(({ key: name, lineItemUrl }) => [name, lineItemUrl])).toEqual([
      ["attendance", null],
      ["session e", "https://lms.test/items/1"],
    ]);
    expect(all.map(({ formerKey }) => formerKey)).toEqual([null, "attendance"]);
  });

  test("or has other points gets every score again, and an unfinished attempt settles nothing", async () => {
    const { deliveries } = stores;
    await wantOf(attendance.personId, "dlv_1", 80);
    for (const again of ["retryColumn", "resendColumn"] as const) {
      const { desired } = required(await deliveries.claimDue("worker", 3, 10_000), "it is due");
      await deliveries[again](attendance, 3);
      expect(await deliveries.claimDue("another worker", 4, 10_000), "it is still being sent").toBeNull();
      await deliveries.settle("dlv_1", "worker", desired?.revision ?? 0, { state: "delivered" });
      expect(await deliveries.find(attendance)).toMatchObject({ state: "waiting", nextTryAt: 3 });
    }
  });

  test("gets nothing for a person without a score", async () => {
    const nobody = { ...attendance, personId: "per_2" };
    const { deliveries } = stores;
    await wantOf(nobody.personId, "dlv_2", null);
    await deliveries.retryColumn(nobody, 3);
    const rows = await deliveries.listOfCourse("reg_1", "crs_1");
    expect(rows.find(({ id }) => id === "dlv_2")?.state).toBe("idle");
  });
});

const place = { registrationId: "reg_1", deploymentId: "1" };
const nobody = { name: null, givenName: null, familyName: null, email: null };
const member = { registrationId: "reg_1", courseId: "crs_1" };
const facts = { role: "learner", testUser: false, listName: "a", lastLaunchAt: 1 } as const;
const environment = "production" as const;

/** The stored record. */
async function stored(collection: string, filter: Record<string, string>) {
  return required(await connection.collection(collection).findOne(filter), `a record in ${collection}`);
}

test("a person created by a launch is stored with every field that a model would give", async () => {
  const told = { ...nobody, name: "Lena" };
  const { id } = await stores.people.record({ ...place, sub: "launched" }, told, {
    id: "per_1",
    environment,
  });
  const launched: unknown = await stored("people", { sub: "launched" });
  const { model: person } = openRecords(connection, personRecord);
  const made = new person({
    _id: id,
    ...place,
    sub: "launched",
    ...told,
    ...personKeysOf(told),
    environment,
  });
  expect(launched).toEqual(made.toObject());

  const key = { ...member, personId: id };
  await stores.members.recordLaunch(key, facts, null, "mem_launched", false);
  const { model: membership } = openRecords(connection, memberRecord);
  const joined = new membership({ _id: "mem_launched", ...key, ...facts, sectionKey: "[]", lastEntry: null });
  expect(await stored("members", key)).toEqual(joined.toObject());
});

test("simultaneous launches of one newcomer all record the same person and membership", async () => {
  const sub = "at-once";
  const launches = Array.from({ length: 8 }, async (_none, n) => {
    const person = await stores.people.record(
      { ...place, sub },
      { ...nobody, name: `Name ${n}` },
      { id: `per_once_${n}`, environment },
    );
    const key = { ...member, personId: person.id };
    return stores.members.recordLaunch(key, { ...facts, lastLaunchAt: n }, null, `mem_once_${n}`, false);
  });
  const members = await Promise.all(launches);
  expect(new Set(members.map(({ personId }) => personId)).size).toBe(1);
  expect(new Set(members.map(({ id }) => id)).size).toBe(1);
});

test("a wrong guess whether a person was in the course before is corrected", async () => {
  const key = { ...member, personId: "per_guess" };
  const first = await stores.members.recordLaunch(key, facts, ["7"], "mem_a", true);
  expect(first).toMatchObject({ id: "mem_a", sectionIds: ["7"], sectionsTold: true, student: true });
  const again = await stores.members.recordLaunch(
    key,
    { ...facts, role: "instructor" },
    null,
    "mem_b",
    false,
  );
  expect(again).toMatchObject({ id: "mem_a", role: "instructor", sectionIds: ["7"], active: true });
});
