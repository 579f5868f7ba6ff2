import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import { enqueueColumnUpdates, updateColumn } from "../../../src/modules/grading/update-columns.ts";
import {
  closeGradebooks,
  familiesPlayed,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { eventOf } from "../../support/builders/event.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

const perSession: GradePolicy = { ...defaultGradePolicy, kind: "column-per-session", points: 20 };
const begins = Date.UTC(2027, 2, 1, 9);
const hour = 3_600_000;
const eventId = () => `${world.lmsCourse}-event`;

/** The session as the classroom reports it. */
async function sessionIs(title: string, startsAt = begins): Promise<void> {
  world.pass(1_000);
  await world.stores.events.save(
    eventOf({ eventId: eventId(), title, startsAt, courseId: world.course.id, readAt: world.clock.now() }),
  );
}

/** A course with a column that was made for its one session, "Cells". */
async function openWithColumn(family: "moodle" | "canvas" | "other"): Promise<void> {
  world = await openGradebookCourse(family, { policy: perSession });
  await sessionIs("Cells");
  await world.want("11", { [sessionColumn(eventId())]: 80 });
  await world.deliver();
  expect(labels()).toEqual(["Cells, 2027-03-01 09:00"]);
}

const labels = () => world.columns().map(({ label }) => label);
const puts = () => world.calls("line item").filter((call) => call.startsWith("PUT")).length;
const dueOf = (id: string | undefined) => world.lms.world.columns.get(id ?? "")?.dueAt;

async function tellAll(): Promise<void> {
  await enqueueColumnUpdates(world.deps, world.place);
  while (await updateColumn(world.deps));
}

describe.each(familiesPlayed)("the column of a session in %s", (family) => {
  test("is renamed with its session, once, and keeps its grades", async () => {
    await openWithColumn(family);
    await sessionIs("Cells and tissue", begins + 24 * hour);
    await tellAll();
    expect(labels()).toEqual(["Cells and tissue, 2027-03-02 09:00"]);
    expect(world.grade("11"), "80 of 100, of 20 points").toBe(16);
    const [column] = world.columns();
    expect(dueOf(column?.id)).toBe(family === "canvas" ? "2027-03-02T10:00:00.000Z" : undefined);
    world.lms.clearLog();
    await tellAll();
    expect(world.lms.log(), "nothing has changed since").toEqual([]);
  });

  test("keeps a teacher's name for it in the gradebook, even if the session is renamed later", async () => {
    await openWithColumn(family);
    world.lms.setColumn(world.columns()[0]?.id ?? "", { label: "First lesson" });
    for (const title of ["Tissue", "Organs"]) {
      await sessionIs(title, begins + hour);
      await tellAll();
      expect(labels()).toEqual(["First lesson"]);
    }
    if (family === "canvas") expect(dueOf(world.columns()[0]?.id)).toBe("2027-03-01T11:00:00.000Z");
  });
});

test("a column has its session's last name, wherever processes are killed on the way", async () => {
  await openWithColumn("canvas");
  let kills = 0;
  for (let calls = 0; ; calls += 1) {
    await sessionIs(`Before ${calls}`);
    const { stores, isDead } = mortalStores(world.deps, ["columns", "lineItems"], calls);
    const once = enqueueColumnUpdates(stores, world.place).then(() => updateColumn(stores));
    await once.catch(() => undefined);
    const killed = isDead();
    // Renamed again before another process finds what the dead one left.
    await sessionIs(`After ${calls}`);
    world.pass(60_000);
    await tellAll();
    expect(labels(), `killed after ${calls} calls`).toEqual([`After ${calls}, 2027-03-01 09:00`]);
    if (!killed) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(4);
});

test("a column whose answer was lost is recognized even if its session was renamed since", async () => {
  world = await openGradebookCourse("moodle", { policy: perSession });
  await sessionIs("Cells");
  await world.want("11", { [sessionColumn(eventId())]: 80 });
  const lost = { ...world.deps.columns, keepMade: () => Promise.reject(new Error("killed")) };
  const { keepMade } = world.deps.columns;
  Object.assign(world.deps.columns, { keepMade: lost.keepMade });
  await world.deliver();
  Object.assign(world.deps.columns, { keepMade });
  expect(labels()).toEqual(["Cells, 2027-03-01 09:00"]);
  await sessionIs("Tissue");
  world.pass(60_000);
  await world.deliver();
  expect(world.grade("11"), "80 of 100, of 20 points").toBe(16);
  await tellAll();
  expect(labels()).toEqual(["Tissue, 2027-03-01 09:00"]);
});

test("an LMS that is down later gets only the latest change", async () => {
  await openWithColumn("moodle");
  await sessionIs("Tissue");
  world.lms.faults.add({ on: "line-item", how: "answer", status: 503 });
  await tellAll();
  expect(labels()).toEqual(["Cells, 2027-03-01 09:00"]);
  world.lms.faults.clear();
  await sessionIs("Organs");
  world.pass(5 * 60_000);
  while (await updateColumn(world.deps));
  expect(labels()).toEqual(["Organs, 2027-03-01 09:00"]);
  expect(puts()).toBeLessThan(2);
});
