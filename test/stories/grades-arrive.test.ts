import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, metric, startWorld, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
let world: DemoWorld;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => {
  world.lms.faults.clear();
});

const arrives = (username: string, grade: number, column = 0, course = biology.course) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, course, username, column)).toBe(grade);
  }, patience);

const blockedScores = 'spaces_lti_deliveries{state="blocked"}';
const cli = (...command: string[]) => runCli(world.variables, command);

/** What the instructor's page of grades says about a learner's score. */
async function stateOf(name: string): Promise<string> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  const page = await visitor.submit(home, { action: "/course/grades" });
  const row = page.text.split(/<tr|<li>/).find((one) => one.includes(name)) ?? "";
  return row
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

test("a present learner gets full points, a late session less, an excused one leaves the rest alone", async () => {
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

test.each([
  ["503 twice", { on: "scores", how: "answer", status: 503, times: 2 }],
  ["429 with Retry-After", { on: "scores", how: "answer", status: 429, retryAfter: 1, times: 2 }],
  ["401", { on: "scores", how: "answer", status: 401, times: 1 }],
  ["no answer at all", { on: "scores", how: "hang-up", times: 1 }],
  ["a token endpoint that is down", { on: "token", how: "answer", status: 500, times: 1 }],
] as const)(
  "a score arrives although the LMS answers %s",
  async (_what, fault) => {
    const before = gradeOfLearner(world, biology.course, "student2");
    const userId = await walkIn(world, "student2", biology.link);
    world.lms.revokeTokens();
    world.lms.faults.add(fault);
    holdSession(world, biology.name, userId, before === 0 ? "PRESENT" : "ABSENT");
    await vi.waitFor(() => {
      const now = gradeOfLearner(world, biology.course, "student2");
      expect(now).not.toBeNull();
      expect(now).not.toBe(before);
    }, patience);
  },
  60_000,
);

test("a score whose answer was lost is not sent as something else, and ends as delivered", async () => {
  const userId = await walkIn(world, "student3", biology.link);
  world.lms.faults.add({ on: "scores", how: "lose-answer", times: 1 });
  holdSession(world, biology.name, userId, "LATE");
  await arrives("student3", 80);
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_deliveries{state="waiting"}')).toBe(0);
  }, patience);
});

test("kill -9 between the webhook and the grade loses nothing", async () => {
  const userId = await walkIn(world, "student4", biology.link);
  world.lms.faults.add({ on: "scores", how: "answer", status: 503, times: 1_000 });
  holdSession(world, biology.name, userId, "PRESENT");
  // Killed with the score in hand: an attempt is under way, so its claim has to run out first.
  await vi.waitFor(() => {
    expect(world.lms.scores().at(-1)?.status).toBe(503);
  }, patience);
  await world.tool().end("SIGKILL");
  world.lms.faults.clear();
  await world.restartTool();
  await arrives("student4", 100);
}, 60_000);

/** student13, in the LMS. */
const slowLearner = "23";
/** Scores that came, but for this learner's: the gradebook may come to the slow request of the killed tool at any time. */
const scoresOfOthers = () =>
  world.lms.scores().filter(({ body }) => !JSON.stringify(body).includes(`"userId":"${slowLearner}"`));

test("a score that was in hand when the tool was killed is taken over within seconds", async () => {
  const userId = await walkIn(world, "student13", biology.link);
  world.lms.faults.add({ on: "scores", how: "slow", delayMs: 60_000, times: 1 });
  holdSession(world, biology.name, userId, "PRESENT");
  await vi.waitFor(() => {
    expect(world.lms.faults.all()).toHaveLength(0); // used up: the slow request is under way
  }, patience);
  await world.tool().end("SIGKILL");
  await world.restartTool();
  await arrives("student13", 100);
}, 60_000);

test("duplicated and reordered webhooks end at the classroom's latest status", async () => {
  const userId = await walkIn(world, "student5", biology.link);
  const eventId = holdSession(world, biology.name, userId, "ABSENT");
  world.classroom.setWebhookSwitches({ duplicates: true, reorder: true });
  const now = Date.now();
  world.classroom.markAttendance({ eventId, userId, status: "LATE", at: now + 1_000 });
  world.classroom.markAttendance({ eventId, userId, status: "PRESENT", at: now + 2_000 });
  await world.classroom.webhooksSettled();
  world.classroom.setWebhookSwitches({ duplicates: false, reorder: false });
  await arrives("student5", 100);
}, 60_000);

test("attendance of a person who is no student there is shown to the instructor in words", async () => {
  const userId = await walkIn(world, "student6", biology.link);
  // A roster read meanwhile would take them off the page.
  world.lms.faults.add({ on: "memberships", how: "answer", status: 503, times: 99 });
  world.lms.unenrol(biology.course, "16");
  holdSession(world, biology.name, userId, "PRESENT");
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_deliveries{state="refused"}')).toBe(1);
  }, patience);
  const { given, family } = world.lms.world.people.get("16") ?? { given: "", family: "" };
  const state = await stateOf(`${given} ${family}`);
  expect(state).toContain("Not accepted");
  expect(state).toContain("isn’t an active learner of the course");
}, 60_000);

test("a grade that a teacher changed in the gradebook is left alone, and said to the instructor", async () => {
  const userId = await walkIn(world, "student7", biology.link);
  holdSession(world, biology.name, userId, "PRESENT");
  await arrives("student7", 100);
  const column = world.lms.gradebook(biology.course).columns[0]?.id ?? "";
  world.lms.overrideGrade(column, "17", 44);
  holdSession(world, biology.name, userId, "LATE");
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_deliveries{state="held"}')).toBe(1);
  }, patience);
  expect(gradeOfLearner(world, biology.course, "student7")).toBe(44);
  const { given, family } = world.lms.world.people.get("17") ?? { given: "", family: "" };
  expect(await stateOf(`${given} ${family}`)).toContain("44 of 100");
}, 60_000);

test("five first scores of a link without a column make one column, and the course asks before it makes a deleted one again", async () => {
  const history = { course: "3", link: "3", name: "HIS205" };
  const columnsBefore = world.lms.gradebook(history.course).columns.length;
  const people = ["student8", "student9", "student10", "student11", "student12"];
  const users: string[] = [];
  for (const person of people) users.push(await walkIn(world, person, history.link));
  for (const user of users) holdSession(world, history.name, user, "PRESENT");
  for (const person of people) await arrives(person, 100, columnsBefore, history.course);
  const made = world.lms.gradebook(history.course).columns.slice(columnsBefore);
  expect(made).toMatchObject([{ label: "Attendance", scoreMaximum: 100 }]);

  world.lms.world.columns.delete(made[0]?.id ?? "");
  const [first = ""] = users;
  holdSession(world, history.name, first, "LATE");
  const teacher = createVisitor();
  const home = await openCourseLink(teacher, world.lms, "teacher1", history.link, { framed: true });
  const grades = await vi.waitFor(async () => {
    const page = await teacher.submit(home, { action: "/course/grades" });
    expect(page.text).toContain("is missing from the gradebook since");
    return page;
  }, patience);
  expect(world.lms.gradebook(history.course).columns).toHaveLength(columnsBefore);
  const [, column = ""] = /name="column" value="(make:[^"]+)"/.exec(grades.text) ?? [];
  await teacher.submit(grades, { action: "/course/grades/column", fields: { column } });
  await arrives("student8", 90, columnsBefore, history.course);
}, 90_000);

test("attendance in an event that is linked to the Space only later counts then", async () => {
  const userId = await walkIn(world, "student20", biology.link);
  const now = Date.now();
  const event = world.classroom.createEvent({
    spaceId: null,
    title: "Early",
    startsAt: now,
    endsAt: now + 1,
  });
  world.classroom.markAttendance({ eventId: event.eventId, userId, status: "PRESENT" });
  await vi.waitFor(async () => {
    expect(await metric(world, 'spaces_lti_receipts{state="unmatched"}')).toBe(1);
  }, patience);
  expect(gradeOfLearner(world, biology.course, "student20")).toBeNull();
  const space = world.classroom.spaces().find((one) => one.name.startsWith(biology.name));
  world.classroom.updateEvent({ eventId: event.eventId, spaceId: space?.spaceId ?? "" });
  await arrives("student20", 100);
}, 60_000);

test("a place that the administrator refused gets no more grades, and gets them when it is accepted again", async () => {
  const [lms] = z.array(z.object({ id: z.string() })).parse(await cli("platform", "list"));
  const userId = await walkIn(world, "student22", biology.link);
  await cli("platform", "deployment", lms?.id ?? "", "1", "refuse");
  const sent = scoresOfOthers();
  const blocked = await metric(world, blockedScores);
  holdSession(world, biology.name, userId, "PRESENT");
  await vi.waitFor(async () => {
    expect(await metric(world, blockedScores)).toBe(blocked + 1);
  }, patience);
  expect(scoresOfOthers()).toEqual(sent);
  await cli("platform", "deployment", lms?.id ?? "", "1", "accept");
  await arrives("student22", 100);
}, 60_000);

test("SIGTERM ends the tool cleanly, and after the restart nothing is sent twice", async () => {
  const sent = scoresOfOthers().length;
  expect(await world.tool().end("SIGTERM")).toBe(0);
  await world.restartTool();
  const userId = await walkIn(world, "student21", biology.link);
  holdSession(world, biology.name, userId, "PRESENT");
  await arrives("student21", 100);
  const after = scoresOfOthers().slice(sent);
  expect(after).toMatchObject([{ status: 200, body: { scoreGiven: 100 } }]);
}, 60_000);

test("no name, token, secret or body is in what the tool has logged", () => {
  const log = world.output();
  expect(log).toContain("score attempted");
  for (const secret of ["CLASSROOM_API_KEY", "CLASSROOM_WEBHOOK_SECRET", "SECRET_KEY"]) {
    expect(log).not.toContain(world.variables[secret]);
  }
  for (const person of world.lms.world.people.values()) {
    // As a word: an address of the classroom's (createAPIUser) is nobody's name.
    if (person.family !== "") expect(log).not.toMatch(new RegExp(`\\b${person.family}\\b`));
    if (person.email !== "") expect(log).not.toContain(person.email);
  }
  expect(log).not.toMatch(/eyJ[A-Za-z0-9_-]{10}/);
});
