import { describe, expect, test } from "vitest";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import { saveLaunchFacts } from "../../../src/modules/members/roster-readings.ts";
import { listedAs, openRosterCourse, type RosterCourse } from "../../support/builders/roster-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";

const database = await forAllTests(openEmptyStores());
let world: RosterCourse;
forEachTest(async () => (world = await openRosterCourse("moodle", database)));

/** The LMS has refused a learner's score. */
async function refused(personId: string, refusal: string): Promise<void> {
  const { deliveries } = world.stores;
  const scores = new Map([[attendanceColumn, { score: 80, maximum: 100, comment: null }]]);
  const learner = { personId, sub: "7", left: false, seen: { regrade: 0, summary: 1 }, scores };
  await deliveries.setDesired(world.key, [learner], { now: 1, newId: () => "dlv_1" });
  const claimed = await deliveries.claimDue("worker", 2, 10_000);
  await deliveries.settle(claimed?.id ?? "", "worker", 1, { state: "refused", refusal, waitingSince: null });
  expect(await stateOf(personId)).toBe("refused");
}
const stateOf = async (personId: string) =>
  (await world.stores.deliveries.find({ ...world.key, columnKey: attendanceColumn, personId }))?.state;

test("a learner who joins the roster after a session gets its grade, and others cost no computation", async () => {
  const { stores, key } = world;
  const person = await recordPerson(stores.people, "per_7", { sub: "7", registrationId: key.registrationId });
  await stores.attendance.record(
    { ...key, eventId: "evt_1", personId: person.id },
    { status: "PRESENT", notes: null, at: 1, updatedBy: null },
    { id: "att_1", sectionIds: [] },
  );
  await world.read([listedAs("8")]);
  expect(await stores.regrades.revisionOf(key)).toBe(0);
  await world.read([listedAs("7"), listedAs("8")]);
  expect(await stores.regrades.revisionOf(key)).toBe(1);
});

describe("a grade that was refused because of the person", () => {
  test("is retried when the roster lists them as a student again", async () => {
    const { personId } = await world.launch("7", "learner");
    await refused(personId, "not-gradable");
    await world.read([listedAs("8")]);
    expect(await stateOf(personId)).toBe("blocked");
    await world.read([listedAs("7"), listedAs("8")]);
    expect(await stateOf(personId)).toBe("waiting");
  });

  test("is not retried at each roster without news", async () => {
    const { personId } = await world.launch("7", "learner");
    await world.read([listedAs("7")]);
    await refused(personId, "not-gradable");
    await world.read([listedAs("7")]);
    expect(await stateOf(personId)).toBe("refused");
  });

  test.each([
    ["not-gradable", "learner", "waiting"],
    ["not-gradable", "instructor", "waiting"],
    ["grade-locked", "learner", "refused"],
  ] as const)("is retried when they launch as a learner (%s, %s, too)", async (refusal, role, state) => {
    const member = await world.launch("7", "learner");
    await refused(member.personId, refusal);
    const deps = { ...world.deps, wake: () => undefined };
    await saveLaunchFacts(deps, world.course, { ...member, role }, { custom: {} });
    expect(await stateOf(member.personId)).toBe(state);
  });
});
