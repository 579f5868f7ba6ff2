import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";

/** The demo's history course: its reading room, the second link, has no column of its own. */
const history = { id: "3", name: "HIS205" };
const mark = "spaces-lti-attendance";

describe("in a Moodle", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld({ learners: 3 });
  });
  afterAll(() => world.close());

  const linkOf = (course: string) => world.lms.world.courses.get(course)?.links[1]?.id ?? "";
  const markedIn = (course: string) =>
    world.lms.gradebook(course).columns.filter(({ resourceId }) => resourceId === mark);
  const labelsIn = (course: string) => markedIn(course).map(({ label }) => label);

  /** The instructor's page of grades, opened in this language in the LMS. */
  async function teachersGrades(course: string, locale: string): Promise<string> {
    world.lms.setQuirks({ locale });
    const teacher = createVisitor();
    const home = await openCourseLink(teacher, world.lms, "teacher1", linkOf(course), { framed: true });
    return (await teacher.submit(home, { action: "/course/grades" })).text;
  }

  /** A learner, whose LMS is in English, is present in a course's session. */
  async function attended(course: { id: string; name: string }): Promise<void> {
    world.lms.setQuirks({ locale: "en" });
    const userId = await walkIn(world, "student1", linkOf(course.id));
    holdSession(world, course.name, userId, "PRESENT");
    await vi.waitFor(() => {
      const learner = world.lms.gradebook(course.id).learners.find(({ username }) => username === "student1");
      expect(learner?.grades.map(({ value }) => value)).toContain(100);
    }, patience);
  }

  function copyOfHistory() {
    const { id, shortname: name } = world.lms.copyCourse(history.id, { people: "all" });
    for (const { id: columnId } of world.lms.gradebook(id).columns) {
      const column = world.lms.world.columns.get(columnId);
      if (column !== undefined) column.published = true;
    }
    return { id, name };
  }

  test("the column is named in the instructor's language for the course, not in a learner's", async () => {
    const spanish = copyOfHistory();
    await teachersGrades(history.id, "de");
    await attended(history);
    expect(labelsIn(history.id)).toEqual(["Anwesenheit"]);
    await teachersGrades(spanish.id, "es_mx");
    await attended(spanish);
    expect(labelsIn(spanish.id)).toEqual(["Asistencia"]);
  }, 90_000);

  test("an older column “Attendance” is found again, and keeps its name", async () => {
    const [before] = markedIn(history.id);
    const kept = world.lms.world.columns.get(before?.id ?? "");
    if (kept === undefined) throw new Error("the course has no column");
    kept.label = "Attendance";
    const copy = copyOfHistory();
    await teachersGrades(copy.id, "de");
    await attended(copy);
    expect(labelsIn(copy.id)).toEqual(["Attendance"]);
    expect(await teachersGrades(copy.id, "de")).toContain("„Attendance“");
  }, 90_000);
});
