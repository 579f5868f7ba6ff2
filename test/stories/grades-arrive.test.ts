import { afterEach, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
const world = await forAllTests(startWorld());
afterEach(() => {
  world.lms.faults.clear();
});

const arrives = (username: string, grade: number, column = 0, course = biology.course) =>
  vi.waitFor(() => {
    expect(gradeOfLearner(world, course, username, column)).toBe(grade);
  }, patience);

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
