import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { showGrid } from "../../../src/modules/attendance/show-grid.ts";
import { wholeGrid } from "../../../src/modules/attendance/grid-learners.ts";
import {
  joinAccounts,
  joinEverywhere,
  separateAccounts,
  separateEverywhere,
} from "../../../src/modules/attendance/join-accounts.ts";
import { correctAttendance } from "../../../src/modules/attendance/mark-session.ts";
import { showRegister } from "../../../src/modules/attendance/show-register.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { runPendingRegrades } from "../../../src/modules/grading/regrade.ts";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import { joinByOffice, separateErased } from "../../../src/modules/members/join-members.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { ruleWith } from "../../support/builders/grading-course.ts";
import { openRegisterCourse, type RegisterCourse } from "../../support/builders/register-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const database = await forAllTests(openEmptyStores());
let world: RegisterCourse;
beforeEach(async () => {
  world = await openRegisterCourse(database);
  for (const name of ["Mia", "Mia K", "Bob"]) await world.enrol(name);
  for (const id of ["e1", "e2", "e3"]) await world.session(id);
  await world.classroomSays("Mia", "e1", "PRESENT", 1_000);
  await world.classroomSays("Mia", "e2", "PRESENT", 1_000);
  await world.classroomSays("Mia K", "e2", "ABSENT", 9_000);
  await world.classroomSays("Mia K", "e3", "ABSENT", 9_000);
  await grade("Mia", "Mia K");
});
afterEach(() => world.close());

const idOf = (name: string) => `per-${name}`;
const personOf = async (name: string) => required(await world.stores.people.find(idOf(name)));
const grade = async (...names: string[]) =>
  gradeMembers(world.marking, await world.course(), await world.stores.people.findMany(names.map(idOf)));
/** The score to be sent to the gradebook; undefined if nothing is waiting. */
const wanted = async (name: string) => {
  const key = { ...world.key, columnKey: attendanceColumn, personId: idOf(name) };
  return (await world.stores.deliveries.find(key))?.desired?.score;
};
const pairOf = (earlier: string, now: string) => ({ personId: idOf(earlier), joinedTo: idOf(now) });
const join = async (earlier: string, now: string) =>
  joinAccounts(world.marking, await world.course(), idOf("Ina"), pairOf(earlier, now));
const separate = async (name: string) =>
  separateAccounts(world.marking, await world.course(), idOf("Ina"), idOf(name));
const everywhere = async (earlier: string, sub: string, tool = office()) =>
  joinEverywhere(tool, await personOf(earlier), sub);
const office = () => ({ ...world.marking, ...world.stores, who: "console" as const });
const audited = async () => (await world.audit()).map(({ what, on }) => `${what} ${on?.name ?? ""}`);

describe("an earlier account that an instructor joins to the current one", () => {
  test("counts from the start, if the current account came later", async () => {
    const { members } = world.stores;
    const changed = [{ personId: idOf("Mia K"), id: "mem", to: { joinedAt: world.clock.now() + 1 } }];
    await members.applyRoster(world.key, world.clock.now() * 2, { made: [], changed });
    const came = () => members.find(world.key.registrationId, world.key.courseId, idOf("Mia K"));
    expect(await members.countLearners(world.key, [], 1)).toBe(2);
    await join("Mia", "Mia K");
    expect([(await came())?.joinedAt, await members.countLearners(world.key, [], 1)]).toEqual([0, 2]);
    await separate("Mia");
    expect((await came())?.joinedAt).toBeGreaterThan(0);
  });

  test("counts for it: the better evidence of each session once, in grade, table and register", async () => {
    expect([await wanted("Mia"), await wanted("Mia K")]).toEqual([100, 0]);
    await join("Mia", "Mia K");
    expect(await wanted("Mia K")).toBeCloseTo(66.67, 1);
    expect(await wanted("Mia")).toBeUndefined();
    const course = await world.course();
    const grid = await showGrid(world.deps, course, wholeGrid);
    expect(grid.rows.map(({ personId }) => personId).sort()).toEqual([idOf("Bob"), idOf("Mia K")]);
    const filter = { sectionId: null, status: null, page: 1 };
    const register = required(await showRegister(world.deps, course, "e1", filter));
    expect(register.rows.map(({ personId, current }) => [personId, current?.status])).toEqual([
      [idOf("Bob"), undefined],
      [idOf("Mia K"), "PRESENT"],
    ]);
    expect(register.inClass).toEqual({ all: 2, blank: 1 });
    expect((await audited()).slice(0, 2).sort()).toEqual(["accounts-joined Mia", "accounts-joined Mia K"]);
  });

  test("still counts for it when it launches, attends and is graded again", async () => {
    await join("Mia", "Mia K");
    await world.classroomSays("Mia", "e3", "PRESENT", 2_000);
    await grade("Mia");
    expect([await wanted("Mia"), await wanted("Mia K")]).toEqual([undefined, 100]);
  });

  test("is as before once that is undone, including marks made in between", async () => {
    await join("Mia", "Mia K");
    const course = await world.course();
    const seen = { notes: null, seen: 0, confirms: false, eventId: "e1", reason: null };
    const correction = { ...seen, personId: idOf("Mia K"), status: "ABSENT" } as const;
    const { written, missed } = await correctAttendance(world.marking, course, idOf("Ina"), correction);
    expect([written, missed, await wanted("Mia K")]).toEqual([1, [], expect.closeTo(33.33, 1)]);
    await separate("Mia");
    expect([await wanted("Mia"), await wanted("Mia K")]).toEqual([100, 0]);
    expect((await world.record("Mia", "e1"))?.corrections).toEqual([]);
    await expect(separate("Mia")).rejects.toMatchObject({ code: "learner-unknown" });
  });

  test("leaves no grades in columns of sessions that the other account wasn't in", async () => {
    await world.setPolicy({ kind: "column-per-session", ...ruleWith({}) });
    await join("Mia", "Mia K");
    await world.deliver();
    await separate("Mia");
    expect(await world.deliver()).toContain(`${idOf("Mia K")} session e1 null`);
  });

  test("is refused for instructors, joined accounts and accounts that left, without changes", async () => {
    await world.mailable("Tom", "instructor");
    await expect(join("Mia", "Tom")).rejects.toMatchObject({ code: "join-learners-only" });
    await expect(join("Tom", "Mia")).rejects.toMatchObject({ code: "join-learners-only" });
    await expect(join("Mia", "Mia")).rejects.toMatchObject({ code: "join-learners-only" });
    await expect(join("Mia", "Nobody")).rejects.toMatchObject({ code: "learner-unknown" });
    await world.leaves("Bob");
    await expect(join("Mia", "Bob")).rejects.toMatchObject({ code: "join-left" });
    expect(await world.stores.members.listJoined(world.key)).toEqual([]);
    await join("Bob", "Mia K");
    await join("Mia", "Mia K");
    await expect(join("Mia K", "Mia")).rejects.toMatchObject({ code: "join-taken" });
    await expect(join("Mia", "Bob")).rejects.toMatchObject({ code: "join-left" });
  });

  test("is joined once when two instructors press in both directions at the same moment", async () => {
    await Promise.allSettled([join("Mia", "Mia K"), join("Mia K", "Mia"), join("Bob", "Mia")]);
    const joined = await world.stores.members.listJoined(world.key);
    const from = new Set(joined.map(({ personId }) => personId));
    expect(joined.filter(({ joinedTo }) => from.has(joinedTo ?? ""))).toEqual([]);
  });
});

describe("accounts that an office joins in the whole LMS", () => {
  test("count together in every course with both, and only the office can undo it", async () => {
    for (let calls = 1; calls < 4; calls += 1) {
      const mortal = mortalStores(office(), ["members", "officeJoins"], calls);
      await everywhere("Mia", "sub-per-Mia K", mortal.stores).catch(() => undefined);
    }
    await everywhere("Mia", "sub-per-Mia K");
    expect(await wanted("Mia K")).toBeCloseTo(66.67, 1);
    await expect(separate("Mia")).rejects.toMatchObject({ code: "join-by-office" });
    await expect(everywhere("Mia K", "sub-per-Bob")).rejects.toMatchObject({ code: "join-taken" });
    await expect(everywhere("Bob", "sub-per-Bob")).rejects.toMatchObject({ code: "join-same" });
    await expect(everywhere("Bob", "nobody")).rejects.toMatchObject({ code: "no-such-person" });
    // Killed after some steps, and asked again.
    for (let calls = 1; calls < 8; calls += 1) {
      const mortal = mortalStores(office(), ["members", "officeJoins"], calls);
      await separateEverywhere(mortal.stores, await personOf("Mia")).catch(() => undefined);
    }
    await separateEverywhere(office(), await personOf("Mia"));
    expect(await world.stores.members.listJoined(world.key)).toEqual([]);
    world.time.now += 60_000;
    while (await runPendingRegrades(world.marking));
    expect([await wanted("Mia"), await wanted("Mia K")]).toEqual([100, 0]);
    expect((await world.audit())[0]?.by).toEqual({ personId: "office", name: null });
  });

  test("count for the earlier account if the LMS keeps that one after a merge", async () => {
    await world.leaves("Mia K");
    await everywhere("Mia", "sub-per-Mia K");
    expect([await wanted("Mia K"), await wanted("Mia")]).toEqual([undefined, expect.closeTo(66.67, 1)]);
  });

  test("count together in a course that one of them enters later", async () => {
    await world.known("per-New", "Mia New");
    await everywhere("Mia", "sub-per-New");
    expect(await world.stores.members.listJoined(world.key)).toEqual([]);
    await world.enrol("New");
    for (const each of await world.stores.officeJoins.listOf(world.key.registrationId, ["per-New"]))
      await joinByOffice(world.stores, world.key, each);
    await grade("Mia");
    expect(await wanted("New")).toBe(100);
  });
});

test("the erasure of either account leaves the other one its own facts", async () => {
  await join("Mia", "Mia K");
  const { registrationId, courseId } = world.key;
  const who = { registrationId, personIds: [idOf("Mia")], courseIds: [courseId] };
  await separateErased(world.marking, who);
  world.time.now += 60_000;
  await runPendingRegrades(world.marking);
  expect(await wanted("Mia K")).toBe(0);
});
