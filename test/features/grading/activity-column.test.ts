import { afterAll, afterEach, describe, expect, test } from "vitest";
import { bindColumn } from "../../../src/modules/grading/bind-column.ts";
import {
  keepColumn,
  offeredColumn,
  useActivityColumn,
} from "../../../src/modules/grading/column-questions.ts";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

const quiet = () => world.deps;
const labels = () => world.columns().map(({ label }) => label);
const valueIn = (label: string, person = "11") => world.cells(person)[labels().indexOf(label)]?.value ?? null;
const offered = () => offeredColumn(world.deps, world.course);
const columnId = async () => (await offered())?.id ?? "none";

function addressOf(id: string | undefined): string {
  return `${world.course.lineItemsUrl?.split("?")[0] ?? ""}/${id ?? "none"}/lineitem?type_id=1`;
}

/** The activity gets its own grade in the LMS. @returns its address */
function activityGetsGrade(): string {
  const link = world.lms.addLink(world.lmsCourse, { title: "Classroom", graded: true });
  const column = [...world.lms.world.columns.values()].find(({ coupledLinkId }) => coupledLinkId === link.id);
  return addressOf(column?.id);
}

const launches = (lineItemUrl: string) =>
  bindColumn(
    quiet(),
    world.course,
    {
      grades: { lineItemUrl, lineItemsUrl: null, scopes: world.course.gradeScopes },
      link: { id: "link", title: "Classroom" },
    },
    attendanceColumn,
  );

/** Two learners have a grade in the column that the tool made when the activity gets its own. */
async function gradedBefore(): Promise<string> {
  world = await openGradebookCourse("moodle");
  await world.want("11", 80);
  await world.want("12", 60);
  await world.deliver();
  expect(labels()).toEqual(["Attendance"]);
  world.pass(2_000);
  return activityGetsGrade();
}

const uses = async (deps = quiet()) => {
  const done = await useActivityColumn(deps, world.course, await columnId(), "per_ina");
  world.pass(5_000);
  await world.deliver();
  return done;
};

describe("an activity that gets a grade after the tool has made a column", () => {
  test("is offered to the instructor at its next launch, and no grade moves before that", async () => {
    const own = await gradedBefore();
    expect(await offered()).toBeNull();
    await launches(own);
    expect(await offered()).toMatchObject({ offered: { linkId: "link", lineItemUrl: own } });
    await world.want("11", 90);
    await world.deliver();
    expect([valueIn("Attendance"), valueIn("Classroom")]).toEqual([90, null]);
  });

  test("gets everybody's present and future grades once the instructor chooses it", async () => {
    await launches(await gradedBefore());
    expect(await uses()).toBe(true);
    expect([valueIn("Classroom"), valueIn("Classroom", "12")]).toEqual([80, 60]);
    expect(valueIn("Attendance"), "the old column keeps its grades").toBe(80);
    expect(await offered()).toBeNull();
    world.pass(2_000);
    await world.want("12", 70);
    await world.deliver();
    expect([valueIn("Classroom", "12"), valueIn("Attendance", "12")]).toEqual([70, 60]);
    expect(await useActivityColumn(quiet(), world.course, "col", "per_ina"), "pressed twice").toBe(false);
  });

  test("stays available if the instructor keeps the old column, without being asked about again", async () => {
    const own = await gradedBefore();
    await launches(own);
    expect(await keepColumn(world.deps, world.course, await columnId())).toBe(true);
    await launches(own);
    expect(await offered()).toMatchObject({ offered: { lineItemUrl: own, left: true } });
    expect(await uses()).toBe(true);
    expect(valueIn("Classroom")).toBe(80);
    expect(await keepColumn(world.deps, world.course, "col"), "nothing to keep").toBe(false);
  });

  test("loses no grade when the process dies during the choice", async () => {
    await launches(await gradedBefore());
    const { columns, deliveries } = world.stores;
    for (const endsAt of [1, 2, 3]) {
      let calls = 0;
      const ends = <T>(work: () => Promise<T>) => {
        calls += 1;
        return calls === endsAt ? Promise.reject(new Error("killed")) : work();
      };
      const dying = {
        ...quiet(),
        deliveries: {
          ...deliveries,
          retryColumn: (...given: Parameters<typeof deliveries.retryColumn>) =>
            ends(() => deliveries.retryColumn(...given)),
        },
        columns: {
          ...columns,
          takeOffered: (...given: Parameters<typeof columns.takeOffered>) =>
            ends(() => columns.takeOffered(...given)),
        },
      };
      await uses(dying).catch(() => undefined);
      world.pass(5_000);
      await world.deliver();
    }
    expect([valueIn("Classroom"), valueIn("Classroom", "12")]).toEqual([80, 60]);
  });

  test("is no longer offered once its grade has become the course's in another way", async () => {
    const own = await gradedBefore();
    await launches(own);
    const before = await columnId();
    await world.stores.columns.lose(before, (await offered())?.lineItemUrl ?? "", {
      at: 1,
      tied: false,
      leftOut: false,
    });
    expect(await offered()).toBeNull();
    await launches(own);
    expect(await useActivityColumn(quiet(), world.course, before, "per_ina")).toBe(false);
    world.pass(5_000);
    await world.deliver();
    expect(valueIn("Classroom")).toBe(80);
  });
});

test.each([
  ["names the column that the tool made", (ours: string) => ours],
  ["names no column", () => null],
])("a launch that %s offers nothing", async (_what, named) => {
  await gradedBefore();
  const ours = addressOf(world.columns()[0]?.id);
  const address = named(ours);
  if (address !== null) await launches(address);
  expect(await offered()).toBeNull();
});

test("is not offered in a course with a grade for each session", async () => {
  await launches(await gradedBefore());
  const { policy } = world.course;
  if (policy.kind === "no-grades") throw new Error("the course gives grades");
  const course = { ...world.course, policy: { ...policy, kind: "column-per-session" as const } };
  expect(await offeredColumn(world.deps, course)).toBeNull();
});
