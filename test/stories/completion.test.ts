import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { opens, press } from "../support/tool/pages.ts";
import { type GradingChange, usualGrading } from "../support/tool/forms.ts";

const biology = { course: "2", link: "1" };
const hour = 3_600_000;

let lessons: string[];
let students: Record<"student1" | "student2" | "student3", string>;

const world = await forAllTests(startWorld({ learners: 3 }));
beforeAll(async () => {
  await walkIn(world, "teacher1", biology.link);
  students = {
    student1: await walkIn(world, "student1", biology.link),
    student2: await walkIn(world, "student2", biology.link),
    student3: await walkIn(world, "student3", biology.link),
  };
  const spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  lessons = [5, 4, 3, 2].map((hoursAgo) => {
    const startsAt = Date.now() - hoursAgo * hour;
    const session = { spaceId, title: `Lesson ${6 - hoursAgo}`, startsAt, endsAt: startsAt + hour / 2 };
    return world.classroom.createEvent(session).eventId;
  });
}, 120_000);

type Student = keyof typeof students;
type Status = "PRESENT" | "LATE" | "ABSENT";

const preview = async (choice: GradingChange) =>
  press(
    await press(await opens(world, "teacher1", biology.link), "/course/grading"),
    "/course/grading/preview",
    { ...usualGrading, comment: "yes", ...choice },
  );
const choose = async (choice: GradingChange) => {
  const saved = await press(await preview(choice), "/course/grading/save", { act: "save" });
  expect(textOf(saved)).toContain("Saved. Grades are updated and sent.");
};

function mark(lesson: number, statuses: Record<Student, Status>): void {
  for (const [who, status] of Object.entries(statuses))
    world.classroom.markAttendance({ eventId: lessons[lesson - 1] ?? "", userId: userOf(who), status });
}

function userOf(who: string): string {
  const found = Object.entries(students).find(([name]) => name === who);
  return found?.[1] ?? "";
}

const have = (grades: Record<Student, number | null>) =>
  vi.waitFor(() => {
    const now = Object.keys(grades).map((person) => [person, gradeOfLearner(world, biology.course, person)]);
    expect(Object.fromEntries(now)).toEqual(grades);
  }, patience);

const scoreBody = z.object({ userId: z.string(), activityProgress: z.string(), gradingProgress: z.string() });

/** The progress in the activity that the LMS was last sent for a learner. */
function progressOf(who: Student): string | undefined {
  const userId = world.lms
    .gradebook(biology.course)
    .learners.find(({ username }) => username === who)?.personId;
  const bodies = world.lms
    .log()
    .filter(({ service, method, status }) => service === "scores" && method === "POST" && status < 300)
    .map(({ body }) => scoreBody.parse(JSON.parse(body)));
  const last = bodies.findLast((body) => body.userId === userId);
  return last && `${last.activityProgress}, ${last.gradingProgress}`;
}

const told = (expected: Record<Student, string>) =>
  vi.waitFor(() => {
    const now = { ...expected };
    for (const who of ["student1", "student2", "student3"] as const) now[who] = progressOf(who) ?? "";
    expect(now).toEqual(expected);
  }, patience);

/** The learners who have "received a grade" in the LMS. */
const completed = () =>
  world.lms
    .gradebook(biology.course)
    .learners.filter(({ personId }) => world.lms.isCompleted(biology.link, personId))
    .map(({ username }) => username)
    .sort();

const done = "Completed, FullyGraded";
const underWay = "InProgress, FullyGraded";
const reset = "Initialized, NotReady";

const mine = async (person: string) =>
  textOf(await press(await opens(world, person, biology.link), "/course/my-sessions"));

test("without a rule every grade says that the activity is completed", async () => {
  mark(1, { student1: "PRESENT", student2: "PRESENT", student3: "PRESENT" });
  mark(2, { student1: "PRESENT", student2: "PRESENT", student3: "ABSENT" });
  await have({ student1: 100, student2: 100, student3: 50 });
  await choose({});
  await told({ student1: done, student2: done, student3: done });
});

test("until enough sessions are attended the same grade is sent as in progress, and then as completed", async () => {
  await choose({ completion: "sessions", completedSessions: "3", beforeCompletion: "sent" });
  await told({ student1: underWay, student2: underWay, student3: underWay });
  await have({ student1: 100, student2: 100, student3: 50 });
  mark(3, { student1: "PRESENT", student2: "ABSENT", student3: "LATE" });
  await have({ student1: 100, student2: 66.67, student3: 60 });
  await told({ student1: done, student2: underWay, student3: underWay });
});

test("a grade that is held back leaves the gradebook, and comes with the session that completes the activity", async () => {
  const held = { completion: "sessions", completedSessions: "3", beforeCompletion: "held" };
  const difference = textOf(await preview(held));
  expect(difference).toContain("2 lose their grade: it is cleared in the gradebook.");
  await choose(held);
  await have({ student1: 100, student2: null, student3: null });
  await told({ student1: done, student2: reset, student3: reset });
  expect(completed()).toEqual(["student1"]);
  const withoutGrade = await mine("student2");
  expect(withoutGrade).toContain("No grade yet: 2 attended, 3 needed.");
  expect(withoutGrade).not.toContain("In the gradebook");
  expect(await mine("student1")).toContain("In the gradebook since");
  mark(4, { student1: "ABSENT", student2: "PRESENT", student3: "ABSENT" });
  await have({ student1: 75, student2: 75, student3: null });
  await told({ student1: done, student2: done, student3: reset });
  expect(completed()).toEqual(["student1", "student2"]);
});
