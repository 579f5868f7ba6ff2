import { describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { carriedSession } from "../support/tool/carried-session.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";
const world = await forAllTests(startWorld({ learners: 2 }));

type Page = Seen & { visitor: Visitor };

async function opens(person: string): Promise<Page> {
  const visitor = createVisitor();
  return { ...(await openCourseLink(visitor, world.lms, person, biology, { framed: true })), visitor };
}
async function goes(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

/** Sends the form with the dates as a browser does: every ticked box by itself. */
async function takesDates(page: Page, dates: readonly string[]): Promise<Page> {
  const form = /<form[^>]*action="[^"]*\/sessions\/plan\/dates"[^>]*>([\s\S]*?)<\/form>/.exec(page.text)?.[1];
  const hidden = [...(form ?? "").matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const body = new URLSearchParams(
    hidden.map(([, name = "", value = ""]): [string, string] => [name, value]),
  );
  for (const date of dates) body.append("take", date);
  body.set("act", "make");
  const answer = await fetch(`${world.toolUrl}/course/sessions/plan/dates`, { method: "POST", body });
  return { ...page, status: answer.status, text: await answer.text() };
}

function tokenIn(page: Page): string {
  return carriedSession(page);
}

const planned = {
  title: "Genes {number}",
  date: "2027-03-15",
  time: "10:00",
  minutes: "90",
  repeats: "week",
  interval: "1",
  day: "MO",
  end: "count",
  count: "8",
  until: "",
  counts: "yes",
  act: "preview",
};

describe("An instructor plans the sessions of a term", () => {
  let list: Page;

  test("sees all dates first, at the same time on the wall, and takes the holiday out", async () => {
    const teacher = await opens("teacher1");
    const sessions = await goes(teacher, "/course/sessions");
    expect(textOf(sessions)).toMatch(/Times in Paris \(CES?T\)\./);
    expect(textOf(sessions)).toContain("No sessions yet.");
    const form = await goes(sessions, "/course/sessions/plan");
    const wrong = await goes(form, "/course/sessions/plan/dates", { ...planned, minutes: "long" });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('value="long"');
    const dates = await goes(form, "/course/sessions/plan/dates", planned);
    expect(textOf(dates)).toContain("Mon 22 Mar 2027, 10:00–11:30");
    expect(textOf(dates)).toContain("Mon 29 Mar 2027, 10:00–11:30");
    expect(world.classroom.events(), "nothing is made by looking").toEqual([]);
    const found = [...dates.text.matchAll(/name="take" value="([^"]+)"/g)].map(([, date = ""]) => date);
    expect(found).toHaveLength(8);
    const none = await takesDates(dates, []);
    expect(none.status).toBe(422);
    expect(textOf(none)).toContain("Choose at least one date.");
    list = await takesDates(
      dates,
      found.filter((date) => date !== "2027-03-29"),
    );
    expect(textOf(list)).toContain("7 sessions scheduled.");
  });

  test("and has each one once, although the tool was killed while it made them", async () => {
    await vi.waitFor(
      () => {
        expect(world.classroom.events().length).toBeGreaterThan(1);
      },
      { timeout: 10_000, interval: 10 },
    );
    await world.tool().end("SIGKILL");
    await world.restartTool();
    const starts = () =>
      world.classroom
        .events()
        .map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 16))
        .sort();
    await vi.waitFor(
      async () => {
        const body = new URLSearchParams({ session: tokenIn(list) });
        const answer = await fetch(`${world.toolUrl}/course/sessions/progress`, { method: "POST", body });
        expect(await answer.json()).toMatchObject({ toMake: 0 });
      },
      { timeout: 40_000, interval: 200 },
    );
    await makesAgainWhatIsNotThere();
    // Ten in Paris is nine in UTC, and eight from 28 March on.
    await vi.waitFor(() => expect(starts().length).toBeGreaterThanOrEqual(7), { timeout: 20_000 });
    expect(starts()).toEqual([
      "2027-03-15T09:00",
      "2027-03-22T09:00",
      ...["04-05", "04-12", "04-19", "04-26"].map((date) => `2027-${date}T08:00`),
      "2027-05-03T08:00",
    ]);
    expect(new Set(world.classroom.events().map(({ title }) => title)).size).toBe(7);
  }, 60_000);

  /** The kill may have come between writing down and asking: then a person looks into the classroom and decides. */
  async function makesAgainWhatIsNotThere(): Promise<void> {
    const page = await goes(list, "/course/home");
    const sessions = await goes(page, "/course/sessions");
    const titles = world.classroom.events().map(({ title }) => title);
    for (const item of sessions.text.split("<li>").slice(1)) {
      const title = /<strong>([^<]*)</.exec(item)?.[1] ?? "";
      if (!item.includes("may have been made") || titles.includes(title)) continue;
      // The way to change it is a link where a cookie is kept, else a form.
      const key = decodeURIComponent(/(?:name="key" value="|[?;&]key=)([^"&]*)/.exec(item)?.[1] ?? "");
      const body = new URLSearchParams({ session: tokenIn(list), key, answer: "again" });
      await fetch(`${world.toolUrl}/course/sessions/settle`, { method: "POST", body });
    }
  }

  test("a learner reads what is for them, and may not plan", async () => {
    const student = await opens("student1");
    // The last one: of the first, the kill may have taken the answer, and then nobody but the instructor hears of it.
    const mine = await vi.waitFor(
      async () => {
        const page = await goes(student, "/course/my-sessions");
        expect(textOf(page)).toContain("Genes 7");
        return page;
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(mine.text).not.toMatch(/\/sessions\/change["?]/);
    const token = tokenIn(mine);
    for (const path of [
      "sessions",
      "sessions/plan",
      "sessions/plan/dates",
      "sessions/change",
      "sessions/zone",
    ]) {
      const body = new URLSearchParams({ session: token });
      const answer = await fetch(`${world.toolUrl}/course/${path}`, { method: "POST", body });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const ofCourse = new URLSearchParams({ session: token, scope: "course", act: "make" });
    const refused = await fetch(`${world.toolUrl}/course/calendar`, { method: "POST", body: ofCourse });
    expect(refused.status).toBe(403);
  });

  test("a calendar address shows them to whoever has it, and stands in no log", async () => {
    const calendars = await goes(list, "/course/calendar");
    const made = await goes(calendars, "/course/calendar", { act: "make", scope: "course" });
    const address = /<code id="address-course">([^<]+)<\/code>/.exec(made.text)?.[1] ?? "";
    await vi.waitFor(
      async () => {
        const calendar = await (await fetch(address)).text();
        expect(calendar.match(/BEGIN:VEVENT/g)?.length).toBeGreaterThanOrEqual(6);
        expect(calendar).toContain("SUMMARY:Genes 7");
        expect(calendar.endsWith("END:VCALENDAR\r\n")).toBe(true);
      },
      { timeout: 20_000, interval: 200 },
    );
    expect((await goes(list, "/course/calendar")).text, "whoever lost it finds it here").toContain(address);
    const ended = await goes(made, "/course/calendar", { act: "revoke", scope: "course" });
    expect(textOf(ended)).toContain("Link revoked.");
    expect((await fetch(address)).status).toBe(404);
    const token = /calendar\/([\w-]+)\.ics/.exec(address)?.[1] ?? "none";
    expect(world.output()).toContain("/calendar/");
    expect(world.output()).not.toContain(token);
  });

  test("one that is cancelled in the classroom is seen to be so", async () => {
    const event = world.classroom.events().find(({ title }) => title === "Genes 1");
    world.classroom.cancelEvent({ eventId: event?.eventId ?? "" });
    await vi.waitFor(
      async () => {
        expect(textOf(await goes(list, "/course/sessions"))).toMatch(/Genes 1 [^.]*? cancelled/);
      },
      { timeout: 10_000, interval: 200 },
    );
  });
});
