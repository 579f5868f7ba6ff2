import { describe, expect, test, vi } from "vitest";
import { createInvitation } from "../../src/modules/registration/invitations.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const hour = 3_600_000;
type Page = Seen & { visitor: Visitor };

const world = await forAllTests(startTinyWorld());

const teaches = (course: string, sub = "ina") =>
  world.launch({ claims: claimsOf({ sub, name: "Ina Instructor", course }) });
const learns = (course: string, sub: string, framed = true) =>
  world.launch({ claims: claimsOf({ sub, name: `${sub} Learner`, roles: [learnerRole], course }), framed });

async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

/** A page of ours, with its headers. */
function post(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${world.toolUrl}${path}`, { method: "POST", body: new URLSearchParams(fields) });
}

const steps = "First steps";
/** What is done stands behind its number, before the first step that is open. */
const isDone = (step: string) => new RegExp(`First steps \\d of \\d done [^\\d]*${step}`);

describe("The first questions about a course", () => {
  test("are a step of the home's list, which ticks itself, and which an instructor hides", async () => {
    const page = await teaches("new");
    expect(textOf(page)).toMatch(/First steps 0 of 5 done .*Grading chosen Choose/);
    expect(page.text).toContain('action="/enter"');
    const answered = await press(page, "/course/set-up/save", { act: "save" });
    expect(textOf(answered)).toMatch(isDone("Grading chosen"));
    expect((await learns("new", "ann")).text).not.toContain(steps);
    const tried = await teaches("new");
    expect(textOf(tried)).toMatch(isDone("Try it as a learner"));
    const hidden = await press(tried, "/course/set-up/save", { act: "hide" });
    expect(textOf(hidden)).toContain("The list is hidden.");
    expect(textOf(await teaches("new"))).not.toContain(steps);
    await press(await press(hidden, "/course/set-up"), "/course/set-up/save", {
      act: "save",
      opens: "around-sessions",
    });
    expect(textOf(await teaches("new")), "answers do not bring it back").not.toContain(steps);
  });

  test("are answered, and the course has it so", async () => {
    const page = await press(await teaches("asked"), "/course/set-up");
    expect(textOf(page)).toContain("(2x100 + 1x80) / 3 = 93.33 of 100 points");
    const saved = await press(page, "/course/set-up/save", {
      act: "save",
      grading: "no-grades",
      mode: "tab",
      learnersStart: "yes",
      opens: "around-sessions",
    });
    expect(saved.status).toBe(200);
    expect(textOf(saved)).toContain("Saved. You can change this");
    expect(textOf(saved)).toContain("Attendance gives no grades in this course.");
    const course = await world.courseOf("asked");
    expect([course.policy.kind, course.settings.call, course.door.opens, course.setUp]).toEqual([
      "no-grades",
      "anyone",
      "around-sessions",
      "done",
    ]);
    const trail = textOf(await press(await press(saved, "/course/grades"), "/course/audit"));
    expect(trail).toContain("Settings changed");
    expect(textOf(await teaches("asked"))).toMatch(isDone("Grading chosen"));
  });
});

async function spaceOf(course: string): Promise<string> {
  const { spaceId } = await world.courseOf(course);
  if (spaceId === null) throw new Error("the course has no Space yet");
  return spaceId;
}

describe("An instructor's home", () => {
  test("says what comes next, who is expected, how the grades stand and what needs attention", async () => {
    const before = await teaches("bio");
    const empty = textOf(before);
    expect(empty).toContain("No session is scheduled.");
    expect(empty).toContain("No grades yet.");
    const entered = await learns("bio", "ann", false);
    const inside = await waitInQueue(entered.visitor, entered);
    expect([inside.status, inside.location]).toEqual([303, expect.stringContaining("/spaces/")]);
    await learns("bio", "ben");
    const space = { spaceId: await spaceOf("bio") };
    const now = Date.now();
    const held = world.classroom.createEvent({
      ...space,
      title: "Genes",
      startsAt: now - 2 * hour,
      endsAt: now - hour,
    });
    world.classroom.createEvent({
      ...space,
      title: "Cells",
      startsAt: now + 24 * hour,
      endsAt: now + 25 * hour,
    });
    world.classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId: held.eventId });
    await vi.waitFor(async () => {
      const page = textOf(await teaches("bio"));
      expect(page).toMatch(/Next session.* Cells/);
      expect(page).toContain("2 learners are expected.");
      expect(page).toContain("Nobody came to “Genes”");
      expect(page).toMatch(/Mark attendance: Genes 0 of 2 recorded · [^·]* Mark 2/);
    }, patience);
    const home = await teaches("bio");
    expect(home.text).toMatch(/href="[^"]*\/people\?role=learner"[^>]*>2 learners are expected\.</);
    const session = hiddenField(home, "session");
    const people = await post("/course/people", { session, role: "learner", section: "" });
    const listed = textOf({ text: await people.text() });
    expect(listed).toContain("ann Learner");
    expect(listed).toContain("ben Learner");
    expect(before.text, "nobody to be seen").not.toContain("/people?role=learner");
  });

  test("shows the session that is on, and who has been in", async () => {
    const now = Date.now();
    world.classroom.createEvent({
      spaceId: await spaceOf("bio"),
      title: "Now",
      startsAt: now - 60_000,
      endsAt: now + hour,
    });
    await vi.waitFor(async () => {
      const page = textOf(await teaches("bio"));
      expect(page).toContain("On now Now");
      expect(page).toContain("1 person has been in.");
    }, patience);
  });
});

describe("The pages of a course", () => {
  const policyOf = (response: Response) =>
    /frame-ancestors ([^;]*)/.exec(response.headers.get("content-security-policy") ?? "")?.[1];

  const presentation = "https://purl.imsglobal.org/spec/lti/claim/launch_presentation";

  test("are shown in a frame by their own LMS only, once a launch has told that its pages are its own", async () => {
    const own = world.registration.issuer;
    const told = { [presentation]: { document_target: "iframe", return_url: `${own}/course/7` } };
    const page = await world.launch({ claims: { ...claimsOf({ sub: "ina", course: "framed" }), ...told } });
    const session = hiddenField(page, "session");
    for (const path of ["set-up", "grades", "settings", "sessions"].map((name) => `/course/${name}`))
      expect([path, policyOf(await post(path, { session }))]).toEqual([path, own]);
    const claims = { ...claimsOf({ sub: "ann", roles: [learnerRole], course: "framed" }), ...told };
    const learner = hiddenField(await world.launch({ claims }), "session");
    expect(policyOf(await post("/course/home", { session: learner }))).toBe(own);
    expect(policyOf(await post("/course/grades", { session: learner })), "a refusal, too").toBe(own);
  });

  test("may be framed by any LMS while nothing says which, and never where nobody has a reason", async () => {
    const beforeChange = hiddenField(await teaches("bio"), "session");
    expect(policyOf(await post("/course/home", { session: beforeChange }))).toBe("https: http:");
    expect(policyOf(await post("/course/home", { session: "forged" }))).toBe("https: http:");
    expect(policyOf(await fetch(`${world.toolUrl}/calendar/none.ics`))).toBe("'none'");
    const { url } = await createInvitation(
      { ...world.stores, publicUrl: world.toolUrl, clock: systemClock, ids: randomIds },
      { account: "production", hours: 1 },
    );
    const invitation = await fetch(url);
    expect([invitation.status, policyOf(invitation)]).toEqual([200, "'none'"]);
  });
});
