import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gradeInGradebook } from "../../../src/modules/grading/pages/grading-words.ts";
import { courseTimes } from "../../../src/web/course-times.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { keepAtZero } from "../../../src/modules/grading/column-questions.ts";
import { columnQuestions } from "../../../src/modules/grading/pages/column-questions-view.ts";
import { checkDueColumn } from "../../../src/modules/grading/check-column.ts";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import {
  closeGradebooks,
  familiesPlayed,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

const column = () => world.columns()[0]?.id ?? "";
const grades = () => ["11", "12", "13"].map((id) => world.grade(id));
const states = async () => Promise.all(["11", "12", "13"].map(async (id) => (await world.find(id))?.state));
/** What the page shows for a learner: "200 of 200". */
async function shownOf(id: string): Promise<string> {
  const delivery = await world.find(id);
  const known = await world.stores.columns.find({ ...world.place, key: attendanceColumn });
  if (delivery === null) return "nothing";
  const there = gradeInGradebook({ delivery, column: known });
  return `${there?.score ?? "none"} of ${there?.maximum ?? "none"}`;
}

/** Two present learners, with full marks in the gradebook. */
async function twoPresent(family: "moodle" | "canvas" | "other"): Promise<void> {
  world = await openGradebookCourse(family);
  await world.want("11", 100);
  await world.want("12", 100);
  await world.deliver();
  world.pass(120_000);
}
/** A third learner is marked late. */
async function thirdIsLate(): Promise<void> {
  await world.want("13", 80);
  await world.deliver();
}

describe.each(familiesPlayed)("a teacher gives a column of %s 200 points", (family) => {
  test("and leaves its grades: present earns all of the new points, late fewer", async () => {
    await twoPresent(family);
    world.lms.setPoints(column(), 200, { rescale: false });
    expect(grades()).toEqual([100, 100, null]);
    await thirdIsLate();
    expect(grades()).toEqual([200, 200, 160]);
    expect(await states()).toEqual(["delivered", "delivered", "delivered"]);
    expect([await shownOf("11"), await shownOf("13")]).toEqual(["200 of 200", "160 of 200"]);
  });

  test("and until that is sent, the page shows what the gradebook has", async () => {
    await twoPresent(family);
    world.lms.setPoints(column(), 200, { rescale: false });
    world.lms.faults.add({ on: "scores", how: "answer", status: 500 });
    await thirdIsLate();
    expect(await shownOf("11")).toBe("100 of 200");
    world.lms.faults.clear();
    world.pass(60_000);
    await world.deliver();
    expect(await shownOf("11")).toBe("200 of 200");
  });

  test("and changes one cell, which stays theirs", async () => {
    await twoPresent(family);
    world.lms.setPoints(column(), 200, { rescale: false });
    world.lms.overrideGrade(column(), "12", 150);
    world.pass(2_000);
    await thirdIsLate();
    expect(grades()).toEqual([200, 150, 160]);
    expect(await world.find("12")).toMatchObject({ state: "held", foreign: { score: 150, maximum: 200 } });
  });

  test.each([12.5, 100])(
    "but 0 points first: scores sent in between are sent again when it has %d",
    async (points) => {
      await twoPresent(family);
      world.lms.setPoints(column(), 0, { rescale: false });
      await thirdIsLate();
      expect(grades()).toEqual([0, 0, 0]);
      expect(await states()).toEqual(["delivered", "delivered", "delivered"]);
      expect([await shownOf("11"), await shownOf("13")]).toEqual(["0 of 0", "0 of 0"]);
      world.lms.setPoints(column(), points, { rescale: false });
      world.pass(61 * 60_000);
      while (await checkDueColumn(world.deps));
      await world.deliver();
      expect(grades()).toEqual([points, points, 0.8 * points]);
      expect(await shownOf("13")).toBe(`${0.8 * points} of ${points}`);
    },
  );

  test("and 100 again, each time without rescaling", async () => {
    await twoPresent(family);
    world.lms.setPoints(column(), 200, { rescale: false });
    await thirdIsLate();
    world.pass(120_000);
    world.lms.setPoints(column(), 100, { rescale: false });
    await world.want("13", 70);
    await world.deliver();
    expect(grades()).toEqual([100, 100, 70]);
    expect(await states()).toEqual(["delivered", "delivered", "delivered"]);
  });

  test("reading them costs one call a minute, however many scores come one by one", async () => {
    world = await openGradebookCourse(family);
    for (const id of ["11", "12", "13"]) {
      await world.want(id, 100);
      await world.deliver();
    }
    expect(world.calls("line-item")).toEqual(["GET 200"]);
  });
});

test("a Canvas column of 0 points is asked about until an instructor keeps it, and again later", async () => {
  await twoPresent("canvas");
  const gets = async (points: number) => {
    world.lms.setPoints(column(), points);
    world.pass(61 * 60_000);
    await world.stores.columns.checkAgain(world.place, world.clock.now());
    await world.want("13", 80 + points);
    await world.deliver();
  };
  const columns = () => world.stores.columns.listOfCourse("reg_1", world.place.courseId);
  const t = createTranslator()("en");
  const said = { t, times: courseTimes({ timeZone: "UTC" }, "en"), wording: "canvas" } as const;
  const asked = async () => columnQuestions(said, world.course, await columns()).map(({ text }) => text);
  await gets(0);
  expect(await asked()).toEqual([expect.stringContaining("has 0 points in Canvas, so nothing counts.")]);
  const [{ id } = { id: "" }] = await columns();
  expect(await keepAtZero(world.deps, world.course, id)).toBe(true);
  expect(await asked()).toEqual([]);
  await gets(10);
  expect(await keepAtZero(world.deps, world.course, id)).toBe(false);
  await gets(0);
  expect(await asked()).toHaveLength(1);
});

describe("in Moodle", () => {
  test("grades that are rescaled with the points are not sent again", async () => {
    await twoPresent("moodle");
    const posted = world.calls("scores").length;
    world.lms.setPoints(column(), 40);
    world.pass(2_000);
    await thirdIsLate();
    expect(grades()).toEqual([40, 40, 32]);
    expect(world.calls("scores")).toHaveLength(posted + 1);
    expect(await shownOf("11")).toBe("40 of 40");
  });

  test("new points of a link's own column are not taken for a teacher's change of grades", async () => {
    world = await openGradebookCourse("moodle");
    const link = world.lms.addLink(world.lmsCourse, { title: "Classroom", graded: true, scoreMaximum: 100 });
    const [tied] = world.columns();
    const url = `${world.lms.url}/mod/lti/services.php/${world.lmsCourse}/lineitems/${tied?.id ?? ""}/lineitem?type_id=1`;
    const opened = await world.stores.columns.open({ ...world.place, key: attendanceColumn }, "col_tied");
    await world.stores.columns.couple(opened.id, link.id, url);
    await world.want("11", 66.67);
    await world.deliver();
    world.pass(120_000);
    // Moodle computes the final grade again from the raw one and still reports the raw maximum of 100.
    world.lms.setPoints(column(), 50, { rescale: false });
    expect(world.grade("11")).toBe(33.335);
    await world.want("11", 75);
    await world.deliver();
    expect(world.grade("11")).toBe(37.5);
    expect(await world.find("11")).toMatchObject({ state: "delivered", foreign: null });
    world.pass(2_000);
    world.lms.overrideGrade(column(), "11", 10);
    await world.want("11", 80);
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: 10, maximum: 50 } });
  });

  test("scores are sent unchanged if the tool may not read the points", async () => {
    const score = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
    world = await openGradebookCourse("moodle", { scopes: [score] });
    const { id } = await world.stores.columns.open({ ...world.place, key: attendanceColumn }, "col_1");
    world.lms.addLink(world.lmsCourse, { title: "Classroom", graded: true, scoreMaximum: 50 });
    const url = `${world.lms.url}/mod/lti/services.php/${world.lmsCourse}/lineitems/${column()}/lineitem?type_id=1`;
    await world.stores.columns.couple(id, "link", url);
    await world.want("11", 80);
    await world.deliver();
    expect(world.grade("11")).toBe(40);
    expect(world.calls("line-item")).toEqual([]);
  });
});
