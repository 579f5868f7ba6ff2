import { beforeEach, expect, test } from "vitest";
import { listReadiness, readRostersAgain } from "../../../src/modules/operations/readiness.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const course = await forAllTests(openRegisterCourse());
const { stores, key, deps } = course;
const registrationId = key.registrationId;
const membershipsUrl = "https://lms.test/members";
const app = { ...deps, who: "console" as const };
const all = { registrationId, onlyGaps: false };

beforeEach(async () => {
  await course.empty();
  await stores.registrations.insert(registrationOf({ id: registrationId, family: "canvas" }));
});

const courseOf = (id: string, of = registrationId, contextId = id) =>
  stores.courses.record(
    { registrationId: of, deploymentId: "1", contextId },
    { ...launchedCourse(), membershipsUrl },
    newCourse(id),
  );

test("lists what each course lacks, from stored facts", async () => {
  for (const name of ["Ann", "Ben", "Cem"]) await course.mailable(name, "learner", null);
  await courseOf("crs_other");
  const { rows, next } = await listReadiness(app, all, null);
  const found = Object.fromEntries(rows.map((row) => [row.course.id, row]));
  expect(found[key.courseId]?.gaps).toEqual(["not-told", "email", "sections", "column"]);
  expect(found[key.courseId]?.facts).toMatchObject({ people: 3, named: 3, mailed: 0, sections: 0 });
  expect(found["crs_other"]?.gaps).toEqual(["unread", "column"]);
  expect(next).toBeNull();
});

test("leaves out a course that nobody reaches since its registration was joined with an earlier one", async () => {
  await courseOf("crs_twice", "reg_2", "ctx");
  const listed = async () => (await listReadiness(app, { registrationId: null, onlyGaps: false }, null)).rows;
  expect((await listed()).map((row) => row.course.id)).toContain("crs_twice");
  const to = { id: registrationId, idsHoldWithin: "deployment" } as const;
  const move = { courseId: "crs_twice", from: "reg_2", to, deploymentId: "1" };
  await stores.registrationMoves.moveCourse(move);
  expect((await listed()).map((row) => row.course.id)).not.toContain("crs_twice");
});

test("lists many courses page by page, without those that lack nothing and those of other LMSs", async () => {
  await stores.registrations.insert(registrationOf({ id: "reg_2", clientId: "client-2" }));
  await courseOf("crs_theirs", "reg_2");
  for (let n = 0; n < 60; n += 1) await courseOf(`crs_more_${String(n).padStart(2, "0")}`);
  const ids: string[] = [];
  let [next, pages]: [string | null, number] = [null, 0];
  do {
    const page = await listReadiness(app, { registrationId, onlyGaps: true }, next);
    ids.push(...page.rows.map((row) => row.course.id));
    [next, pages] = [page.next, pages + 1];
  } while (next !== null);
  expect([pages, ids.length, new Set(ids).size, ids.includes("crs_theirs")]).toEqual([2, 61, 61, false]);
});

test("checking again reads lists in the background, one after another, and only once for two presses", async () => {
  for (const id of ["crs_a", "crs_b", "crs_c"]) await courseOf(id);
  const before = course.clock.now();
  expect(await readRostersAgain(app, all, null)).toEqual({ asked: 3, next: null });
  const due = async () => {
    const syncs = await Promise.all(
      ["crs_a", "crs_b", "crs_c"].map((id) => stores.rosterSyncs.find(registrationId, id)),
    );
    expect(syncs.map((sync) => [sync?.state, sync?.urgency])).toEqual(
      Array.from(syncs, () => ["waiting", "round"]),
    );
    return syncs.map((sync) => sync?.dueAt ?? 0).sort((one, other) => one - other);
  };
  const first = await due();
  expect(first.map((at) => Math.floor((at - before) / 1_000))).toEqual([0, 2, 4]);
  course.pass(500);
  await readRostersAgain(app, all, null);
  expect(await due()).toEqual(first);
  expect((await stores.audit.list(null, 10, registrationId)).map(({ what, on }) => [what, on])).toEqual([
    ["roster-asked-for", "3"],
    ["roster-asked-for", "3"],
  ]);
});
