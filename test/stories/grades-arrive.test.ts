import { afterEach, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const world = await forAllTests(startWorld());
afterEach(() => {
  world.lms.faults.clear();
});

const arrives = (username: string, grade: number, column = 0, course = biology.course) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, course, username, column)).toBe(grade);
  }, patience);

test("a present learner gets full points, a late session fewer, and an excused one changes nothing", async () => {
  const userId = await walkIn(world, "student1", biology.link);
  holdSession(world, biology.name, userId, "PRESENT");
  await arrives("student1", 100);
  holdSession(world, biology.name, userId, "PRESENT");
  const lesson = holdSession(world, biology.name, userId, "LATE");
  await arrives("student1", 93.33);
  holdSession(world, biology.name, userId, "EXCUSED");
  world.classroom.markAttendance({ eventId: lesson, userId, status: "ABSENT" });
  await arrives("student1", 66.67);
});

test("if grades are released by hand, a late webhook changes the page, and the gradebook after the release", async () => {
  const userId = await walkIn(world, "student2", biology.link);
  holdSession(world, biology.name, userId, "PRESENT");
  await arrives("student2", 100);
  const teacher = createVisitor();
  const home = await openCourseLink(teacher, world.lms, "teacher1", biology.link, { framed: true });
  const opens = (action: string) => teacher.submit(home, { action });
  const sets = async (gradesRelease: string) =>
    teacher.submit(await opens("/course/grading"), {
      action: "/course/grading/sending",
      fields: { gradesRelease, gradesUntil: "" },
    });
  for (const gradesUntil of ["2026-02-31", "2026-12-20".repeat(5)]) {
    const wrong = await teacher.submit(await opens("/course/grading"), {
      action: "/course/grading/sending",
      fields: { gradesRelease: "hand", gradesUntil },
    });
    expect([wrong.status, textOf(wrong).includes("Enter the date as year-month-day")]).toEqual([422, true]);
  }
  expect(textOf(await sets("hand"))).toContain("Saved");
  holdSession(world, biology.name, userId, "ABSENT");
  const page = await vi.waitFor(async () => {
    const seen = await opens("/course/grades");
    expect(textOf(seen)).toContain("Not sent: 50 / 100");
    return seen;
  }, patience);
  expect(gradeOfLearner(world, biology.course, "student2")).toBe(100);
  expect(textOf(page)).toContain("Grades go to the gradebook when you release them. 1 grade has changed");
  const file = await teacher.submit(page, { action: "/course/grades.csv", fields: { kind: "proof" } });
  expect(file.text).toContain("Not sent yet");
  expect(file.text).toMatch(/José Álvarez.*,100,.*,50\r?\n/);
  const again = await openCourseLink(teacher, world.lms, "teacher1", biology.link, { framed: true });
  expect(textOf(again)).toContain("Grades waiting for your release: 1 Release");
  expect(textOf(again)).not.toContain("Up to date");
  const released = await teacher.submit(page, { action: "/course/grades/release", fields: { delivery: "" } });
  expect(textOf(released)).toContain("Sent. See the result below.");
  await arrives("student2", 50);
  await sets("self");
  holdSession(world, biology.name, userId, "ABSENT");
  await arrives("student2", 33.33);
});

/** student13, in the LMS. */
const slowLearner = "23";
/** Scores that came, except this learner's: the killed tool's slow request may still reach the gradebook at any time. */
const scoresOfOthers = () =>
  world.lms.scores().filter(({ body }) => !JSON.stringify(body).includes(`"userId":"${slowLearner}"`));

test("a score that was being sent when the tool was killed is sent again within seconds", async () => {
  const userId = await walkIn(world, "student13", biology.link);
  world.lms.faults.add({ on: "scores", how: "slow", delayMs: 60_000, times: 1 });
  holdSession(world, biology.name, userId, "PRESENT");
  await vi.waitFor(() => {
    expect(world.lms.faults.all()).toHaveLength(0); // used up: the slow request has begun
  }, patience);
  await world.tool().end("SIGKILL");
  await world.restartTool();
  await arrives("student13", 100);
}, 60_000);

test("SIGTERM ends the tool cleanly, and nothing is sent twice after the restart", async () => {
  const sent = scoresOfOthers().length;
  expect(await world.tool().end("SIGTERM")).toBe(0);
  await world.restartTool();
  const userId = await walkIn(world, "student21", biology.link);
  holdSession(world, biology.name, userId, "PRESENT");
  await arrives("student21", 100);
  const after = scoresOfOthers().slice(sent);
  expect(after).toMatchObject([{ status: 200, body: { scoreGiven: 100 } }]);
}, 60_000);
