import { beforeAll, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { type GradingChange, usualGrading } from "../support/tool/usual-grading.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };
const minute = 60_000;

let spaceId: string;
let eventId: string;
let begin: number;
let students: Record<"student1" | "student2" | "student3", string>;

const world = await forAllTests(startWorld({ learners: 3 }));
beforeAll(async () => {
  await walkIn(world, "teacher1", biology.link);
  students = {
    student1: await walkIn(world, "student1", biology.link),
    student2: await walkIn(world, "student2", biology.link),
    student3: await walkIn(world, "student3", biology.link),
  };
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  begin = Date.now() - 180 * minute;
  const session = { spaceId, title: "Cells", startsAt: begin, endsAt: begin + 50 * minute };
  ({ eventId } = world.classroom.createEvent(session));
}, 120_000);

type Page = Seen & { visitor: Visitor };

async function opens(person: string): Promise<Page> {
  const visitor = createVisitor();
  return { ...(await openCourseLink(visitor, world.lms, person, biology.link, { framed: true })), visitor };
}

async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

const openGrading = async () => press(await opens("teacher1"), "/course/grading");

const byMinutes = {
  ...{ ...usualGrading, comment: "yes", worth: "minutes" },
  ...{ fullFrom: "100", tolerance: "0", below: "share", hiddenMinutes: "counted" },
};
const preview = async (change: GradingChange = {}) =>
  press(await openGrading(), "/course/grading/preview", { ...byMinutes, ...change });

/** People were in the Space, in minutes of the session. */
function told(stays: readonly { who: keyof typeof students; from: number; to: number }[]): void {
  world.classroom.tellEarlier({
    spaceId,
    stays: stays.map(({ who, from, to }) => ({
      ...{ userId: students[who], from: begin + from * minute, to: begin + to * minute },
    })),
  });
}

const have = (grades: Record<string, number | null>) =>
  vi.waitFor(() => {
    const now = Object.keys(grades).map((person) => [person, gradeOfLearner(world, biology.course, person)]);
    expect(Object.fromEntries(now)).toEqual(grades);
  }, patience);

const commentOf = (person: string) =>
  world.lms.gradebook(biology.course).learners.find(({ username }) => username === person)?.grades[0]
    ?.comment;

const mine = async (person: string) => textOf(await press(await opens(person), "/course/my-sessions"));

test("minutes are kept with a session from webhooks that come twice and in any order, and change no grade by themselves", async () => {
  world.classroom.setWebhookSwitches({ duplicates: true, reorder: true });
  for (const userId of [students.student1, students.student2])
    world.classroom.markAttendance({ eventId, userId, status: "PRESENT" });
  world.classroom.markAttendance({ eventId, userId: students.student3, status: "ABSENT" });
  told([
    { who: "student1", from: -5, to: 20 },
    { who: "student1", from: 28, to: 55 },
    { who: "student2", from: 0, to: 50 },
    { who: "student3", from: 0, to: 30 },
  ]);
  world.classroom.setWebhookSwitches({ duplicates: false, reorder: false });
  await have({ student1: 100, student2: 100, student3: 0 });
  await vi.waitFor(async () => {
    expect(await mine("student1")).toContain("Time in the classroom: 42 of 50 min");
  }, patience);
});

test("saved, it reaches the gradebook with its reason, and the learner reads it", async () => {
  const saved = await press(await preview(), "/course/grading/save", { act: "save" });
  expect(textOf(saved)).toContain("Saved. Grades are updated and sent.");
  await have({ student1: 84, student2: 100, student3: 0 });
  expect(commentOf("student1")).toBe("1 session: 1 present; 1 by minutes: 84 / 1 = 84 of 100");
  const page = await mine("student1");
  expect(page).toContain("1 by minutes (84 points in all)");
  expect(page).toContain("Present and Late count by minutes: full credit from 100 % of a session");
  // An absence stays one, with the minutes beside it.
  expect(await mine("student3")).toContain("Time in the classroom: 30 of 50 min");
});
