import { beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, startWorld, walkIn } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { approveAsked } from "../support/builders/approve-space.ts";
import { carriedSession } from "../support/tool/carried-session.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };
const hour = 3_600_000;
type Page = Seen & { visitor: Visitor };

/** A Space that was made in the classroom, for no course. */
let laboratory: string;
const world = await forAllTests(startWorld({ learners: 2 }));
beforeAll(async () => {
  const answer = await fetch(`${world.classroom.apiUrl}/spaces/create`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${world.variables.CLASSROOM_API_KEY ?? ""}`,
    },
    body: JSON.stringify({ name: "Laboratory", access: "Public" }),
  });
  expect(answer.ok).toBe(true);
  laboratory = world.classroom.spaces().find(({ name }) => name === "Laboratory")?.spaceId ?? "";
}, 60_000);

async function teacher(): Promise<Page> {
  const visitor = createVisitor();
  const page = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  return { ...page, visitor };
}
async function goes(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}
/** Posts a form as a browser does: every field as often as it is there. */
async function posts(page: Page, path: string, fields: readonly (readonly [string, string])[]) {
  const session = carriedSession(page);
  const body = new URLSearchParams({ session });
  for (const [name, value] of fields) body.append(name, value);
  const answer = await fetch(`${world.toolUrl}${path}`, { method: "POST", body });
  return { ...page, status: answer.status, text: await answer.text() };
}
const sessionsOf = async () => goes(await teacher(), "/course/sessions");

describe("A link of a course opens a Space that no course has", () => {
  test("what happens there in a session made in the classroom becomes a grade, and nobody has to claim it", async () => {
    const home = await teacher();
    const link = () =>
      posts(home, "/course/link", [
        ["what", "space"],
        ["space", `${world.classroom.appUrl}/spaces/${laboratory}`],
      ]);
    expect(textOf(await link())).toContain("needs approval before your course can use it");
    await approveAsked(world.variables, laboratory);
    const linked = await link();
    expect(linked.status).toBe(200);
    const userId = await walkIn(world, "student1", biology.link);
    const now = Date.now();
    const event = { spaceId: laboratory, title: "Microscopes", startsAt: now - hour, endsAt: now };
    const { eventId } = world.classroom.createEvent(event);
    world.classroom.markAttendance({ eventId, userId, status: "LATE" });
    await vi.waitFor(() => {
      expect(gradeOfLearner(world, biology.course, "student1")).toBe(80);
    }, patience);
    const sessions = await sessionsOf();
    expect(textOf(sessions)).toMatch(/Microscopes .*In: Classroom /);
    const unmatched = await posts(sessions, "/course/unmatched", []);
    expect(unmatched.status).toBe(200);
    expect(textOf(unmatched)).not.toContain("Microscopes");
  }, 60_000);

  test("sessions planned here take place in the Space that the instructor chose, and all steps say so", async () => {
    const form = await goes(await sessionsOf(), "/course/sessions/plan");
    expect(form.text).toContain(`<option value="${laboratory}">`);
    const typed: [string, string][] = [
      ["title", "Dissection"],
      ["date", "2027-03-15"],
      ["time", "10:00"],
      ["minutes", "60"],
      ["repeats", "once"],
      ["counts", "yes"],
    ];
    const foreign: [string, string] = ["space", "space-of-somebody"];
    const wrong = await posts(form, "/course/sessions/plan/dates", [...typed, foreign, ["act", "preview"]]);
    expect(wrong.status).toBe(422);
    expect(textOf(wrong)).toContain("No link of this course opens this classroom.");
    const there: [string, string] = ["space", laboratory];
    const dates = await posts(form, "/course/sessions/plan/dates", [...typed, there, ["act", "preview"]]);
    expect(textOf(dates)).toContain(`In: Classroom ${laboratory}`);
    const back = await posts(form, "/course/sessions/plan/dates", [...typed, there, ["act", "back"]]);
    expect(back.text).toContain(`<option value="${laboratory}" selected>`);
    const hidden = [...dates.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
      .map(([, name = "", value = ""]): [string, string] => [name, value])
      .filter(([name]) => name !== "session");
    const made = await posts(dates, "/course/sessions/plan/dates", [
      ...hidden,
      ["take", "2027-03-15"],
      ["act", "make"],
    ]);
    expect(textOf(made)).toContain("1 session scheduled.");
    await vi.waitFor(() => {
      const event = world.classroom.events().find(({ title }) => title === "Dissection");
      expect(event?.spaceId).toBe(laboratory);
    }, patience);
    expect(textOf(await sessionsOf())).toMatch(/Dissection .*In: Classroom/);
  }, 60_000);
});
