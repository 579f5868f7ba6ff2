import { describe, expect, test } from "vitest";
import { hiddenField } from "../support/browser/dialog.ts";
import { instructorRole, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { eventOf } from "../support/builders/event.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { areasOf } from "../support/tool/pages-app.ts";

const membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
/** Canvas's role of a designer. */
const designer = `${membership}#ContentDeveloper`;
const password = "a console password of this story";

const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: password }));

let courses = 0;
const nextCourse = () => {
  courses += 1;
  return `course-${courses}`;
};

/** Somebody opens the course. @returns what can be pressed with their session */
async function opens(roles: readonly string[], course = nextCourse(), sub = "dora") {
  const page = await world.launch({ claims: claimsOf({ sub, name: "Dora Signer", roles, course }) });
  expect(page.status).toBe(200);
  const session = hiddenField(page, "session");
  const press = async (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams({ session, ...fields });
    const answer = await fetch(`${world.toolUrl}${path}`, { method: "POST", body, redirect: "manual" });
    const text = await answer.text();
    return { status: answer.status, html: text, text: textOf({ text }) };
  };
  return { page, press };
}

const arranging = {
  tabs: ["/home", "/sessions", "/recordings", "/people", "/settings"],
  more: ["/recordings", "/people", "/settings"],
};

/** The institution's choice, at its console page. */
async function says(level: "arrange" | "teach"): Promise<void> {
  const admin = `${world.toolUrl}/admin`;
  const login = await fetch(admin, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ password }),
  });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const address = `${admin}/registrations/${world.registration.id}/defaults`;
  const page = await (await fetch(address, { headers: { cookie } })).text();
  expect(page).toContain('name="staff-developer"');
  const body = new URLSearchParams({
    form: hiddenField({ text: page }, "form"),
    revision: hiddenField({ text: page }, "revision"),
    "staff-developer": level,
  });
  const saved = await fetch(address, { method: "POST", redirect: "manual", headers: { cookie }, body });
  expect(saved.status).toBe(303);
}

describe("A course designer of Canvas", () => {
  test("arranges sessions and settings, and sees no grades until the institution allows it", async () => {
    const course = nextCourse();
    const { page, press } = await opens([designer], course);
    expect(areasOf(page)).toEqual(arranging);
    const { id: courseId } = await world.courseOf(course);
    const startsAt = Date.now() - 7_200_000;
    await world.stores.events.save(eventOf({ eventId: "past", title: "Cells", startsAt, courseId }));
    const lead = "Registers: Cells, ";
    expect((await press("/course/home")).text).not.toContain(lead);
    expect(textOf(page)).not.toMatch(/Grades|grades|gradebook/);
    for (const path of ["/course/sessions", "/course/sessions/plan", "/course/settings", "/course/people"]) {
      const shown = await press(path);
      expect([path, shown.status, areasOf({ text: shown.html })]).toEqual([path, 200, arranging]);
    }
    expect((await press("/course/settings")).html).not.toMatch(/\/grading["?]/);
    const trail = await press("/course/audit");
    expect(trail.html).not.toMatch(/<option value="(attendance|grades)"/);

    const refused = await press("/course/grades");
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("Your role can’t see attendance or grades here.");

    await says("teach");
    const home = await press("/course/home");
    expect(home.text).toContain(lead);
    expect(areasOf({ text: home.html })).toEqual({
      tabs: ["/home", "/sessions", "/grid", "/grades", "/recordings", "/people", "/settings"],
      more: ["/grades", "/recordings", "/people", "/settings"],
    });
    expect((await press("/course/grades")).status).toBe(200);
    expect((await press("/course/grading")).status).toBe(200);

    await says("arrange");
    expect((await press("/course/grades")).status, "and not any more").toBe(403);
  });

  test("is asked about the course, but not about grading", async () => {
    const course = nextCourse();
    const { page, press } = await opens([designer], course);
    expect(textOf(page)).toMatch(
      /First steps 0 of 4 done .* Choose your settings Choose .* Try it as a learner/,
    );
    const { html } = await press("/course/set-up");
    expect(html).toContain('name="mode"');
    expect(html).not.toContain('name="grading"');
    const { settingsRevision, policyRevision } = await world.courseOf(course);
    const revisions = { settingsRevision: String(settingsRevision), policyRevision: String(policyRevision) };
    const answers = { mode: "embedded", learnersStart: "no", opens: "always", grading: "no-grades" };
    const saved = await press("/course/set-up/save", { ...revisions, ...answers });
    expect([saved.status, textOf(saved)]).toEqual([
      200,
      expect.stringMatching(/First steps \d of \d done [^\d]*Choose your settings/),
    ]);
    const { settings, policy } = await world.courseOf(course);
    expect([settings.mode, policy.kind]).toEqual(["embedded", "one-column"]);
  });
});

/** One of each kind of page and change, with the sentence that refuses it. */
const seeing = "Your role can’t see attendance or grades here.";

describe("the attendance of a learner that the LMS requests", () => {
  const review = (roles: readonly string[]) =>
    world.launch({
      claims: {
        ...claimsOf({ sub: "dora", roles, course: "review" }),
        "https://purl.imsglobal.org/spec/lti/claim/message_type": "LtiSubmissionReviewRequest",
        "https://purl.imsglobal.org/spec/lti/claim/for_user": { user_id: "lea" },
      },
    });

  test("is shown to a teacher, but not to a designer", async () => {
    await opens([learnerRole], "review", "lea");
    expect((await review([instructorRole])).status).toBe(200);
    const refused = await review([designer]);
    expect([refused.status, textOf(refused).includes(seeing)]).toEqual([403, true]);
  });
});
