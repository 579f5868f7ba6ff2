import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/course-posts.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };
const minute = 60_000;
const hour = 60 * minute;

let spaceId: string;
let host: string;
let learners: string[];
let teacher: string;

const world = await forAllTests(startWorld({ learners: 3 }));
beforeAll(async () => {
  host = await walkIn(world, "teacher1", biology.link);
  learners = [];
  for (const name of ["student1", "student2"]) learners.push(await walkIn(world, name, biology.link));
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await arrive("teacher1");
}, 120_000);

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
