import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { addLinks, changeLink, hiddenField, openDialog, pick } from "../support/browser/dialog.ts";
import { holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const history = { course: "3", link: "2", name: "HIS205" };

/** The Space to which an entry's login leads. */
async function spaceOf(world: DemoWorld, person: string, linkId: string): Promise<string> {
  const answer = await enterByCourseLink(createVisitor(), world.lms, person, linkId);
  return new URL(answer.location ?? "").pathname.replace("/spaces/", "");
}

/** A learner's grade in the gradebook column of a link. */
function gradeInColumn(world: DemoWorld, course: string, label: string, username: string): number | null {
  const { columns, learners } = world.lms.gradebook(course);
  const index = columns.findIndex((column) => column.label === label);
  return learners.find((one) => one.username === username)?.grades[index]?.value ?? null;
}

/** The tool knows a session of the course once attendance in it has taken effect. */
async function knownSession(
  world: DemoWorld,
  userId: string,
  status: "PRESENT" | "LATE" | "EXCUSED",
  course = biology,
): Promise<string> {
  const eventId = holdSession(world, course.name, userId, status);
  await vi.waitFor(async () => {
    const { page } = await openDialog(world, "teacher1", course.course);
    expect(page.text).toContain(`session:${eventId}`);
  }, patience);
  return eventId;
}

describe("In Moodle", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  test("an instructor adds the course's classroom, with a column, by the first button", async () => {
    const { page } = await openDialog(world, "teacher2", history.course);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/value="course" checked/);
    const own = await spaceOf(world, "student1", history.link);
    const [link, ...rest] = await addLinks(world, "teacher2", history.course, { title: "Second way in" });
    expect(rest).toEqual([]);
    expect(link).toMatchObject({ title: "Second way in", url: `${world.toolUrl}/lti/launch` });
    expect(world.lms.gradebook(history.course).columns.at(-1)).toMatchObject({ label: "Second way in" });
    expect(await spaceOf(world, "student1", link?.id ?? "")).toBe(own);
  });

  test("an instructor adds a session with its own column, which gets the learner's points of that session", async () => {
    const anna = await walkIn(world, "student7", biology.link);
    const ben = await walkIn(world, "student8", biology.link);
    const eventId = await knownSession(world, anna, "LATE"); // marked before the column exists
    const title = "Week 1: cells";
    const [link] = await addLinks(world, "teacher1", biology.course, {
      what: [`session:${eventId}`],
      title,
      points: "10",
    });
    await walkIn(world, "student7", link?.id ?? ""); // a learner may be the first to open it
    expect(await spaceOf(world, "student7", link?.id ?? "")).toBe(
      await spaceOf(world, "student7", biology.link),
    );
    world.classroom.markAttendance({ eventId, userId: ben, status: "PRESENT" });
    await vi.waitFor(() => {
      expect(gradeInColumn(world, biology.course, title, "student7")).toBe(8);
      expect(gradeInColumn(world, biology.course, title, "student8")).toBe(10);
    }, patience);
    holdSession(world, biology.name, anna, "PRESENT"); // another session changes the course's column only
    await vi.waitFor(() => {
      expect(gradeInColumn(world, biology.course, "Online classroom", "student7")).toBe(90);
    }, patience);
    expect(gradeInColumn(world, biology.course, title, "student7")).toBe(8);
    const visitor = createVisitor();
    const coursePage = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
    const grades = await visitor.submit(coursePage, { action: "/course/grades" });
    const columns = grades.text.match(/(?<=<\/bdi><span class="sub">)(Online classroom|Lesson, )/g);
    expect(columns).toEqual(["Online classroom", "Lesson, ", "Online classroom", "Lesson, "]);
  }, 90_000);

  test("a link to another classroom lets its people into that one, and an instructor may undo that", async () => {
    const theirs = await spaceOf(world, "teacher1", history.link);
    const { page } = await openDialog(world, "teacher1", biology.course);
    expect(page.text).toMatch(
      new RegExp(`<option value="${theirs}">\\s*History 205: Cities and Trade\\s*</option>`),
    );
    const [link] = await addLinks(world, "teacher1", biology.course, {
      what: ["space"],
      known: theirs,
      title: "Joint lesson",
      column: false,
    });
    const id = link?.id ?? "";
    expect(await spaceOf(world, "student20", id)).toBe(theirs);
    expect(await spaceOf(world, "student20", biology.link)).not.toBe(theirs);

    const enter = await openCourseLink(createVisitor(), world.lms, "teacher1", id, { framed: true });
    expect(enter.text).toContain(`${world.classroom.appUrl}/spaces/${theirs}`);
    const changed = await changeLink(world, enter, { what: "course" });
    expect(changed.text).toContain("Saved.");
    expect(await spaceOf(world, "student20", id)).toBe(await spaceOf(world, "student20", biology.link));
    const address = `${world.classroom.appUrl}/spaces/${theirs}?standalone=true`;
    await changeLink(world, enter, { what: "space", space: address });
    expect(await spaceOf(world, "student20", id)).toBe(theirs);
  });

  test("the dialog leads to the course's grades and people when links open the Space directly", async () => {
    const { visitor, page } = await openDialog(world, "teacher1", biology.course);
    expect(textOf(page), "times as on the course's pages").toMatch(/Times in Paris \(CES?T\)\./);
    expect(textOf(page)).not.toContain("UTC");
    const coursePage = await visitor.submit(page, { action: "/course/tab" });
    expect(coursePage.status).toBe(200);
    expect(coursePage.text).toContain("Needs your attention");
    const people = await visitor.submit(coursePage, { action: "/course/people" });
    expect(people.text).toContain('<h1 id="people">People</h1>');
    expect(people.text).toContain('aria-label="People from your LMS"');
    const mistaken = await pick(world, hiddenField(page, "dialog"), { what: [] });
    expect(mistaken.text).toMatch(/action="[^"]*\/tab"/);
  });
});
