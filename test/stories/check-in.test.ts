import { beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { readQr } from "../support/read-qr.ts";
import { patience } from "../support/patience.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/pages.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };
const history = { link: "2" };
const hour = 3_600_000;

let event: string;
let users: string[];
let teacher: string;
let ada: string;

const world = await forAllTests(startWorld({ learners: 3 }));
beforeAll(async () => {
  await walkIn(world, "teacher1", biology.link);
  users = [];
  for (const name of ["student1", "student2"]) users.push(await walkIn(world, name, biology.link));
  const spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  const startsAt = Date.now() - 60_000;
  event = world.classroom.createEvent({ spaceId, title: "Cells", startsAt, endsAt: startsAt + hour }).eventId;
  teacher = await arrive("teacher1");
  ada = await arrive("student1");
  await vi.waitFor(async () => {
    expect((await post(teacher, "/course/sessions")).text).toContain("Cells");
  }, patience);
}, 120_000);

const arrive = (person: string, link = biology.link) => arriveIn(world, person, link);

/** Reads pages as the text between their tags, without spaces at line ends. */
async function post(session: string, path: string, fields: Record<string, string> = {}) {
  const { status, text: html } = await postIn(world, session, path, fields);
  const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return { status, html, text };
}

const screen = () => post(teacher, "/course/check-in/screen", { event });
const take = (session: string, code: string) => post(session, "/course/check-in/take", { code });
const grade = (name: string) => gradeOfLearner(world, biology.course, name);

/** The code that the screen shows. */
async function codeNow(): Promise<string> {
  const { html } = await screen();
  return /<span aria-hidden="true">([2-9A-Z]{3} [2-9A-Z]{3})<\/span>/.exec(html)?.[1] ?? "none";
}

/** The address that a phone reads from the screen. */
async function scanned(): Promise<string> {
  const { html } = await screen();
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(html)?.[1]);
  return readQr({ size, path: /<path d="(M[^"]+)" fill="#000"/.exec(html)?.[1] ?? "" }) ?? "nothing readable";
}
const shownIn = (address: string) => {
  const code = new URL(address).searchParams.get("code") ?? "";
  return `${code.slice(0, 3)} ${code.slice(3)}`;
};

describe("a course without check-in", () => {
  test("can turn it on in its settings, by its instructors only", async () => {
    expect((await post(ada, "/course/check-in/switch", { on: "on" })).status).toBe(403);
    expect((await post(teacher, "/course/check-in/switch", { on: "perhaps" })).status).toBe(400);
    const saved = await post(teacher, "/course/check-in/switch", { on: "on" });
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining("Saved")]);
    expect((await post(teacher, "/course/audit")).text).toContain("Check-in: On");
  });
});

describe("a session with people in a room in front of a screen", () => {
  test("can be checked in to only when an instructor of the course starts it, for some minutes", async () => {
    const path = "/course/check-in/start";
    expect((await post(ada, path, { event, minutes: "10" })).status).toBe(403);
    expect((await post(ada, "/course/check-in/screen", { event })).status).toBe(403);
    const elsewhere = await arrive("teacher1", history.link);
    await post(elsewhere, "/course/check-in/switch", { on: "on" });
    expect((await post(elsewhere, path, { event, minutes: "10" })).status).toBe(404);
    expect((await post(teacher, path, { event, minutes: "500" })).status).toBe(400);
    const [one, two] = await Promise.all([1, 2].map(() => post(teacher, path, { event, minutes: "30" })));
    const said = `${one?.text ?? ""} ${two?.text ?? ""}`;
    expect(said.match(/Check-in has started\./g)).toHaveLength(1);
    expect(said.match(/Check-in is open already\./g)).toHaveLength(1);
    expect((await screen()).text).toContain("0 of 3 checked in");
    expect((await post(teacher, "/course/audit")).text).toMatch(/Check-in started .*30 minutes/);
  });

  test("accepts the screen's code from a learner's own session, and their grade follows", async () => {
    expect((await post(ada, "/course/home")).text).toContain("Are you in the room?");
    const taken = await take(ada, (await codeNow()).toLowerCase());
    expect(taken.text).toMatch(/You checked in at \d\d:\d\d\./);
    expect((await screen()).text).toContain("1 of 3 checked in");
    await vi.waitFor(() => {
      expect(grade("student1")).toBe(100);
    }, patience);
    expect((await post(teacher, "/course/sessions")).text).toMatch(/Cells, .*: 1 present, 2 not recorded/);
    const home = await post(ada, "/course/home");
    expect(home.text).toMatch(/Cells: you checked in at \d\d:\d\d\./);
    expect(home.text).not.toContain("Are you in the room?");
    expect((await take(ada, await codeNow())).text).toContain("You checked in at");
  });

  test("leads a person who scans the code without a session to the course, and records nothing", async () => {
    const address = await scanned();
    expect(address).toMatch(new RegExp(`^${world.toolUrl}/check-in/cin_\\w+\\?code=[2-9A-Z]{6}$`));
    const page = await fetch(address);
    const text = await page.text();
    expect([page.status, text]).toEqual([200, expect.stringContaining("Open the course in your LMS first.")]);
    expect(text).toContain(shownIn(address));
    expect((await screen()).text).toContain("1 of 3 checked in");
    for (const id of ["cin_unknown", "x".repeat(101)]) {
      const gone = await fetch(new URL(`/check-in/${id}?code=222222`, world.toolUrl));
      expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining("no longer valid")]);
    }
    const broken = await fetch(new URL(`${new URL(address).pathname}?code=0`, world.toolUrl));
    expect(broken.status).toBe(404);
  });

  test("stops a launch at the code's field, which a scan fills in", async () => {
    const phone = createVisitor();
    const launched = await openCourseLink(phone, world.lms, "student3", biology.link);
    expect([launched.status, launched.text]).toEqual([200, expect.stringContaining("Are you in the room?")]);
    const address = await scanned();
    const led = await phone.open(address);
    expect([led.status, new URL(led.url).pathname]).toEqual([
      200,
      expect.stringMatching(/^\/c\/.*\/check-in$/),
    ]);
    expect(led.text).toContain(`value="${shownIn(address)}"`);
    expect((await screen()).text, "the address alone takes nothing").toContain("1 of 3 checked in");
    const taken = await phone.submit(led, { action: "/course/check-in/take" });
    expect(taken.text).toMatch(/You checked in at \d\d:\d\d\./);
    expect((await screen()).text).toContain("2 of 3 checked in");
  });
});
