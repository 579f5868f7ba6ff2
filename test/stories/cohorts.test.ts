import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { metric, startWorld, walkIn } from "../support/tool/start-world.ts";

const history = { course: "3", link: "2" };
const visitor = createVisitor();

let world: DemoWorld;
/** Users of the classroom: Zoë and José are in "Morning". */
let zoe: string;
let jose: string;

beforeAll(async () => {
  world = await startWorld({ manners: "canvas", learners: 4 });
  zoe = await walkIn(world, "student1", history.link);
  jose = await walkIn(world, "student2", history.link);
}, 90_000);
afterAll(() => world.close());

/** The instructor's page of sections and cohorts. */
async function sectionsPage(): Promise<Seen> {
  const home = await openCourseLink(visitor, world.lms, "teacher2", history.link, { framed: true });
  const people = await visitor.submit(home, { action: "/course/people" });
  return visitor.submit(people, { action: "/course/people/sections" });
}

/** What a page says, without its markup. */
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

  test("finds a cohort suggested by its name as soon as it is created, and links it", async () => {
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

  test("reads who is in one and not in the other", async () => {
    const page = await until(/1 only in the classroom group/);
    const shown = await visitor.submit(page, {
      action: "/course/cohorts/difference",
      fields: { section: "3" },
    });
    const text = textOf(shown);
    expect(text).toMatch(/1 person in both/);
    expect(text).toMatch(/Only in the section \|.*José Álvarez Núñez/);
    expect(text).toMatch(/Classroom user user-of-the-registrar \| attendee \| not in this course/);
    world.classroom.updateCohort({ cohortId, attendeeIds: [zoe, jose] });
    await vi.waitFor(async () => {
      const again = await visitor.submit(await sectionsPage(), {
        action: "/course/cohorts/difference",
        fields: { section: "3" },
      });
      expect(textOf(again)).toMatch(/2 people in both/);
    }, patience);
  });

  test("reads who was in a cohort that is deleted, takes the link back, and finds both in the history", async () => {
    world.classroom.setWebhookSwitches({ duplicates: true, reorder: true });
    world.classroom.updateCohort({ cohortId, name: "HIS205 Early morning" });
    world.classroom.deleteCohort({ cohortId });
    const page = await until(/This classroom group was deleted on/);
    world.classroom.setWebhookSwitches({ duplicates: false, reorder: false });
    const linkId = /name="link" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const compared = await visitor.submit(page, {
      action: "/course/cohorts/difference",
      fields: { section: "3" },
    });
    expect(textOf(compared)).toMatch(/2 people in both.*was deleted on/);
    const freed = await visitor.submit(page, {
      action: "/course/cohorts/unlink",
      fields: { section: "3", link: linkId },
    });
    expect(textOf(freed)).toMatch(/Morning is unlinked/);
    const past = await visitor.submit(freed, { action: "/course/cohorts/history" });
    expect(textOf(past)).toMatch(/Morning \| HIS205.*deleted in the classroom on.*last known: 2 attendees/);
    const twice = await visitor.submit(page, {
      action: "/course/cohorts/unlink",
      fields: { section: "3", link: linkId },
    });
    expect(twice.status).toBe(409);
    expect(textOf(twice)).toMatch(/Already unlinked/);
  });

  test("finds one that was there before by its ids, and is told when there is none", async () => {
    world.classroom.setWebhookUrl(null);
    const old = world.classroom.createCohort({ programId, name: "HIS205 Evening" });
    world.classroom.setWebhookUrl(`${world.toolUrl}/webhooks/production`);
    const page = await visitor.submit(await sectionsPage(), {
      action: "/course/cohorts/choose",
      fields: { section: "3" },
    });
    const ask = (fields: Record<string, string>) =>
      visitor.submit(page, { action: "/course/cohorts/find", fields: { section: "3", ...fields } });
    const empty = await ask({ program: programId, cohort: " " });
    expect([empty.status, textOf(empty)]).toEqual([422, expect.stringContaining("Fill in both ids.")]);
    expect(empty.text, "what was typed stays").toContain(`value="${programId}"`);
    const wrong = await ask({ program: "history-2025", cohort: old.cohortId });
    expect([wrong.status, textOf(wrong)]).toEqual([
      404,
      expect.stringContaining("No classroom group has these ids"),
    ]);
    const found = await ask({ program: programId, cohort: ` ${old.cohortId} ` });
    expect(textOf(found)).toMatch(/Found: HIS205 Evening/);
  });

  test("does none of that as a learner, nor with a section of somebody else", async () => {
    const page = await sectionsPage();
    const strange = await visitor.submit(page, {
      action: "/course/cohorts/choose",
      fields: { section: "99" },
    });
    expect(strange.status).toBe(404);
    const learner = await openCourseLink(visitor, world.lms, "student1", history.link, { framed: true });
    for (const path of ["people/sections", "cohorts/choose", "cohorts/link", "cohorts/history"]) {
      const answer = await visitor.submit(
        { ...learner, text: learner.text.replace('action="/enter"', `action="/course/${path}"`) },
        {},
      );
      expect(answer.status, path).toBe(403);
    }
  });

  test("a webhook of a kind that nobody knows is kept and counted", async () => {
    const before = await metric(world, 'spaces_lti_receipts{state="kept"}');
    const answer = await fetch(`${world.toolUrl}/webhooks/production`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${world.variables.CLASSROOM_WEBHOOK_SECRET ?? ""}`,
      },
      body: JSON.stringify({
        _type: "PROGRAM_AND_COHORT",
        eventType: "COHORT_MERGED",
        programId,
        cohortId,
        timestamp: new Date().toISOString(),
        updatedBy: "somebody",
      }),
    });
    expect(answer.ok).toBe(true);
    await vi.waitFor(async () => {
      expect(await metric(world, 'spaces_lti_receipts{state="kept"}')).toBe(before + 1);
    }, patience);
  });

  test("a killed tool goes on with the webhooks that it had taken", async () => {
    const made = world.classroom.createCohort({ programId, name: "HIS205 Morning anew" });
    await world.classroom.webhooksSettled();
    await world.tool().end("SIGKILL");
    await world.restartTool();
    await until(/Link to HIS205 Morning anew/);
    expect(made.programId).toBe(programId);
  }, 60_000);
});
