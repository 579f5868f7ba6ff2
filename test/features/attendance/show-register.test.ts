import { decideSession, type SessionDecision } from "../../../src/modules/attendance/session-minutes.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../../src/app.ts";
import { exampleLearner, workedGrades } from "../../../src/modules/grading/list-grades.ts";
import { gradeAfterChange } from "../../../src/modules/grading/regrade.ts";
import { showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import { markSession } from "../../../src/modules/attendance/mark-session.ts";
import { showLearner } from "../../../src/modules/attendance/show-learner.ts";
import {
  listEndedWithMarks,
  listOpenRegisters,
  showRegister,
} from "../../../src/modules/attendance/show-register.ts";
import { listCourseAudit, writeCourseAudit } from "../../../src/modules/audit/audit.ts";
import { policyWith } from "../../support/builders/grading-course.ts";
import { openRegisterCourse, type RegisterCourse } from "../../support/builders/register-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const database = await forAllTests(openEmptyStores());
let world: RegisterCourse;
beforeEach(async () => {
  world = await openRegisterCourse(database);
  await world.session("e1");
});
afterEach(() => world.close());

const everything = { sectionId: null, status: null, page: 1 };
const register = async (filter: Partial<Parameters<typeof showRegister>[3]> = {}, eventId = "e1") => {
  return required(
    await showRegister(world.deps, await world.course(), eventId, { ...everything, ...filter }),
  );
};
const names = (shown: { rows: readonly { name: string | null }[] }) => shown.rows.map(({ name }) => name);

describe("the register of a session", () => {
  beforeEach(async () => {
    await world.enrol("Cid", ["b"]);
    await world.enrol("Ann", ["a"]);
    await world.enrol("Bob", ["a"]);
    for (const id of ["a", "b"])
      await world.stores.sections.record(
        world.key,
        { lmsSectionId: id, lmsName: `Section ${id}`, lmsSetName: null },
        `sec_${id}`,
      );
    await world.classroomSays("Bob", "e1", "PRESENT", 1_000);
    await world.classroomSays("Ann", "e1", "LEFT", 1_000);
  });

  test("lists unrecorded learners first, then by name, filtered by section or status", async () => {
    expect(names(await register())).toEqual(["Cid", "Ann", "Bob"]);
    expect(names(await register({ sectionId: "a" }))).toEqual(["Ann", "Bob"]);
    expect(names(await register({ status: "blank" }))).toEqual(["Cid"]);
    expect(names(await register({ status: "unknown" }))).toEqual(["Ann"]);
    expect(names(await register({ status: "PRESENT", sectionId: "b" }))).toEqual([]);
    expect((await register({ sectionId: "gone" })).filter.sectionId).toBeNull();
    expect((await register()).counts).toMatchObject({ PRESENT: 1, unknown: 1, blank: 1, LATE: 0 });
  });

  test("shows facts of a session that the classroom no longer knows", async () => {
    await world.classroomSays("Ann", "lost", "PRESENT", 1_000);
    expect(names(await register({}, "lost"))).toEqual(["Bob", "Cid", "Ann"]);
    expect(await showRegister(world.deps, await world.course(), "never-heard-of", everything)).toBeNull();
  });

  test("counts conflicts and names who corrected", async () => {
    await markSession(world.marking, await world.course(), "per-Ina", {
      eventId: "e1",
      rows: [await world.row("Bob", "e1", "ABSENT")],
      everybody: null,
      reason: null,
    });
    await world.classroomSays("Bob", "e1", "LATE", world.clock.now() + 60_000);
    const shown = await register({ status: "conflict" });
    expect(names(shown)).toEqual(["Bob"]);
    expect(shown.counts.conflict).toBe(1);
    expect(shown.names.get("per-Ina")).toBe("Ina Instructor");
  });
});

describe("a session that the classroom deleted", () => {
  const saved = async (change: object) => {
    const event = await world.stores.events.find("production", "e1");
    if (event !== null) await world.stores.events.save({ ...event, ...change });
  };
  const deleted = { cancelled: true, deleted: true };
  const asked = async () => {
    const course = await world.course();
    const found = await listEndedWithMarks(world.deps, course, await showSessions(world.deps, course));
    return found.map(({ eventId, marks }) => [eventId, marks]);
  };
  const decide = async (decision: SessionDecision) => {
    const whileSessionsChange: App["whileSessionsChange"] = (of, change) =>
      gradeAfterChange(world.deps, of, "everybody", change);
    const done = await decideSession(
      { ...world.deps, whileSessionsChange },
      await world.course(),
      "e1",
      decision,
      "per-Ina",
    );
    await world.regrade();
    return done;
  };
  const scoreOf = async (name: string) => (await world.scores())[`per-${name} attendance`];

  test("is asked about once somebody has a mark; marks count until the answer, which can be changed", async () => {
    await world.enrol("Ann");
    await world.enrol("Bob");
    await saved(deleted);
    expect(await asked()).toEqual([]);
    expect(await decide("leave")).toBe(false);
    for (const name of ["Ann", "Bob"]) await world.classroomSays(name, "e1", "ABSENT", 1_000);
    await world.session("e2", 2_000);
    await world.classroomSays("Ann", "e2", "PRESENT", 2_500);
    await world.grade("per-Ann");
    expect(await asked()).toEqual([["e1", 2]]);
    expect(await scoreOf("Ann")).toBe(50);
    expect(await decide("leave")).toBe(true);
    expect([await asked(), await scoreOf("Ann")]).toEqual([[], 100]);
    expect(await decide("keep")).toBe(true);
    expect([await asked(), await scoreOf("Ann")]).toEqual([[], 50]);
    expect((await register()).session).toMatchObject({ counts: true, keepsMarks: true });
    const trail = (await world.audit()).map(({ what, count }) => [what, count]);
    expect(trail).toEqual([
      ["session-marks-kept", 2],
      ["session-marks-left-out", 2],
    ]);
  });

  test("is not asked about without grades, once it is back, or if it is from an earlier term", async () => {
    await world.enrol("Ann");
    await world.classroomSays("Ann", "e1", "PRESENT", 1_000);
    expect(await asked()).toEqual([]);
    await saved(deleted);
    expect(await asked()).toEqual([["e1", 1]]);
    await world.stores.courses.setCountsFrom(world.key.courseId, 5_000);
    expect(await asked()).toEqual([]);
    await world.stores.courses.setCountsFrom(world.key.courseId, null);
    await saved({ cancelled: false, deleted: false });
    expect(await asked()).toEqual([]);
    expect(await decide("leave")).toBe(false);
    await saved(deleted);
    await world.setPolicy({ kind: "no-grades" });
    expect(await asked()).toEqual([]);
  });
});

test("one learner's page has every session, what happened in it, and the grade", async () => {
  await world.enrol("Ann", ["a"]);
  await world.session("e2", 2_000);
  await world.session("later", world.clock.now() + 86_400_000);
  await world.classroomSays("Ann", "e1", "ABSENT", 1_000);
  await world.classroomSays("Ann", "e1", "LATE", 3_000);
  await markSession(world.marking, await world.course(), "per-Ina", {
    eventId: "e1",
    rows: [await world.row("Ann", "e1", "PRESENT")],
    everybody: null,
    reason: "was there",
  });
  await world.moves("Ann", ["b"]);
  await world.leaves("Ann");
  const learner = await showLearner(world.deps, await world.course(), "per-Ann");
  expect(learner.sessions.map(({ session }) => session.eventId)).toEqual(["e1"]);
  const [first] = learner.sessions;
  expect(first?.row.facts.history.map(({ status }) => status)).toEqual(["LATE", "ABSENT"]);
  expect(first?.row.facts.corrections).toMatchObject([{ by: "per-Ina", reason: "was there" }]);
  expect(first?.row).toMatchObject({ sectionIds: ["a"], remark: "left" });
  expect(learner.attendance.grade).toMatchObject({ score: 100, explanation: "1x100 / 1 = 100" });
  expect(learner.names.get("per-Ina")).toBe("Ina Instructor");
  await world.known("per-Stranger", "Stranger");
  await expect(showLearner(world.deps, await world.course(), "per-Stranger")).rejects.toMatchObject({
    code: "learner-unknown",
  });
});

test("a current learner sees all sessions that have begun, even unmarked ones", async () => {
  await world.enrol("Ann");
  await world.session("e2", 2_000);
  await world.session("later", world.clock.now() + 86_400_000);
  const { sessions } = await showLearner(world.deps, await world.course(), "per-Ann");
  expect(sessions.map(({ session, row }) => [session.eventId, row.current])).toEqual([
    ["e2", null],
    ["e1", null],
  ]);
});

test("the change log of a course is read page by page, for everybody or for one learner", async () => {
  const course = await world.course();
  await world.enrol("Ann");
  for (let number = 0; number < 60; number += 1) {
    world.pass(1);
    await writeCourseAudit(world.deps, course, "per-Ina", {
      what: "policy-changed",
      after: `policy ${number}`,
      ...(number % 10 === 0 ? { on: { personId: "per-Ann", name: "Ann" } } : {}),
    });
  }
  const filter = { ...world.key, personId: null };
  const first = await listCourseAudit(world.deps, filter, null);
  expect(first.entries[0]).toMatchObject({
    after: "policy 59",
    by: { name: "Ina Instructor" },
    before: null,
  });
  const second = await listCourseAudit(world.deps, filter, first.olderThan);
  expect(second.entries.at(-1)?.after).toBe("policy 0");
  expect([first.entries.length, second.entries.length, second.olderThan]).toEqual([50, 10, null]);
  const about = await listCourseAudit(world.deps, { ...filter, personId: "per-Ann" }, null);
  expect(about.entries).toHaveLength(6);
  const other = await listCourseAudit(world.deps, { ...filter, courseId: "another" }, null);
  expect(other.entries).toEqual([]);
});

describe("a learner who joined the course later", () => {
  const hour = 3_600_000;
  beforeEach(async () => {
    const now = world.clock.now();
    await world.session("before", now - 30 * hour);
    await world.session("after", now - 5 * hour);
    const facts = {
      role: "learner",
      testUser: false,
      student: true,
      listName: "late",
      lastLaunchAt: 1,
    } as const;
    const key = { ...world.key, personId: await world.known("per-Late", "Late") };
    await world.stores.members.recordLaunch(key, facts, [], "mem_late", true, now - 20 * hour);
    await world.enrol("Ann");
    await world.classroomSays("Ann", "before", "PRESENT", now - 29 * hour);
    await world.classroomSays("Late", "after", "PRESENT", now - 4 * hour);
  });
  const openRegisters = async () => {
    const course = await world.course();
    return listOpenRegisters(world.deps, course, await showSessions(world.deps, course));
  };

  test("is not expected in the register of an earlier session, even if a mark there was withdrawn", async () => {
    const incomplete = [{ eventId: "after", expected: 2, recorded: 1 }];
    expect(await openRegisters()).toMatchObject(incomplete);
    const key = { ...world.key, personId: "per-Late", eventId: "before" };
    const sign = { status: "PRESENT", notes: null, at: world.clock.now(), updatedBy: null };
    await world.stores.attendance.record(key, sign, { id: "att-1", sectionIds: [] });
    await world.stores.attendance.takeBack(key, [sign]);
    expect(await openRegisters()).toMatchObject(incomplete);
    expect((await register({}, "before")).inClass).toEqual({ all: 1, blank: 0 });
  });

  test("is not expected in the registers of an earlier term", async () => {
    await world.stores.courses.setCountsFrom(world.key.courseId, world.clock.now() - 2 * hour);
    expect(await openRegisters()).toEqual([]);
  });

  test("has the same grade of planned sessions wherever an instructor reads it", async () => {
    await world.setPolicy(policyWith({ denominator: { kind: "planned" } }));
    await world.grade("per-Late");
    const course = await world.course();
    const score = { score: 100 };
    expect(await world.deliveryOf("per-Late")).toMatchObject({ desired: score });
    expect((await showLearner(world.deps, course, "per-Late")).attendance.grade).toMatchObject(score);
    expect((await workedGrades(world.deps, course, ["per-Late"])).get("per-Late")).toMatchObject(score);
    const example = await exampleLearner(world.deps, course, [course.policy], "per-Late");
    expect(example).toMatchObject({ personId: "per-Late", planned: 1 });
  });
});
