import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor } from "../../src/sandbox/visitor.ts";
import { usualGrading } from "../support/tool/usual-grading.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/course-posts.ts";

const biology = { course: "2", link: "1" };
const history = { link: "2" };
const minute = 60_000;
const hour = 60 * minute;

let world: DemoWorld;
let spaceId: string;
let host: string;
let learners: string[];
let teacher: string;

beforeAll(async () => {
  world = await startWorld({ learners: 3 });
  host = await walkIn(world, "teacher1", biology.link);
  learners = [];
  for (const name of ["student1", "student2"]) learners.push(await walkIn(world, name, biology.link));
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await arrive("teacher1");
}, 120_000);
afterAll(() => world.close());

const arrive = (person: string, link = biology.link) => arriveIn(world, person, link);

const post = (session: string, path: string, fields: Record<string, string> = {}) =>
  postIn(world, session, path, fields);

/** The page as soon as it says something. */
function shows(path: string, text: string | RegExp, fields: Record<string, string> = {}) {
  return vi.waitFor(async () => {
    const seen = await post(teacher, path, fields);
    expect(seen.text).toMatch(text);
    return seen.text;
  }, patience);
}

/** People were in the Space between two moments (hours ago, minutes). */
function met(hoursAgo: number, people: readonly string[], minutes = 56): void {
  const from = Date.now() - hoursAgo * hour;
  const stays = people.map((userId) => ({ userId, from, to: from + minutes * minute }));
  world.classroom.tellEarlier({ spaceId, stays });
}

type Question = Record<"class" | "from" | "to" | "began" | "ended", string>;
/** The forms of the page, from its first class on. */
function questions(page: string): Question[] {
  const value = (form: string, name: string) =>
    new RegExp(`name="${name}"\\s+value="([^"]+)"`).exec(form)?.[1] ?? "";
  return page
    .split("/unplanned/answer")
    .slice(1)
    .map((form) => ({
      ...{ class: value(form, "class"), from: value(form, "from"), to: value(form, "to") },
      ...{ began: value(form, "began"), ended: value(form, "ended") },
    }));
}

describe("a class that nobody planned", () => {
  let question: Question;

  test("is asked about on the instructor's home, once", async () => {
    met(6, [host], 50);
    met(3, [host, ...learners]);
    const home = await shows("/course/home", /2 learners: was this a class\?/);
    expect(home.match(/was this a class\?/g)).toHaveLength(1);
    await shows("/course/sessions", "People met in your classroom");
    const page = await shows("/course/unplanned", "2 learners were there.");
    expect(page).toContain("2 present, 1 absent");
    [question = expect.fail("no question")] = questions(page);
    expect(questions(page)).toHaveLength(1);
  });

  test("is answered by instructors of this course only", async () => {
    const learner = await arrive("student1");
    const path = "/course/unplanned/answer";
    expect((await post(learner, "/course/unplanned")).status).toBe(403);
    expect((await post(learner, path, { ...question, answer: "class" })).status).toBe(403);
    const elsewhere = await arrive("teacher1", history.link);
    expect((await post(elsewhere, path, { ...question, answer: "class" })).status).toBe(404);
    expect((await post(teacher, path, { ...question, class: "unknown", answer: "class" })).status).toBe(404);
    expect((await post(teacher, path, { ...question, answer: "maybe" })).status).toBe(400);
    expect((await post(teacher, path, { answer: "class" })).status).toBe(400);
    const rule = { answer: "always", presentFrom: "51", lateAfter: "10" };
    expect((await post(teacher, "/course/unplanned/rule", rule)).status).toBe(400);
    expect((await post(teacher, path, { ...question, to: "1", answer: "class" })).text).toContain(
      "The classroom has reported more since.",
    );
  });

  test("is nobody's absence who enrolled after it", async () => {
    const newcomer = [...world.lms.world.people.values()].find(({ username }) => username === "teacher2");
    if (newcomer === undefined) throw new Error("nobody to enrol");
    world.lms.enrol(biology.course, { ...newcomer, role: "student" });
    await walkIn(world, newcomer.username, biology.link);
  });

  test("becomes a session with a register, a grade in the gradebook and a line in the trail", async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => post(teacher, "/course/unplanned/answer", { ...question, answer: "class" })),
    );
    const said = `${one?.text ?? ""} ${two?.text ?? ""}`;
    expect(said).toContain("It’s a session now.");
    expect(said.match(/This was answered already\./g)).toHaveLength(1);
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, "student1")).toBe(100);
      expect(gradeOfLearner(world, biology.course, "student3")).toBe(0);
    }, patience);
    const register = await shows("/course/register", "Unplanned class", {
      event: `unplanned-${question.class}`,
    });
    expect(register).toMatch(/Time in the classroom: 56 of 56 min \(\d\d:\d\d–\d\d:\d\d\)/);
    expect(register).toContain("Not in the classroom");
    expect(register).toContain("Joined later");
    expect(gradeOfLearner(world, biology.course, "teacher2")).toBe(null);
    await shows("/course/audit", "Session made of an unplanned class");
    expect((await post(teacher, "/course/home")).text).not.toContain("was this a class?");
    const mine = await post(await arrive("student1"), "/course/my-sessions");
    expect(mine.text).toContain("Unplanned class");
  });

  test("can be taken back until somebody was marked by hand", async () => {
    const path = "/course/unplanned/answer";
    expect((await post(teacher, path, { ...question, answer: "none" })).text).toContain("Taken back.");
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, "student1")).toBe(null);
    }, patience);
    expect((await post(teacher, path, { ...question, answer: "class" })).text).toContain(
      "It’s a session now.",
    );
    const event = `unplanned-${question.class}`;
    const all = { event, act: "all", bulk: "EXCUSED", reason: "a trial" };
    expect((await post(teacher, "/course/register/save", all)).status).toBe(200);
    const refused = await post(teacher, path, { ...question, answer: "none" });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Someone was marked by hand in this session");
  });
});

test("a planned session swallows it", async () => {
  const now = Date.now();
  world.classroom.createEvent({
    spaceId,
    title: "Cells",
    startsAt: now - 9 * hour,
    endsAt: now - 8 * hour,
  });
  await shows("/course/sessions", "Cells");
  met(9, [host, ...learners]);
  met(13, [host, ...learners]);
  const askedSince = (page: string, hoursAgo: number) =>
    questions(page).filter(({ from }) => Math.abs(Number(from) - (now - hoursAgo * hour)) < 2 * minute);
  await vi.waitFor(async () => {
    const { text } = await post(teacher, "/course/unplanned");
    // Of the same look at the Space.
    expect(askedSince(text, 13)).toHaveLength(1);
    expect(askedSince(text, 9)).toEqual([]);
  }, patience);
});

/** A grade for each session, with a column of its own. */
async function gradeEachSession(): Promise<void> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  const policy = { ...usualGrading, kind: "column-per-session" };
  const form = await visitor.submit(home, { action: "/course/grading" });
  const difference = await visitor.submit(form, { action: "/course/grading/preview", fields: policy });
  const saved = await visitor.submit(difference, {
    action: "/course/grading/save",
    fields: { act: "save" },
  });
  expect(saved.text).toContain("Saved.");
}

test("with a column for each session, the one of a session taken back stays empty, and the page says so", async () => {
  const path = "/course/unplanned/answer";
  const stays = "Its empty column stays in the gradebook";
  const begin = Date.now() - 16 * hour;
  const open = () =>
    vi.waitFor(async () => {
      const { text } = await post(teacher, "/course/unplanned");
      const found = questions(text).find(({ from }) => Math.abs(Number(from) - begin) < 2 * minute);
      return found ?? expect.fail("not asked yet");
    }, patience);
  met(16, [host, ...learners]);
  const found = await open();
  // With one column for all nothing is left behind.
  await post(teacher, path, { ...found, answer: "class" });
  const back = await post(teacher, path, { ...found, answer: "none" });
  expect(back.text).toContain("Taken back.");
  expect(back.text).not.toContain(stays);

  await gradeEachSession();
  await post(teacher, path, { ...found, answer: "class" });
  const resourceId = `spaces-lti-session-unplanned-${found.class}`;
  const gradesOf = (username: string) => {
    const { columns, learners: rows } = world.lms.gradebook(biology.course);
    const at = columns.findIndex((column) => column.resourceId === resourceId);
    return at < 0 ? "no column" : rows.find((one) => one.username === username)?.grades[at]?.value;
  };
  await vi.waitFor(() => {
    expect(["student1", "student3"].map(gradesOf)).toEqual([100, 0]);
  }, patience);
  expect((await post(teacher, path, { ...found, answer: "none" })).text).toContain(stays);
  await vi.waitFor(() => {
    expect(["student1", "student3"].map(gradesOf)).toEqual([null, null]);
  }, patience);
});

test("always: holds from now on, so what was before is asked", async () => {
  const rule = { answer: "always", presentFrom: "50", lateAfter: "10" };
  expect((await post(teacher, "/course/unplanned/rule", rule)).text).toContain("Saved.");
  const before = questions((await post(teacher, "/course/unplanned")).text).length;
  met(20, [host, ...learners]);
  await vi.waitFor(async () => {
    expect(questions((await post(teacher, "/course/unplanned")).text).length).toBe(before + 1);
  }, patience);
});

test("a session that is entered for the same hour takes its place, and a typed time is read", async () => {
  const path = "/course/unplanned/answer";
  const [found] = questions((await post(teacher, "/course/unplanned")).text);
  if (found === undefined) throw new Error("nothing is asked");
  const answered = { ...found, answer: "class" };
  const refused = await post(teacher, path, { ...answered, ended: "soon" });
  expect([refused.status, refused.text.includes("Enter when the class began and ended.")]).toEqual([
    422,
    true,
  ]);
  expect((await post(teacher, path, answered)).text).toContain("It’s a session now.");
  const [startsAt, endsAt] = [Number(found.from), Number(found.to)];
  world.classroom.createEvent({ spaceId, title: "Entered later", startsAt, endsAt });
  await shows("/course/unplanned", "In the timetable now.");
});
