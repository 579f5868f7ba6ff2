import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import {
  addLinks,
  answerOf,
  changeLink,
  deepLinking,
  hiddenField,
  openDialog,
  pick,
} from "../support/browser/dialog.ts";
import { holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const biology = { course: "2", link: "1", name: "BIO101" };
const history = { course: "3", link: "2", name: "HIS205" };
const itemsSchema = z.array(
  z.looseObject({
    type: z.literal("ltiResourceLink"),
    title: z.string(),
    url: z.string(),
    custom: z.record(z.string(), z.string()),
    lineItem: z
      .looseObject({
        label: z.string(),
        scoreMaximum: z.number().int(),
        resourceId: z.string(),
        tag: z.string(),
      })
      .optional(),
    iframe: z.object({ width: z.number(), height: z.number() }).optional(),
  }),
);

/** The Space where the login of an entry leads. */
async function spaceOf(world: DemoWorld, person: string, linkId: string): Promise<string> {
  const answer = await enterByCourseLink(createVisitor(), world.lms, person, linkId);
  return new URL(answer.location ?? "").pathname.replace("/spaces/", "");
}

/** What the gradebook shows for a learner in the column of a link. */
function gradeInColumn(world: DemoWorld, course: string, label: string, username: string): number | null {
  const { columns, learners } = world.lms.gradebook(course);
  const index = columns.findIndex((column) => column.label === label);
  return learners.find((one) => one.username === username)?.grades[index]?.value ?? null;
}

/** A session of the course is known to the tool once attendance in it has taken effect. */
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

  test("an instructor adds the course's classroom, with a column, by pressing the button at once", async () => {
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

  test("the link may have no column, and a name of its own", async () => {
    const columns = world.lms.gradebook(history.course).columns.length;
    const title = `Raum "Süd" & <Nord>`;
    const [link] = await addLinks(world, "teacher2", history.course, { title, column: false });
    expect(link?.title).toBe(title);
    expect(world.lms.gradebook(history.course).columns).toHaveLength(columns);
  });

  test("an instructor adds a session with its own column, and the learner's points of that session arrive there", async () => {
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

  test("an excused session stays empty in its own column, and a link that was never opened gets its points, too", async () => {
    const carla = await walkIn(world, "student9", biology.link);
    const dan = await walkIn(world, "student10", biology.link);
    const eventId = await knownSession(world, carla, "EXCUSED");
    await addLinks(world, "teacher1", biology.course, { what: [`session:${eventId}`], title: "Week 2" });
    world.classroom.markAttendance({ eventId, userId: dan, status: "LATE" });
    await vi.waitFor(() => {
      expect(gradeInColumn(world, biology.course, "Week 2", "student10")).toBe(80);
    }, patience);
    expect(gradeInColumn(world, biology.course, "Week 2", "student9")).toBeNull();
  }, 60_000);

  test("a link to another classroom lets its people into that one, and an instructor may take that back", async () => {
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

  test("a link that is changed from the course's classroom to a session takes its column along", async () => {
    const ema = await walkIn(world, "student13", history.link);
    const eventId = await knownSession(world, ema, "LATE", history);
    const course = history.course;
    const first = world.lms.gradebook(course).columns[0]?.label ?? "";
    await vi.waitFor(() => {
      expect(gradeInColumn(world, course, first, "student13")).toBe(80);
    }, patience);
    const [picked] = await addLinks(world, "teacher2", course, {
      what: [`session:${eventId}`],
      column: false,
    });
    const link = world.lms.world.courses.get(course)?.links.find(({ id }) => id === history.link);
    if (link !== undefined) link.custom = { ...picked?.custom }; // "select content" on a link that exists
    await walkIn(world, "teacher2", history.link);
    await vi.waitFor(() => {
      // Attendance goes on in the column that the second link to the classroom brought.
      expect(gradeInColumn(world, course, "Second way in", "student13")).toBe(80);
    }, patience);
    world.classroom.markAttendance({ eventId, userId: ema, status: "PRESENT" });
    holdSession(world, history.name, ema, "ABSENT");
    await vi.waitFor(() => {
      expect(gradeInColumn(world, course, first, "student13")).toBe(100);
      expect(gradeInColumn(world, course, "Second way in", "student13")).toBe(50);
    }, patience);
  }, 90_000);

  test("in a copied course the links open the copy's own Space, and a copied session column is never graded", async () => {
    const anna = await walkIn(world, "student11", biology.link);
    const eventId = await knownSession(world, anna, "PRESENT");
    const [session] = await addLinks(world, "teacher1", biology.course, {
      what: [`session:${eventId}`],
      title: "Week 3",
    });
    await walkIn(world, "teacher1", session?.id ?? "");
    const copy = world.lms.copyCourse(biology.course, { people: "all" });
    const original = await spaceOf(world, "student11", biology.link);
    const spaces = new Set<string>();
    for (const title of ["Online classroom", "Joint lesson", "Week 3"]) {
      const link = copy.links.find((one) => one.title === title);
      spaces.add(await spaceOf(world, "student11", link?.id ?? ""));
    }
    expect(spaces.size).toBe(1);
    expect(spaces).not.toContain(original);

    const [space = ""] = spaces;
    const now = Date.now();
    const held = world.classroom.createEvent({
      spaceId: space,
      title: "New",
      startsAt: now,
      endsAt: now + 1,
    });
    world.classroom.markAttendance({ eventId: held.eventId, userId: anna, status: "LATE" });
    await vi.waitFor(() => {
      expect(gradeInColumn(world, copy.id, "Online classroom", "student11")).toBe(80);
    }, patience);
    world.classroom.markAttendance({ eventId, userId: anna, status: "LATE" });
    await vi.waitFor(() => {
      expect(gradeInColumn(world, biology.course, "Week 3", "student11")).toBe(80);
    }, patience);
    expect(gradeInColumn(world, copy.id, "Week 3", "student11")).toBeNull();
  }, 90_000);

  test("several links at once: each with its own name and column", async () => {
    const anna = await walkIn(world, "student12", biology.link);
    const eventId = await knownSession(world, anna, "PRESENT");
    const links = await addLinks(world, "teacher1", biology.course, {
      what: ["course", `session:${eventId}`],
      points: "20",
    });
    expect(links).toHaveLength(2);
    expect(links[0]?.title).toBe("Online classroom");
    expect(links[1]?.title).toMatch(/^Lesson, \w+ \d+ \w+ \d{4}$/);
    const made = world.lms.gradebook(biology.course).columns.slice(-2);
    expect(made).toMatchObject([
      { scoreMaximum: 20, resourceId: "spaces-lti-attendance" },
      { scoreMaximum: 20, resourceId: `spaces-lti-session-${eventId}` },
    ]);
  }, 60_000);

  test("the dialog leads to the grades and people of the course, where links open the Space at once", async () => {
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

  test("cancelling goes back with an empty list and makes nothing", async () => {
    expect(await addLinks(world, "teacher1", biology.course, { act: "cancel" })).toEqual([]);
  });
});

describe("In Canvas", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld({ manners: "canvas" });
  });
  afterAll(() => world.close());

  test("the link of an assignment comes with its column and opens the course's Space", async () => {
    const { page } = await openDialog(world, "teacher1", biology.course, "assignment_selection");
    expect(page.text).toMatch(/type="radio" id="choose-course"/);
    const [link] = await addLinks(
      world,
      "teacher1",
      biology.course,
      { title: "Attendance here", points: "25" },
      "assignment_selection",
    );
    expect(world.lms.gradebook(biology.course).columns.at(-1)).toMatchObject({
      label: "Attendance here",
      scoreMaximum: 25,
    });
    if (link !== undefined) link.published = true;
    expect(await spaceOf(world, "student1", link?.id ?? "")).not.toBe("");
  });

  test("an assignment of a session is due when the session ends, so that Canvas's calendar shows it", async () => {
    const anna = await walkIn(world, "student7", biology.link);
    const before = Date.now();
    const eventId = await knownSession(world, anna, "PRESENT");
    const after = Date.now();
    await addLinks(world, "teacher1", biology.course, { what: [`session:${eventId}`], title: "Week 1" });
    const column = world.lms.gradebook(biology.course).columns.find(({ label }) => label === "Week 1");
    const dueAt = Date.parse(column?.dueAt ?? "");
    expect(dueAt).toBeGreaterThanOrEqual(before);
    expect(dueAt).toBeLessThanOrEqual(after);
  });

  test("the editor takes a link without a column, and none is offered there", async () => {
    const { page } = await openDialog(world, "teacher1", biology.course, "editor_button");
    expect(page.text).not.toContain('name="points"');
    const answer = await pick(world, hiddenField(page, "dialog"), {});
    const { payload } = await answerOf(world, answer);
    const [item] = itemsSchema.parse(payload[`${deepLinking}/content_items`]);
    expect(item?.lineItem).toBeUndefined();
    expect(item?.iframe).toEqual({ width: 900, height: 700 });
  });

  test("the answer is signed by the tool for this Canvas, with all that the standard wants", async () => {
    const { page } = await openDialog(world, "teacher1", biology.course);
    const answer = await pick(world, hiddenField(page, "dialog"), { title: "Room 1" });
    const { header, payload } = await answerOf(world, answer);
    const [tool] = world.lms.tools();
    expect(header.alg).toBe("RS256");
    expect(header.kid).toMatch(/^key_/);
    expect(payload).toMatchObject({
      iss: tool?.clientId,
      aud: world.lms.url,
      [`${lti}/message_type`]: "LtiDeepLinkingResponse",
      [`${lti}/version`]: "1.3.0",
      [`${lti}/deployment_id`]: tool?.deploymentId,
    });
    expect(payload["nonce"]).toMatch(/^[\w-]{16,}$/);
    expect(payload).not.toHaveProperty("azp");
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(600);
    const [item] = itemsSchema.parse(payload[`${deepLinking}/content_items`]);
    expect(item?.custom["spaces_choice"]).toMatch(/^chc_/);
    expect(item).toMatchObject({
      title: "Room 1",
      lineItem: {
        label: "Room 1",
        scoreMaximum: 100,
        tag: "attendance",
        submissionReview: { url: `${world.toolUrl}/lti/launch` },
      },
    });
  });
});
