import { afterAll, afterEach, describe, expect, test } from "vitest";
import { scopes } from "../../../src/lms/scopes.ts";
import {
  closeGradebooks,
  familiesPlayed,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { allGradeScopes } from "../../support/stand-ins/service-lms.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

const restoredAt = Date.UTC(2026, 10, 20);
const posts = () => world.calls("scores").length;
const column = () => world.columns()[0]?.id ?? "";

/** What the database knows after a restore; everything is then read in the gradebook. */
async function restored(): Promise<number> {
  world.pass(2_000);
  return world.stores.deliveries.compareCourse(world.place, restoredAt, world.clock.now());
}
/** Somebody removes a grade from the gradebook altogether. */
function empties(id: string): void {
  world.lms.world.grades.delete(`${column()} ${id}`);
}
async function wantedAndSent(...scores: [id: string, score: number][]): Promise<void> {
  for (const [id, score] of scores) await world.want(id, score);
  await world.deliver();
}

describe.each(familiesPlayed)("after a restore, a score of %s", (family) => {
  test("counts as delivered once the gradebook has been read, and is not sent again if it is there", async () => {
    world = await openGradebookCourse(family);
    await wantedAndSent(["11", 80]);
    const before = posts();
    expect(await restored()).toBe(1);
    expect(await world.find("11")).toMatchObject({ state: "waiting" });
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "delivered", restoredAt: null });
    expect(posts()).toBe(before);
  });

  test("that is different or missing in the gradebook differs; nothing is sent until somebody decides", async () => {
    world = await openGradebookCourse(family);
    await wantedAndSent(["11", 80], ["12", 70], ["13", 60]);
    const before = posts();
    world.pass(2_000);
    world.lms.overrideGrade(column(), "11", 95);
    empties("12");
    await restored();
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: 95, restoredAt } });
    expect(await world.find("12")).toMatchObject({ state: "held", foreign: { score: null, restoredAt } });
    expect(await world.find("13")).toMatchObject({ state: "delivered" });
    expect(posts()).toBe(before);

    await world.answer("12", "send-ours");
    await world.answer("11", "leave-theirs");
    await world.deliver();
    expect(world.grade("12")).toBe(70);
    expect(world.grade("11")).toBe(95);
  });

  test("that attendance changes while it waits to be read is still read first", async () => {
    world = await openGradebookCourse(family);
    await wantedAndSent(["11", 80]);
    world.lms.overrideGrade(column(), "11", 95);
    await restored();
    await world.want("11", 60);
    await world.want("11", 80);
    expect(await world.find("11")).toMatchObject({ state: "waiting" });
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { restoredAt } });
    expect(world.grade("11")).toBe(95);
  });

  test("that a teacher had changed before the backup stays as an instructor decided", async () => {
    world = await openGradebookCourse(family);
    await wantedAndSent(["11", 80]);
    world.pass(2_000);
    world.lms.overrideGrade(column(), "11", 44);
    world.pass(2_000);
    await wantedAndSent(["11", 90]);
    await world.answer("11", "leave-theirs");
    const left = await world.find("11");
    expect(left?.foreign?.leftAt).toBeGreaterThan(0);
    await restored();
    await world.deliver();
    expect((await world.find("11"))?.foreign).toEqual(left?.foreign);
  });

  test("stays as in the backup if the gradebook may not be read", async () => {
    world = await openGradebookCourse(family, {
      scopes: allGradeScopes.filter((one) => one !== scopes.resultReadOnly),
    });
    await wantedAndSent(["11", 80]);
    const before = posts();
    await restored();
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "delivered", accepted: { score: 80 } });
    expect(posts()).toBe(before);
  });

  test("of a person the backup does not know does not replace what was sent after it", async () => {
    world = await openGradebookCourse(family);
    await wantedAndSent(["12", 50], ["11", 80]);
    // The backup knows nothing of this one.
    await world.stores.restores.note({
      id: `rst_${String(world.clock.now())}`,
      restoredAt: world.clock.now(),
      backupAt: null,
      begun: true,
    });
    await world.forget("11");
    await world.want("11", 60);
    const before = posts();
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: 80 } });
    expect((await world.find("11"))?.foreign?.restoredAt).toBeGreaterThan(0);
    expect(posts()).toBe(before);
  });
});

test("an LMS that fails for a while is asked again, and another process does a killed reader's work", async () => {
  world = await openGradebookCourse("moodle");
  await wantedAndSent(["11", 80], ["12", 70]);
  world.lms.overrideGrade(column(), "12", 95);
  await restored();
  world.lms.faults.add({ on: "results", how: "answer", status: 503, times: 2 });
  await world.deliver();
  expect(await world.find("12")).toMatchObject({ state: "waiting", restoredAt });
  // A process claims both and is killed.
  world.pass(20 * 60_000);
  const now = world.clock.now();
  expect(await world.stores.deliveries.claimDue("dead", now, now + 10_000)).not.toBeNull();
  world.pass(11_000);
  await world.deliver();
  expect(await world.find("11")).toMatchObject({ state: "delivered" });
  expect(await world.find("12")).toMatchObject({ state: "held", foreign: { score: 95, restoredAt } });
});
