import { beforeEach, describe, expect, test } from "vitest";
import { recheckMs } from "../../../src/modules/privacy/rules/erasure.ts";
import { purge } from "../../../src/modules/operations/upkeep.ts";
import { retireOld, runErasure } from "../../../src/modules/privacy/run-erasure.ts";
import { erasePerson } from "../../../src/modules/privacy/erase.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { newCourse, launchedCourse } from "../../support/builders/launched-course.ts";

const day = 24 * 3_600_000;
const logger = createLogger("silent");
const time = { now: 0 };
const clock = { now: () => time.now, sleep: systemClock.sleep };

const database = await forAllTests(openEmptyStores());
const { stores } = database;

const deps = () => ({
  ...stores,
  clock,
  ids: randomIds,
  logger,
  who: "console" as const,
  wake: () => undefined,
});
const registrationId = "reg";
async function opened(contextId: string, daysAgo: number): Promise<string> {
  const { id } = await stores.courses.record(
    { registrationId, deploymentId: "1", contextId },
    launchedCourse({ title: contextId, label: "", lastLaunchAt: time.now - daysAgo * day }),
    newCourse(contextId),
  );
  return id;
}
const comes = async (sub: string): Promise<string> =>
  (await recordPerson(stores.people, `per-${sub}`, { sub, name: sub, registrationId })).id;
async function joins(personId: string, courseId: string): Promise<void> {
  await stores.members.recordLaunch(
    { registrationId, courseId, personId },
    { role: "learner", testUser: false, lastLaunchAt: 1, listName: personId },
    [],
    randomIds.id("mem"),
  );
}
/** A night's work and its consequences. */
async function night(days: number): Promise<number> {
  const retired = await retireOld(deps(), days);
  for (let round = 0; round < 6; round += 1) {
    while (await runErasure(deps()));
    time.now += recheckMs;
  }
  time.now += day;
  return retired;
}
const left = async (model: string) =>
  (await stores.personalRecords.list(model, {}, "", 100)).map(({ _id }) => _id).toSorted();

describe("data past its retention", () => {
  beforeEach(async () => {
    await database.empty();
    time.now = 1_900_000_000_000;
  });

  test("is deleted: courses that nobody opens, and then the people who are in no other course", async () => {
    const [old, young] = [await opened("old", 366), await opened("young", 364)];
    for (const sub of ["was", "stays"]) await joins(await comes(sub), old);
    await joins("per-stays", young);
    expect(await night(365)).toBe(1);
    expect(await left("Course")).toEqual(["young"]);
    expect(await left("Member")).toHaveLength(1);
    await opened("young", 0);
    expect(await left("Person")).toEqual(["per-stays", "per-was"]);
    await night(365);
    await night(365);
    expect(await left("Person")).toEqual(["per-stays"]);
    // They were not erased: a list of people may name them again.
    expect(await left("Tombstone")).toEqual([]);
    expect(await stores.erasures.listAsked(10)).toEqual([]);
    expect(await stores.audit.list(null, 10)).toEqual([]);
  });

  test("stays without a setting, however old, except for people in no course", async () => {
    await joins(await comes("member"), await opened("ancient", 4_000));
    await comes("lone");
    for (let nights = 0; nights < 3; nights += 1) await night(0);
    expect(await left("Course")).toEqual(["ancient"]);
    expect(await left("Person")).toEqual(["per-member"]);
  });

  test("stays if it comes back before the deletion", async () => {
    const [old, gone] = [await opened("old", 366), await opened("gone", 366)];
    for (const sub of ["back", "listed", "member", "away"]) await comes(sub);
    await joins("per-member", old);
    await retireOld(deps(), 0);
    await stores.personalRecords.remove("Member", { personId: "per-member" }, 1);
    await retireOld(deps(), 0);
    time.now += 2 * day;
    await retireOld(deps(), 365);
    expect((await stores.erasures.latest(registrationId, 10)).map(({ state }) => state)).toHaveLength(6);
    // A launch and a roster begin with the person and continue with the member; in a course they set when it was opened.
    await opened("old", 0);
    await comes("back");
    const place = { registrationId, deploymentId: "1" };
    const facts = { name: "listed", givenName: null, familyName: null, email: null };
    const first = { newId: () => "per-other", environment: "production" as const };
    await stores.people.recordMany(place, [{ ...facts, sub: "listed" }], first);
    await joins("per-member", old);
    for (let round = 0; round < 6; round += 1) {
      while (await runErasure(deps()));
      time.now += recheckMs;
    }
    expect(await left("Course")).toEqual(["old"]);
    expect(gone).toBe("gone");
    expect(await left("Member")).toHaveLength(1);
    expect(await left("Person")).toEqual(["per-back", "per-listed", "per-member"]);
    const ended = await stores.erasures.latest(registrationId, 10);
    expect(ended.map(({ state, subject }) => [state, subject])).toEqual(ended.map(() => ["done", null]));
  });

  test("does not include somebody in the middle of a first launch", async () => {
    const course = await opened("course", 1);
    await comes("new");
    await night(365);
    await joins("per-new", course);
    await night(365);
    await night(365);
    expect(await left("Person")).toEqual(["per-new"]);
  });

  test("is deleted by its age if the table says so, unless it is in use", async () => {
    const person = await comes("ann");
    await erasePerson(deps(), person);
    await stores.audit.add({
      id: "audit_1",
      at: time.now - 731 * day,
      who: "console",
      what: "logged-in",
      registrationId: null,
      on: "",
    });
    time.now += 729 * day;
    expect(await purge(deps())).toBe(1);
    expect((await stores.audit.list(null, 10)).map(({ what }) => what)).toEqual(["person-erased"]);
    time.now += 2 * day;
    await purge(deps());
    expect(await left("AuditEntry")).toEqual([]);
    expect(await left("Erasure")).toHaveLength(1);
    for (let round = 0; round < 4; round += 1) {
      while (await runErasure(deps()));
      time.now += recheckMs;
    }
    expect(await left("Tombstone")).not.toEqual([]);
    time.now += 731 * day;
    await purge(deps());
    expect([await left("Erasure"), await left("Tombstone")]).toEqual([[], []]);
  });
});
