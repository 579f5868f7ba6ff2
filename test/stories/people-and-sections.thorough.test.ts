import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { freePort, startToolProcess } from "../../src/sandbox/tool-process.ts";
import { patience } from "../support/patience.ts";
import { startWorld } from "../support/tool/start-world.ts";

const biology = { course: "2", link: "1" };
const history = { course: "3", link: "2" };
const visitor = createVisitor();

/** The instructor's page "People and sections". */
async function peoplePage(world: DemoWorld, person = "teacher1", link = biology.link): Promise<Seen> {
  const enter = await openCourseLink(visitor, world.lms, person, link, { framed: true });
  return visitor.submit(enter, { action: "/course/people" });
}

/** The instructor's page of sections or groups. */
async function sectionsPage(world: DemoWorld, person = "teacher1", link = biology.link): Promise<Seen> {
  return visitor.submit(await peoplePage(world, person, link), { action: "/course/people/sections" });
}

/** What a page says, without its markup; cells are separated by " | ". */
function textOf(page: Seen): string {
  const body = page.text.slice(page.text.indexOf("<main"));
  return body
    .replace(/<\/(td|th|tr|p|h2|h3|li|label|option)>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replace(/[\s|]*\|[\s|]*/g, " | ")
    .replace(/\s+/g, " ");
}

/** The page once the roster has been read. */
async function whenRead(
  world: DemoWorld,
  person = "teacher1",
  link = biology.link,
): Promise<{ page: Seen; text: string }> {
  return vi.waitFor(async () => {
    const page = await peoplePage(world, person, link);
    expect(textOf(page)).toMatch(/\d people in your LMS/);
    return { page, text: textOf(page) };
  }, patience);
}

/** The page, once no reading is under way. */
async function quietPage(world: DemoWorld, person = "teacher1", link = biology.link): Promise<Seen> {
  return vi.waitFor(async () => {
    const shown = await peoplePage(world, person, link);
    expect(shown.text).toContain('/people/read"');
    return shown;
  }, patience);
}

/** Somebody presses "Update list". @returns the page it stood on. */
async function askToRead(world: DemoWorld, person = "teacher1", link = biology.link): Promise<Seen> {
  const page = await quietPage(world, person, link);
  await visitor.submit(page, { action: "/course/people/read" });
  return page;
}

/** Has the roster read again and waits for what the page then says. */
async function readAgain(world: DemoWorld, says: string | RegExp): Promise<Seen> {
  await askToRead(world);
  return vi.waitFor(async () => {
    const shown = await peoplePage(world);
    expect(textOf(shown)).toMatch(says);
    return shown;
  }, patience);
}

describe("in a Moodle course", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(() => {
    world.lms.faults.clear();
  });
  const requests = () => world.lms.log().filter(({ service }) => service === "memberships");

  test("the first launch of an instructor has the list read; everybody is there before they ever came", async () => {
    const { text } = await whenRead(world);
    expect(text).toContain("30 learners, 1 instructor");
    expect(text).toContain("Zoë Åkesson | –never");
    expect(textOf(await sectionsPage(world))).toContain("No groups yet");
  });

  test("groups become known as people come, and the teacher gives them names", async () => {
    await openCourseLink(createVisitor(), world.lms, "student1", biology.link);
    await openCourseLink(createVisitor(), world.lms, "student2", biology.link);
    const page = await vi.waitFor(async () => {
      const found = await sectionsPage(world);
      expect(textOf(found)).toMatch(/Group 1 \| 1 learner \|.*Group 2 \| 1 learner \|/);
      return found;
    }, patience);
    const named = await visitor.submit(page, {
      action: "/course/people/names",
      fields: { "name.1": "  Morning   class ", "name.2": "<b>Evening</b> & late" },
    });
    expect(textOf(named)).toMatch(/Names saved/);
    expect(textOf(named)).toMatch(/Morning class \| 1 learner/);
    expect(named.text, "what was typed is shown as text").toContain("&lt;b&gt;Evening&lt;/b&gt; &amp; late");
    expect(textOf(await peoplePage(world))).toMatch(/Zoë Åkesson \| Morning class/);

    const back = await visitor.submit(named, { action: "/course/people/names", fields: { "name.2": " " } });
    expect(textOf(back)).toMatch(/Group 2 \| 1 learner/);
    expect(textOf(back)).toMatch(/Morning class \| 1 learner/);

    const sessions = await visitor.submit(back, { action: "/course/sessions" });
    for (const zone of ["Asia/Tokyo", "Asia/Tokyo", "Europe/Paris"])
      await visitor.submit(sessions, { action: "/course/sessions/zone", fields: { zone } });
    const register = await visitor.submit(sessions, { action: "/course/grades" });
    const trail = async (kind: string) =>
      textOf(await visitor.submit(register, { action: "/course/audit", fields: { kind } }));
    const names = await trail("people");
    expect(names.match(/Section or group named/g), "only what became another").toHaveLength(3);
    expect(names).toMatch(/Evening&lt;\/b&gt; &amp; late → 2 .*2 → &lt;b&gt;Evening/);
    expect(names).toContain("1 → Morning class");
    const zones = await trail("settings");
    expect(zones.match(/Time zone changed/g)).toHaveLength(2);
    expect(zones).toMatch(/Asia\/Tokyo → Europe\/Paris .*→ Asia\/Tokyo/);
  });

  test("a name that is too long is refused, and everything typed is still in the form", async () => {
    const page = await sectionsPage(world);
    const refused = await visitor.submit(page, {
      action: "/course/people/names",
      fields: { "name.1": "Fine", "name.2": "x".repeat(81) },
    });
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toMatch(/Not saved/);
    expect(refused.text).toContain(`value="${"x".repeat(81)}"`);
    expect(refused.text).toContain('value="Fine"');
    expect(textOf(await sectionsPage(world))).toMatch(/Morning class \| 1 learner/);
  });

  test("who leaves is marked, keeps a place in the list, and is back when the LMS lists them again", async () => {
    world.lms.unenrol(biology.course, "13");
    const gone = await readAgain(world, /29 learners, 1 instructor/);
    expect(textOf(gone)).toMatch(/Nguyễn Thị Hạnh \| –\s?no group Left the course/);
    expect(textOf(await sectionsPage(world))).toMatch(/1 person has left/);
    world.lms.enrol(biology.course, { id: "13", role: "student" });
    await readAgain(world, /30 learners, 1 instructor/);
  });

  test("a non-editing teacher, whom Moodle's list calls a learner, stays an instructor after coming once", async () => {
    world.lms.enrol(biology.course, {
      id: "70",
      role: "non-editing-teacher",
      given: "Noa",
      family: "Assist",
    });
    const before = await readAgain(world, /31 learners, 1 instructor/);
    expect(textOf(before)).toMatch(/Noa Assist \|/);
    await openCourseLink(createVisitor(), world.lms, "70", biology.link);
    const after = await readAgain(world, /30 learners, 2 instructors/);
    expect(textOf(after)).toMatch(/Noa Assist instructor \|/);
    world.lms.unenrol(biology.course, "70");
    await readAgain(world, /30 learners, 1 instructor/);
  });

  test.each([
    [
      "says no",
      { on: "memberships", how: "answer", status: 403 },
      /Only people who have opened the classroom are listed/,
    ],
    ["knows no such list", { on: "memberships", how: "answer", status: 404 }, /no longer finds the list/],
    ["is down", { on: "memberships", how: "answer", status: 503 }, /The LMS failed.*Next try/],
  ] as const)(
    "when the LMS %s the page says so, and nobody is taken off the list",
    async (_what, fault, says) => {
      world.lms.faults.add(fault);
      const failed = await readAgain(world, says);
      expect(textOf(failed)).toContain("Updated");
      expect(textOf(failed)).toMatch(/30 learners, 1 instructor/);
      world.lms.faults.clear();
      await readAgain(world, /31 people in your LMS/);
    },
  );

  test("a failure that passes is tried again without anybody asking", async () => {
    world.lms.faults.add({ on: "memberships", how: "answer", status: 503, times: 1 });
    world.lms.enrol(biology.course, { id: "71", role: "student", given: "Late", family: "Comer" });
    await askToRead(world);
    await vi.waitFor(async () => {
      expect(textOf(await peoplePage(world))).toContain("Late Comer");
    }, patience);
  });

  test("two processes and ten impatient clicks read the list once", async () => {
    const second = await startToolProcess({ ...world.variables, PORT: String(await freePort()) });
    try {
      world.lms.faults.add({ on: "memberships", how: "slow", delayMs: 5_000, times: 1 });
      const page = await quietPage(world);
      const before = requests().length;
      await Promise.all(
        Array.from({ length: 10 }, () => visitor.submit(page, { action: "/course/people/read" })),
      );
      const shown = await whenRead(world);
      expect(shown.text).toContain("Updated");
      expect(requests().length - before).toBe(1);
    } finally {
      await second.end("SIGTERM");
    }
  }, 60_000);

  test("a reading that was under way when the tool was killed is taken over", async () => {
    world.lms.faults.add({ on: "memberships", how: "slow", delayMs: 60_000, times: 1 });
    world.lms.enrol(biology.course, { id: "72", role: "student", given: "After", family: "Crash" });
    await askToRead(world);
    await vi.waitFor(() => {
      expect(world.lms.faults.all()).toHaveLength(0); // used up: the slow request is under way
    }, patience);
    await world.tool().end("SIGKILL");
    await world.restartTool();
    await vi.waitFor(async () => {
      expect(textOf(await peoplePage(world))).toContain("After Crash");
    }, patience);
  }, 60_000);

  test("a learner has no such page", async () => {
    const page = await openCourseLink(visitor, world.lms, "student1", biology.link, { framed: true });
    expect(page.text).not.toMatch(/\/people["?]/);
    for (const path of ["people", "people/read", "people/names", "people/progress"]) {
      const answer = await visitor.submit(
        { ...page, text: page.text.replace('action="/enter"', `action="/course/${path}"`) },
        {},
      );
      expect(answer.status, path).toBe(403);
    }
  });
});

describe("in a Canvas course", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld({ manners: "canvas" });
  });
  afterAll(() => world.close());
  afterEach(() => {
    world.lms.faults.clear();
  });

  test("sections come with the list, by name, for people who never opened the classroom", async () => {
    const { text } = await whenRead(world, "teacher2", history.link);
    expect(text).toMatch(/18 learners, 2 instructors/);
    const sections = textOf(await sectionsPage(world, "teacher2", history.link));
    expect(sections).toMatch(/Evening \| 9 learners.*Morning \| 9 learners/);
    expect(sections, "nothing to name").not.toContain("Name the sections");
    const asked = world.lms.log().filter(({ service }) => service === "memberships");
    expect(asked.map(({ url }) => new URL(url, world.lms.url).searchParams.get("rlid"))).not.toContain(null);
  });

  test("a list of 120 people is read page by page and shown fifty at a time", async () => {
    for (let n = 1; n <= 120; n += 1) {
      world.lms.enrol(history.course, {
        id: `2${String(n).padStart(3, "0")}`,
        role: "student",
        given: "Extra",
        family: `Number ${String(n).padStart(3, "0")}`,
      });
    }
    const asked = () => world.lms.log().filter(({ service }) => service === "memberships").length;
    const before = asked();
    let shown = await askToRead(world, "teacher2", history.link);
    await vi.waitFor(async () => {
      shown = await peoplePage(world, "teacher2", history.link);
      expect(textOf(shown)).toContain("138 learners");
    }, patience);
    expect(asked() - before).toBe(3);
    expect(textOf(shown)).toContain("Page 1 of 3");
    const next = await visitor.submit(shown, { action: "/course/people", fields: { page: "3" } });
    expect(textOf(next)).toContain("Page 3 of 3");
    expect(next.text.match(/rowheader/g)?.length).toBeGreaterThan(38);
  });

  test("people are found by name, role and section, and all three are kept from page to page", async () => {
    const page = await peoplePage(world, "teacher2", history.link);
    const find = async (fields: Record<string, string>) =>
      textOf(await visitor.submit(page, { action: "/course/people", fields: { page: "1", ...fields } }));
    expect(await find({ search: "number 007" })).toMatch(/1 match.*Extra Number 007/);
    expect(await find({ search: "ÅKESSON" })).toMatch(/1 match.*Zoë Åkesson/);
    expect(await find({ search: "zoe akesson", role: "instructor" })).toMatch(/Nobody matches/);
    expect(await find({ role: "instructor" })).toMatch(/2 matches/);
    expect(await find({ section: "3" })).toMatch(/9 matches/);
    const many = await visitor.submit(page, { action: "/course/people", fields: { search: "extra" } });
    expect(textOf(many)).toContain("Page 1 of 3");
    expect(many.text).toMatch(/name="search" value="extra"/);
  });

  test("a failure on the second page leaves everything as it was and says so", async () => {
    for (let n = 1; n <= 60; n += 1) world.lms.unenrol(history.course, `2${String(n).padStart(3, "0")}`);
    world.lms.faults.add({ on: "memberships", how: "slow", delayMs: 1, times: 1 });
    world.lms.faults.add({ on: "memberships", how: "answer", status: 404 });
    await askToRead(world, "teacher2", history.link);
    await vi.waitFor(async () => {
      const shown = textOf(await peoplePage(world, "teacher2", history.link));
      expect(shown).toMatch(/Only people who have opened the classroom are listed/);
      expect(shown).toContain("138 learners");
    }, patience);
    world.lms.faults.clear();
  });

  test("an LMS that refuses the course's id is asked without it", async () => {
    world.lms.faults.add({ on: "memberships", how: "answer", status: 400, times: 1 });
    await askToRead(world, "teacher2", history.link);
    await vi.waitFor(async () => {
      const shown = textOf(await peoplePage(world, "teacher2", history.link));
      expect(shown).toContain("78 learners");
    }, patience);
    const sections = textOf(await sectionsPage(world, "teacher2", history.link));
    expect(sections, "sections known before stay").toMatch(/9 learners.*9 learners/);
    const last = world.lms
      .log()
      .filter(({ service }) => service === "memberships")
      .at(-1);
    expect(last?.url).not.toContain("rlid");
  });
});
