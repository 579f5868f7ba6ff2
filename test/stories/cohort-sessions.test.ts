import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { carriedSession } from "../support/tool/carried-session.ts";

const history = { course: "3", link: "2" };
const hour = 3_600_000;
const programId = "history-2026";
/** What the document does not show, and an operator of such a classroom knows: its list of cohorts, and cohorts of events. */
const dialect = {
  operations: {
    findCohorts: { routes: [{ method: "GET", path: "/programs/cohorts" }] },
    createEvent: {
      routes: [
        {
          method: "POST",
          path: "/events",
          body: {
            title: "{title}",
            spaceId: "{spaceId}",
            startsAt: "{startsAt}",
            endsAt: "{endsAt}",
            attendeeIds: "{attendeeUserIds}",
            cohortIds: "{cohortIds}",
          },
        },
      ],
    },
  },
};

let world: DemoWorld;
/** Users of the classroom: Zoë and José are in "Morning". */
let zoe: string;
/** Of another section. */
let noor: string;
let cohortId: string;
const visitor = createVisitor();

beforeAll(async () => {
  world = await startWorld({
    manners: "canvas",
    learners: 10,
    cohortList: true,
    dialectWith: (usual) => ({ ...usual, ...dialect }),
  });
  zoe = await walkIn(world, "student1", history.link);
  noor = await walkIn(world, "student10", history.link);
  // The cohort is older than this tool: no webhook tells of it.
  world.classroom.setWebhookUrl(null);
  const cohort = world.classroom.createCohort({ programId, name: "Early birds", attendeeIds: [zoe] });
  ({ cohortId } = cohort);
  world.classroom.setWebhookUrl(`${world.toolUrl}/webhooks/production`);
}, 90_000);
afterAll(() => world.close());

const teaches = () => openCourseLink(visitor, world.lms, "teacher2", history.link, { framed: true });

/** Goes to a page of the course by its address, whatever the page in hand has buttons for. */
async function go(page: Seen, path: string, fields: Record<string, string> = {}): Promise<Seen> {
  const token = carriedSession(page);
  const inputs = Object.entries({ session: token, ...fields }).map(
    ([name, value]) => `<input name="${name}" value="${value}">`,
  );
  return visitor.submit(
    { ...page, text: `<form method="post" action="${path}">${inputs.join("")}</form>` },
    { action: path },
  );
}

function textOf({ text }: Seen): string {
  return text
    .slice(text.indexOf("<main"))
    .replace(/<\/(td|th|tr|p|h1|h2|h3|li|button|option)>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replace(/[\s|]*\|[\s|]*/g, " | ")
    .replace(/\s+/g, " ");
}

/** The section's id on the page of sections, by its label. */
function sectionId(page: Seen, label: string): string {
  const part = page.text.slice(page.text.indexOf(`<p class="what">${label}</p>`));
  return /name="section" value="([^"]*)"/.exec(part)?.[1] ?? "";
}

describe("an instructor whose section is a cohort of the classroom", () => {
  let morning: string;

  test("finds a cohort that no webhook told of, and links it", async () => {
    const sections = await vi.waitFor(async () => {
      const page = await go(await teaches(), "/course/people/sections");
      expect(textOf(page)).toMatch(/Morning \|/);
      return page;
    }, patience);
    morning = sectionId(sections, "Morning");
    const choose = await go(sections, "/course/cohorts/choose", { section: morning });
    expect(textOf(choose)).toContain("No classroom groups yet.");
    const looked = await visitor.submit(choose, { action: "/course/cohorts/look" });
    expect(textOf(looked)).toContain("1 classroom group found.");
    const linked = await visitor.submit(looked, { action: "/course/cohorts/link" });
    expect(textOf(linked)).toContain("Morning is linked to Early birds.");
    const compared = await go(linked, "/course/cohorts/difference", { section: morning });
    expect(textOf(compared)).toContain("1 person in both");
  });

  test("plans a session for the section: the classroom is told its cohort and its learners, who alone are expected", async () => {
    const date = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10);
    const wanted = {
      title: "Morning lab",
      date,
      time: "10:00",
      minutes: "60",
      repeats: "once",
      counts: "yes",
    };
    const whom = { who: "some", section: morning, act: "preview" };
    const dates = await go(await teaches(), "/course/sessions/plan/dates", { ...wanted, ...whom });
    expect(textOf(dates)).toContain("Scheduling sends no e-mail.");
    const planned = await visitor.submit(dates, {
      action: "/course/sessions/plan/dates",
      fields: { take: date, act: "make" },
    });
    expect(textOf(planned)).toContain("Morning lab");
    await vi.waitFor(() => {
      const event = world.classroom.events().find(({ title }) => title === "Morning lab");
      expect(event?.cohortIds).toEqual([cohortId]);
      expect(event?.attendeeIds).toContain(zoe);
      expect(event?.attendeeIds).not.toContain(noor);
    }, patience);
    await vi.waitFor(
      async () => expect(textOf(await teaches())).toContain("9 learners of Morning are expected."),
      patience,
    );
  });

  test("is offered the section's members first for somebody of its cohort who came another way, and attendance follows", async () => {
    const stranger = world.classroom.addUser({ name: "Guest" });
    const passer = world.classroom.addUser({ name: "Passer-by" });
    world.classroom.changeMember({ cohortId, userId: stranger.userId });
    const { spaceId } = world.classroom.spaces()[0] ?? { spaceId: "" };
    const endsAt = Date.now() - hour;
    const times = { startsAt: endsAt - hour, endsAt };
    const event = world.classroom.createEvent({ spaceId, title: "Warm-up", ...times, cohortIds: [cohortId] });
    for (const { userId } of [passer, stranger])
      world.classroom.markAttendance({ eventId: event.eventId, userId, status: "LATE" });
    const unmatched = await vi.waitFor(async () => {
      const page = await go(await teaches(), "/course/unmatched");
      expect(textOf(page)).toContain(`Classroom user ${passer.userId}`);
      expect(textOf(page)).toContain("In the classroom group of Morning");
      // Who has no user yet comes first: once everybody has one, the list goes by name.
      expect(page.text).toMatch(/<optgroup label="Morning">\s*<option value="[^"]*">Anna Bianchi/);
      return page;
    }, patience);
    const said = textOf(unmatched);
    expect(said.indexOf(stranger.userId), "somebody of the cohort comes first").toBeLessThan(
      said.indexOf(passer.userId),
    );
    const [, groups = ""] = unmatched.text.split("</select>")[0]?.split("<select") ?? [];
    expect([...groups.matchAll(/<optgroup label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
      "Morning",
      "With a classroom user",
    ]);
    const [, who = ""] = /<optgroup label="Morning">\s*<option value="([^"]*)"/.exec(groups) ?? [];
    const matched = await go(unmatched, "/course/unmatched/person", { user: stranger.userId, person: who });
    expect(textOf(matched), "everybody of the roster has a user already").toContain(
      "already has a classroom user",
    );
    const confirmed = { user: stranger.userId, person: who, confirmed: who };
    const saved = await go(matched, "/course/unmatched/person", confirmed);
    expect(textOf(saved)).toContain(`Matched: user ${stranger.userId} is`);
    await vi.waitFor(() => {
      const graded = world.lms
        .gradebook(history.course)
        .learners.filter(({ grades }) => grades.some(({ value }) => value !== null));
      expect(graded).toHaveLength(1);
    }, patience);
  });

  test("reads that the classroom tells only some of the cohort's people, and that nobody is missing for that", async () => {
    world.classroom.setPages({ manner: "offset", size: 1 });
    const difference = { section: morning };
    const read = await go(await teaches(), "/course/cohorts/read", difference);
    const text = textOf(read);
    expect(text).toContain("The classroom lists only 1 of 2 people of this group");
    expect(text).not.toContain("Only in the section");
    world.classroom.setPages(null);
    const whole = textOf(await go(read, "/course/cohorts/read", difference));
    expect(whole).not.toContain("The classroom lists only");
    expect(whole).toContain("Only in the section");
  });
});
