import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import { holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";

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
});
