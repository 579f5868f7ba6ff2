import { beforeAll, describe, expect, test, vi } from "vitest";
import { follow, operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive, post as postIn } from "../support/tool/pages.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { patience } from "../support/patience.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const biology = { course: "2", link: "1" };
const hour = 3_600_000;

const world = await forAllTests(startWorld({ learners: 3, variables: { ADMIN_PASSWORD: rightPassword } }));
let [past, coming] = ["", ""];
let [teacher, ada, ben] = ["", "", ""];
const users: string[] = [];

beforeAll(async () => {
  await walkIn(world, "teacher1", biology.link);
  for (const name of ["student1", "student2", "student3"])
    users.push(await walkIn(world, name, biology.link));
  const spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  const lesson = (title: string, startsAt: number) =>
    world.classroom.createEvent({ spaceId, title, startsAt, endsAt: startsAt + hour }).eventId;
  past = lesson("Cells", Date.now() - 3 * hour);
  coming = lesson("Genes", Date.now() + 30 * hour);
  [teacher, ada, ben] = await Promise.all([
    arrive(world, "teacher1", biology.link),
    arrive(world, "student1", biology.link),
    arrive(world, "student2", biology.link),
  ]);
  await vi.waitFor(async () => {
    expect((await post(teacher, "/course/sessions")).text).toMatch(/Cells[^]*Genes|Genes[^]*Cells/);
  }, patience);
}, 120_000);

async function post(session: string, path: string, fields: Record<string, string> = {}) {
  const { status, text: html } = await postIn(world, session, path, fields);
  return { status, html, text: textOf({ text: html }) };
}
const say = (session: string, event: string, says: string, reason: string) =>
  post(session, "/course/my-sessions/say", { event, says, reason });
const register = (event: string) => post(teacher, "/course/register", { event });
/** The value of an answer's button in the register. */
async function answerOn(event: string, answer: string): Promise<string> {
  const { html } = await register(event);
  const values = [...html.matchAll(/name="word"\s+value="([^"]+)"/g)].map(([, value = ""]) =>
    value.replaceAll("&#34;", '"'),
  );
  return values.find((value) => value.includes(`"answer":"${answer}"`)) ?? "none";
}
const grade = (name: string) => gradeOfLearner(world, biology.course, name);

describe("a learner who cannot come", () => {
  test("says so with a reason, the instructor excuses them in one click, and the learner sees it", async () => {
    expect((await post(ada, "/course/my-sessions")).text).toContain("I’ll be absent");
    const sent = await say(ada, coming, "absent", "<b>dentist</b>");
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("Not answered yet")]);
    expect(sent.html).toContain("&lt;b&gt;dentist&lt;/b&gt;");
    expect(sent.text).toContain("Change your message");
    expect(sent.text).not.toContain("I’ll be absent");
    const shown = await register(coming);
    expect(shown.text).toMatch(/Will be absent: “&lt;b&gt;dentist&lt;\/b&gt;” .*Excuse .*Present .*No/);
    const word = await answerOn(coming, "excused");
    expect((await post(ada, "/course/register/answer", { event: coming, word })).status).toBe(403);
    expect((await post(teacher, "/course/register/answer", { event: coming, word: "{}" })).status).toBe(400);
    const answered = await post(teacher, "/course/register/answer", { event: coming, word });
    expect(answered.text).toContain("Answered. The learner sees it.");
    const again = await post(teacher, "/course/register/answer", { event: coming, word });
    expect(again.text).toContain("has just changed");
    expect((await post(ada, "/course/my-sessions")).text).toContain("Answer: excused");
    expect((await post(teacher, "/course/audit")).text).toMatch(/Message answered: excused/);
  });

  test("sees what is wrong with a message, and that a course accepts none", async () => {
    const long = await say(ben, coming, "absent", "x".repeat(300));
    expect([long.status, long.text]).toEqual([422, expect.stringContaining("at most 200 characters")]);
    expect((await say(ben, "of another course", "absent", "ill")).status).toBe(404);
    expect((await say(teacher, coming, "absent", "ill")).status).toBe(422);
    expect((await post(ben, "/course/words/switch", { on: "off" })).status).toBe(403);
    expect((await post(teacher, "/course/words/switch", { on: "off" })).text).toContain("Saved");
    expect((await say(ben, coming, "absent", "ill")).text).toContain("doesn’t take messages about absences");
    await post(teacher, "/course/words/switch", { on: "on" });
  });
});

test("an office excuses a learner for some days, sees the effects, and withdraws it", async () => {
  world.classroom.markAttendance({ eventId: past, userId: users[1] ?? "", status: "ABSENT" });
  await vi.waitFor(() => {
    expect(grade("student2")).toBe(0);
  }, patience);
  const operator = await operatorAt(world.toolUrl);
  const people = await operator.open(`${world.toolUrl}/admin/people`);
  const found = await operator.submit(people, { action: "/admin/people", fields: { q: "student2" } });
  const address = /\/admin\/people\/per_\w+/.exec(found.text)?.[0] ?? "none";
  const page = () => operator.open(`${world.toolUrl}${address}`);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const days = { from: day(Date.now() - 48 * hour), to: day(Date.now() + 72 * hour), reason: "hospital" };
  const turned = { ...days, from: days.to, to: days.from };
  expect((await operator.submit(await page(), { action: "/excuse", fields: turned })).status).toBe(400);
  const saved = await operator.submit(await page(), { action: "/excuse", fields: days });
  expect(textOf(await follow(operator, saved))).toContain("Excused sessions: 2 (courses: 1)");
  expect((await post(ben, "/course/my-sessions")).text).toMatch(/Genes .* Excused .*Cells .* Excused/);
  expect((await register(past)).text).toContain("The institution’s office");
  await vi.waitFor(() => {
    expect(grade("student2")).toBeNull();
  }, patience);
  const back = await operator.submit(await page(), { action: "/take-back" });
  expect(textOf(await follow(operator, back))).toContain("Taken back");
  await vi.waitFor(() => {
    expect(grade("student2")).toBe(0);
  }, patience);
});

test("an instructor joins a learner's two accounts: marks count for the current one until that is undone", async () => {
  world.classroom.markAttendance({ eventId: past, userId: users[0] ?? "", status: "PRESENT" });
  await vi.waitFor(() => {
    expect(grade("student1")).toBe(100);
  }, patience);
  const list = await post(teacher, "/course/people");
  const ids = [
    ...new Set([...list.html.matchAll(/name="person" value="(per_\w+)"/g)].map(([, id = ""]) => id)),
  ];
  const pages = await Promise.all(
    ids.map(async (id) => ({ id, text: (await post(teacher, "/course/audit", { person: id })).text })),
  );
  const earlier = pages.find(({ text }) => text.includes("Message answered: excused"))?.id ?? "none";
  const chooser = await post(teacher, "/course/people/join", { person: earlier, search: "" });
  const offered = chooser.html.matchAll(
    /name="now" value="(per_\w+)">\s*<button[^>]*aria-label="[^"]*user (\d+)"/g,
  );
  const now = [...offered].find(([, , user]) => user === "13")?.[1] ?? "none";
  const pair = { person: earlier, now };
  expect((await post(ada, "/course/people/join/do", pair)).status).toBe(403);
  const joined = await post(teacher, "/course/people/join/do", pair);
  expect(joined.text).toContain("Both accounts count as one person now.");
  await vi.waitFor(() => {
    expect([grade("student1"), grade("student3")]).toEqual([100, 100]);
  }, patience);
  expect((await post(ada, "/course/my-sessions")).text).toContain("counts for your other account");
  expect((await post(teacher, "/course/audit")).text).toContain("Two accounts joined as one person");
  const undone = await post(teacher, "/course/people/join/undo", { person: earlier });
  expect(undone.text).toContain("The accounts are separate again.");
  expect((await post(ada, "/course/my-sessions")).text).not.toContain("counts for your other account");
});
