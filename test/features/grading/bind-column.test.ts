import { afterAll, afterEach, describe, expect, test } from "vitest";
import { attendanceColumn, sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import { bindColumn } from "../../../src/modules/grading/bind-column.ts";
import { runPendingRegrades } from "../../../src/modules/grading/regrade.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

/** A graded activity of the LMS. @returns the address of its column */
function addActivity(title: string): string {
  const link = world.lms.addLink(world.lmsCourse, { title, graded: true });
  const column = [...world.lms.world.columns.values()].find(({ coupledLinkId }) => coupledLinkId === link.id);
  return `${world.course.lineItemsUrl?.split("?")[0] ?? ""}/${column?.id ?? "none"}/lineitem?type_id=1`;
}

const grades = (lineItemUrl: string) => ({
  lineItemUrl,
  lineItemsUrl: null,
  scopes: world.course.gradeScopes,
});
const deps = (columns = world.stores.columns) => ({ ...world.deps, columns });
const launch = (linkId: string, lineItemUrl: string) => ({
  grades: grades(lineItemUrl),
  link: { id: linkId, title: "Classroom" },
});
const cell = (address: string) => {
  const id = new URL(address).pathname.split("/").at(-2);
  return world.cells("11")[world.columns().findIndex((column) => column.id === id)]?.value ?? null;
};

/** The process dies at one call of the store. */
function endingAt(call: "couple" | "uncoupleOthers"): GradebookCourse["stores"]["columns"] {
  return { ...world.stores.columns, [call]: () => Promise.reject(new Error("the process has ended")) };
}

describe("the column of a link that an LMS recreated", () => {
  test("has everybody's score after the next launch", async () => {
    world = await openGradebookCourse("moodle");
    const [old, renewed] = [addActivity("Before"), addActivity("After")];
    await bindColumn(deps(), world.course, launch("link", old), attendanceColumn);
    await world.want("11", 80);
    await world.deliver();
    expect([cell(old), cell(renewed)]).toEqual([80, null]);
    world.pass(2_000);
    await bindColumn(deps(), world.course, launch("link", renewed), attendanceColumn);
    await world.deliver();
    expect(cell(renewed)).toBe(80);
  });

  test.each(["uncoupleOthers", "couple"] as const)(
    "has it even if the tool died at %s of that launch, and somebody launches again",
    async (call) => {
      world = await openGradebookCourse("moodle");
      const [old, renewed] = [addActivity("Before"), addActivity("After")];
      await bindColumn(deps(), world.course, launch("link", old), attendanceColumn);
      await world.want("11", 80);
      await world.deliver();
      world.pass(2_000);
      await expect(
        bindColumn(deps(endingAt(call)), world.course, launch("link", renewed), attendanceColumn),
      ).rejects.toThrow("the process has ended");
      world.pass(5_000);
      await world.deliver();
      await bindColumn(deps(), world.course, launch("link", renewed), attendanceColumn);
      await world.deliver();
      expect(cell(renewed)).toBe(80);
    },
  );
});

describe("a link that opened the course and now opens one session", () => {
  test("has the session's column, and the course's scores move, even if the tool died in between", async () => {
    world = await openGradebookCourse("moodle");
    const own = addActivity("Classroom");
    const session = sessionColumn("evt_1");
    await bindColumn(deps(), world.course, launch("link", own), attendanceColumn);
    await world.want("11", { [attendanceColumn]: 80, [session]: 50 });
    await world.deliver();
    expect(cell(own)).toBe(80);
    world.pass(2_000);
    await expect(
      bindColumn(deps(endingAt("couple")), world.course, launch("link", own), session),
    ).rejects.toThrow("the process has ended");
    world.pass(5_000);
    await world.deliver();
    await bindColumn(deps(), world.course, launch("link", own), session);
    world.pass(5_000);
    await world.deliver();
    expect(cell(own)).toBe(50);
    const everywhere = world.cells("11").map(({ value }) => value);
    expect(everywhere).toContain(80);
  });

  test("leaves a pending regrade, which another process completes", async () => {
    world = await openGradebookCourse("moodle");
    const own = addActivity("Classroom");
    await expect(
      bindColumn(deps(endingAt("couple")), world.course, launch("link", own), sessionColumn("evt_2")),
    ).rejects.toThrow("the process has ended");
    expect(await world.stores.regrades.find(world.place)).toBeNull();
    world.pass(120_000);
    // Other tests with this database leave some, too.
    while (await runPendingRegrades(deps()));
    expect(await world.stores.regrades.find(world.place)).not.toBeNull();
  });
});
