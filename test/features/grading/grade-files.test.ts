import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { SeenPresence } from "../../../src/domain/attendance.ts";
import { listFacts } from "../../../src/modules/attendance/list-facts.ts";
import { listGrades } from "../../../src/modules/grading/list-grades.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { allDays } from "../../../src/modules/scheduling/rules/time-zone.ts";
import { ruleWith } from "../../support/builders/grading-course.ts";

const course = await openRegisterCourse();
const { stores, key } = course;

beforeEach(async () => {
  await course.empty();
  await course.known("per-Ina", "Ina Instructor");
});
afterAll(() => course.close());

const facts = async (sectionId: string | null = null) => {
  const found = [];
  for await (const some of listFacts(course.deps, await course.course(), sectionId)) found.push(...some);
  return found;
};
const grades = async (sectionId: string | null = null) => {
  const { sessions, slices } = await listGrades(stores, await course.course(), { sectionId, days: allDays });
  const found = [];
  for await (const some of slices) found.push(...some);
  return { sessions: sessions.map(({ eventId }) => eventId), rows: found };
};

describe("The file of all facts", () => {
  test("has every observation and correction in order of time, with their authors and the resulting status", async () => {
    await course.enrol("Ann", ["7"]);
    await course.session("e1");
    await course.classroomSays("Ann", "e1", "ABSENT", 1_000);
    await stores.attendance.correct(
      { ...key, eventId: "e1", personId: "per-Ann" },
      { status: "EXCUSED", notes: "was ill", reason: "=HYPERLINK()", by: "per-Ina", at: 2_000 },
      { id: "x", sectionIds: [] },
    );
    await course.classroomSays("Ann", "e1", "LATE", 3_000);
    await course.moves("Ann", ["8"]);
    expect(await facts()).toMatchObject([
      { name: "Ann", source: "classroom", status: "ABSENT", at: 1_000, by: null, holds: false },
      { source: "instructor", status: "EXCUSED", at: 2_000, by: { name: "Ina Instructor" }, holds: true },
      { source: "classroom", status: "LATE", at: 3_000, sectionIds: ["7"], holds: false },
    ]);
    expect(await facts("7"), "the section at the time").toHaveLength(3);
    expect(await facts("8")).toEqual([]);
    await course.fact("per-Ann", "e2", "PRESENT");
    expect(await facts("8"), "the section now, where nobody knew it then").toMatchObject([
      { sectionIds: [] },
    ]);
  });

  test("has each person's minutes, if they are known", async () => {
    const minute = 60_000;
    const seen = { startsAt: 0, endsAt: 50 * minute, ms: 42 * minute, stays: [] };
    for (const name of ["Ann", "Ben", "Cem"]) {
      await course.enrol(name);
      await course.fact(`per-${name}`, "e1", "PRESENT");
    }
    const see = (personId: string, told: SeenPresence) =>
      stores.attendance.see({ ...key, eventId: "e1", personId }, told, { id: personId, sectionIds: [] });
    await see("per-Ann", { ...seen, hiddenMs: 7 * minute });
    await see("per-Ben", { ...seen, leftUnknown: true });
    expect((await facts()).map(({ name, minutes }) => [name, minutes])).toEqual([
      ["Ann", { present: 42, of: 50, hidden: 7 }],
      ["Ben", null],
      ["Cem", null],
    ]);
  });

  test("has people who left or never were members, and sessions that are unknown", async () => {
    await course.enrol("Ann");
    await course.classroomSays("Ann", "gone", "PRESENT", 1_000);
    await course.leaves("Ann");
    await course.known("per-Stranger", null);
    await course.fact("per-Stranger", "e1", "PRESENT");
    await course.grade("per-Stranger");
    expect((await facts()).map(({ name, sub, session }) => [name, sub, session.eventId])).toEqual([
      ["Ann", "sub-per-Ann", "gone"],
      [null, "sub-per-Stranger", "e1"],
    ]);
  });

  test("lists each of many people exactly once", async () => {
    const people = await course.enrolMany(250);
    for (const id of people) await course.fact(id, "e1", "PRESENT");
    const found = await facts();
    expect(new Set(found.map(({ sub }) => sub)).size).toBe(250);
    expect(found).toHaveLength(250);
  });
});

test("The file of grades has each learner's statuses by session, the numbers and the explanation", async () => {
  await course.enrol("Ann", ["7"]);
  await course.enrol("Ben", ["8"]);
  await course.session("e2", 2_000);
  await course.session("e1", 1_000);
  await course.fact("per-Ann", "e1", "PRESENT");
  await course.fact("per-Ann", "e2", "LATE");
  await course.grade("per-Ann");
  const { sessions, rows } = await grades();
  expect(sessions).toEqual(["e1", "e2"]);
  expect(rows).toMatchObject([
    {
      name: "Ann",
      statuses: ["PRESENT", "LATE"],
      counts: { PRESENT: 1, LATE: 1, ABSENT: 0 },
      grade: { score: 90, explanation: "(1x100 + 1x80) / 2 = 90" },
    },
    { name: "Ben", statuses: [null, null], grade: { score: null } },
  ]);
  expect((await grades("8")).rows.map(({ name }) => name)).toEqual(["Ben"]);
  await course.setPolicy({ kind: "column-per-session", ...ruleWith({}) });
  expect((await grades()).rows[0]?.grade).toBeNull();
  await course.setPolicy({ kind: "no-grades" });
  expect((await grades()).rows[0]?.grade).toMatchObject({ score: null });
});
