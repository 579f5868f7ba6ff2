import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { holdSession, metric, startWorld, walkIn } from "../support/tool/start-world.ts";

/** The demo's courses: biology's one link has a column of its own, history's reading room (link 3) has none. */
const biology = { course: "2", link: 0, name: "BIO101" };
const history = { course: "3", link: 1, name: "HIS205" };

describe.each(["moodle", "canvas"] as const)("a copied course in an LMS with %s's manners", (manners) => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld({ manners });
    await present("student1", biology.course, biology.link, biology.name);
    await arrives(biology.course, "student1", [100]);
    await present("student1", history.course, history.link, history.name);
    await arrives(history.course, "student1", [null, 100]);
  });
  afterAll(() => world.close());

  /** Somebody enters from one of a course's links and is marked as present in its Space. */
  async function present(person: string, courseId: string, link: number, spaceName: string): Promise<void> {
    const { links } = world.lms.world.courses.get(courseId) ?? { links: [] };
    const userId = await walkIn(world, person, links[link]?.id ?? "");
    holdSession(world, spaceName, userId, "PRESENT");
  }

  function gradesOf(courseId: string, username: string): (number | null)[] {
    const learner = world.lms.gradebook(courseId).learners.find((one) => one.username === username);
    return learner?.grades.map((cell) => cell.value) ?? [];
  }

  function arrives(courseId: string, username: string, grades: (number | null)[]): Promise<void> {
    return vi.waitFor(() => {
      expect(gradesOf(courseId, username)).toEqual(grades);
    }, patience);
  }

  function copyOf(courseId: string) {
    const copy = world.lms.copyCourse(courseId, { people: "all" });
    const columns = world.lms.gradebook(copy.id).columns;
    // Canvas leaves the columns of a copy to be published by the teacher; that is not what is looked at here.
    for (const { id } of columns) {
      const column = world.lms.world.columns.get(id);
      if (column !== undefined) column.published = true;
    }
    return { id: copy.id, name: copy.shortname, columns };
  }

  test("fills the copied column of its link, and the source keeps its grades", async () => {
    const copy = copyOf(biology.course);
    expect(copy.columns).toHaveLength(1);
    expect(gradesOf(copy.id, "student1")).toEqual([null]);
    await present("student2", copy.id, biology.link, copy.name);
    await arrives(copy.id, "student2", [100]);
    expect(world.lms.gradebook(copy.id).columns).toHaveLength(1);
    expect(gradesOf(copy.id, "student1")).toEqual([null]);
    expect(gradesOf(biology.course, "student1")).toEqual([100]);
    expect(gradesOf(biology.course, "student2")).toEqual([null]);
  });

  test("fills the copied column that the tool had made, instead of making a second one", async () => {
    const copy = copyOf(history.course);
    expect(copy.columns.map(({ resourceId }) => resourceId)).toContain("spaces-lti-attendance");
    await present("student2", copy.id, history.link, copy.name);
    await arrives(copy.id, "student2", [null, 100]);
    expect(world.lms.gradebook(copy.id).columns).toHaveLength(copy.columns.length);
    expect(gradesOf(history.course, "student2")).toEqual([null, null]);
  });

  test("whose teacher gave the column other points shows the same share of them", async () => {
    const copy = copyOf(history.course);
    const column = copy.columns.find(({ resourceId }) => resourceId === "spaces-lti-attendance");
    const kept = world.lms.world.columns.get(column?.id ?? "");
    if (kept === undefined) throw new Error("no column was copied");
    kept.scoreMaximum = 20;
    await present("student3", copy.id, history.link, copy.name);
    await arrives(copy.id, "student3", [null, 20]);
  });

  test("that came with grades keeps them, where the LMS tells of them, and does not take them for its own", async () => {
    const copy = copyOf(history.course);
    const column = copy.columns.find(({ resourceId }) => resourceId === "spaces-lti-attendance")?.id ?? "";
    for (const person of ["14", "15"]) {
      world.lms.overrideGrade(column, person, 55);
      const cell = world.lms.world.grades.get(`${column} ${person}`);
      // As a restored backup brings it: a value that nobody typed in here.
      if (cell !== undefined) Object.assign(cell, { overridden: false, raw: 55 });
    }
    await present("student4", copy.id, history.link, copy.name);
    await present("student6", copy.id, history.link, copy.name);
    await arrives(copy.id, "student6", [null, 100]);
    if (manners === "moodle") {
      await vi.waitFor(async () => {
        expect(await metric(world, 'spaces_lti_deliveries{state="held"}')).toBe(1);
      }, patience);
      expect(gradesOf(copy.id, "student4")).toEqual([null, 55]);
    } else {
      // Canvas tells a tool only of grades that came from it.
      await arrives(copy.id, "student4", [null, 100]);
    }
    expect(gradesOf(copy.id, "student5")).toEqual([null, 55]);
    const { links } = world.lms.world.courses.get(copy.id) ?? { links: [] };
    const visitor = createVisitor();
    const coursePage = await openCourseLink(visitor, world.lms, "teacher1", links[history.link]?.id ?? "", {
      framed: true,
    });
    const page = await visitor.submit(coursePage, { action: "/course/grades" });
    expect(page.text).toContain(manners === "moodle" ? "1 in Moodle" : "2 in Canvas");
    const should = page.text.match(/(?<=<td role="cell" class="end num">)[^<]*/g);
    const decided = page.text.match(/Attendance gives 100 of 100; the gradebook has 55 of 100/g);
    expect([should, decided], "the only scores wanted are those that attendance made").toEqual(
      manners === "moodle"
        ? [["100 / 100"], ["Attendance gives 100 of 100; the gradebook has 55 of 100"]]
        : [["100 / 100", "100 / 100"], null],
    );
    expect(page.text.includes("did not come from here")).toBe(manners === "moodle");
  });

  test("is its own course: a Space of its own, and the instructor reads where it came from", async () => {
    const copy = copyOf(biology.course);
    const before = world.classroom.spaces().length;
    const { links } = world.lms.world.courses.get(copy.id) ?? { links: [] };
    const page = await openCourseLink(createVisitor(), world.lms, "teacher1", links[0]?.id ?? "", {
      framed: true,
    });
    expect(page.text).toContain("This course was copied from Biology 101 – Spring");
    await vi.waitFor(() => {
      expect(world.classroom.spaces()).toHaveLength(before + 1);
    }, patience);
  });
});
