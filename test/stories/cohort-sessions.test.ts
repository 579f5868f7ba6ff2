import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { startWorld, walkIn } from "../support/start-world.ts";

const history = { course: "3", link: "2" };
const patience = { timeout: 30_000, interval: 200 };
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
const visitor = createVisitor();

beforeAll(async () => {
  world = await startWorld({
    manners: "canvas",
    learners: 4,
    cohortList: true,
    dialectWith: (usual) => ({ ...usual, ...dialect }),
  });
  zoe = await walkIn(world, "student1", history.link);
  await walkIn(world, "student2", history.link);
  // The cohort is older than this tool: no webhook tells of it.
  world.classroom.setWebhookUrl(null);
  world.classroom.createCohort({ programId, name: "Early birds", attendeeIds: [zoe] });
  world.classroom.setWebhookUrl(`${world.toolUrl}/webhooks/production`);
}, 90_000);
afterAll(() => world.close());

const teaches = () => openCourseLink(visitor, world.lms, "teacher2", history.link, { framed: true });

/** Goes to a page of the course by its address, whatever the page in hand has buttons for. */
async function go(page: Seen, path: string, fields: Record<string, string> = {}): Promise<Seen> {
  const token = /name="session" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
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
    .slice(text.indexOf("<main>"))
    .replace(/<\/(td|th|tr|p|h1|h2|h3|li|button|option)>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replace(/[\s|]*\|[\s|]*/g, " | ")
    .replace(/\s+/g, " ");
}

/** The section's id on the page of sections, by its label. */
function sectionId(page: Seen, label: string): string {
  const part = page.text.slice(page.text.indexOf(`<h3>${label}</h3>`));
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
    expect(textOf(choose)).toContain("The classroom has not told us of any cohort yet");
    const looked = await visitor.submit(choose, { action: "/course/cohorts/look" });
    expect(textOf(looked)).toContain("The classroom lists 1 cohort.");
    const linked = await visitor.submit(looked, { action: "/course/cohorts/link" });
    expect(textOf(linked)).toContain("Morning is linked to the cohort Early birds.");
    const compared = await go(linked, "/course/cohorts/difference", { section: morning });
    expect(textOf(compared)).toContain("1 person is in both.");
  });
});
