import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { startWorld } from "../support/tool/start-world.ts";

const biology = { course: "2", link: "1" };
const visitor = createVisitor();

/** The instructor's page "People and sections". */
async function peoplePage(world: DemoWorld, person = "teacher1", link = biology.link): Promise<Seen> {
  const enter = await openCourseLink(visitor, world.lms, person, link, { framed: true });
  return visitor.submit(enter, { action: "/course/people" });
}

/** The text of a page without its markup, with " | " between cells. */
function textOf(page: Seen): string {
  const body = page.text.slice(page.text.indexOf("<main"));
  return body
    .replace(/<\/(td|th|tr|p|h2|h3|li|label|option)>/g, " | ")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replace(/[\s|]*\|[\s|]*/g, " | ")
    .replace(/\s+/g, " ");
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

  test("groups become known as people come, and the teacher gives them names", async () => {
    await openCourseLink(createVisitor(), world.lms, "student1", biology.link);
    await openCourseLink(createVisitor(), world.lms, "student2", biology.link);
    const page = await vi.waitFor(async () => {
      const people = await peoplePage(world, "teacher1", biology.link);
      const found = await visitor.submit(people, { action: "/course/people/sections" });
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
});
