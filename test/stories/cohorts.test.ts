import { beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const history = { course: "3", link: "2" };
const visitor = createVisitor();

/** A user in the classroom: Zoë is in "Morning", like José. */
let zoe: string;

const world = await forAllTests(startWorld({ manners: "canvas", learners: 4 }));
beforeAll(async () => {
  zoe = await walkIn(world, "student1", history.link);
  await walkIn(world, "student2", history.link);
}, 90_000);

/** The instructor's page of sections and cohorts. */
async function sectionsPage(): Promise<Seen> {
  const home = await openCourseLink(visitor, world.lms, "teacher2", history.link, { framed: true });
  const people = await visitor.submit(home, { action: "/course/people" });
  return visitor.submit(people, { action: "/course/people/sections" });
}

/** The text of a page, without its markup. */
function textOf({ text }: Seen): string {
  return text
    .slice(text.indexOf("<main"))
    .replace(/<\/(td|th|tr|p|h1|h2|h3|li|button)>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replace(/[\s|]*\|[\s|]*/g, " | ")
    .replace(/\s+/g, " ");
}

async function until(says: RegExp): Promise<Seen> {
  return vi.waitFor(async () => {
    const page = await sectionsPage();
    expect(textOf(page)).toMatch(says);
    return page;
  }, patience);
}

describe("an instructor whose institution keeps cohorts in the classroom", () => {
  let cohortId: string;
  const programId = "history-2026";

  test("sees the sections, and that no cohort is known yet", async () => {
    const page = await until(/Morning \| 4 learners/);
    expect(textOf(page)).toMatch(/No classroom groups yet/);
  });

  test("sees a cohort suggested by its name as soon as it is created, and links it", async () => {
    cohortId = world.classroom.createCohort({
      programId,
      name: "HIS205 Morning",
      attendeeIds: [zoe, "user-of-the-registrar"],
    }).cohortId;
    world.classroom.createCohort({ programId, name: "Staff" });
    const page = await until(/Morning \|.*Similar name: \| Link to HIS205 Morning/);
    expect(textOf(page)).not.toContain("Link to Staff");
    const linked = await visitor.submit(page, {
      action: "/course/cohorts/link",
      fields: { section: "3", program: programId, cohort: cohortId },
    });
    expect(textOf(linked)).toMatch(/Morning is linked to HIS205 Morning/);
    expect(textOf(linked)).toMatch(
      /Classroom group HIS205 Morning, program history-2026 · Linked by Ravi Anand/,
    );
  });
});
