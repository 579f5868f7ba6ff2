import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Course } from "../../src/domain/course.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { carriedSession } from "../support/tool/pages.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { required } from "../support/required.ts";
import { patience } from "../support/patience.ts";

let biology: Course;
/** User ids of the classroom. */
const users = { ada: "", eve: "", teacher: "" };
let space = "";

const learner = (sub: string, course: string) =>
  claimsOf({ sub, name: `${sub} Name`, roles: [learnerRole], course });
const teacher = claimsOf({ sub: "teacher", name: "Grace Name", course: "2" });

const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  await world.launch({ claims: teacher, framed: false });
  await world.launch({ claims: learner("ada", "2"), framed: false });
  await world.launch({ claims: learner("eve", "3"), framed: false });
  for (const sub of ["ada", "eve", "teacher"] as const) {
    users[sub] = await vi.waitFor(async () => {
      const key = { registrationId: world.registration.id, deploymentId: "1", sub };
      const person = await world.stores.people.findBySub(key);
      return required(onlyUserOf(person));
    }, patience);
  }
  biology = await world.courseOf("2");
  space = biology.spaceId ?? "";
});

const ended = (query: Record<string, string> | string, path = "/ended") =>
  createVisitor().open(`${world.toolUrl}${path}?${new URLSearchParams(query).toString()}`);
const ada = () => ended({ spaceId: space, userId: users.ada });

/** Posts to the survey's address; a page of ours sends the same. */
async function post(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Seen> {
  const url = `${world.toolUrl}/ended/feedback`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { accept: "text/html", ...headers },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, url, location: null, text: await answer.text() };
}

const surveyIn = (page: Seen) => /name="survey" value="([^"]+)"/.exec(page.text)?.[1] ?? "";

/** The number of records about Biology. */
async function kept(): Promise<number> {
  const occasions = await world.stores.feedback.occasionsOf(biology.id, 100);
  const answers = await Promise.all(
    occasions.map(({ key }) => world.stores.feedback.answersTo(biology.id, key)),
  );
  return answers.flat().length;
}

/** A friendly page that reveals neither the class nor who is known. */
function expectPlain(page: Seen): void {
  expect(page.status).toBe(200);
  expect(textOf(page)).toMatch(/You’ve left the classroom.*To enter again, open the link in your course\./);
  expect(page.text).not.toContain("Course 2");
  expect(page.text).not.toContain("/ended/feedback");
}

test("A phone has no tab to close: the survey comes first, then the way back to the app", async () => {
  const headers = { "user-agent": "Mozilla/5.0 (Linux; Android 14; Pixel 7) Mobile", accept: "text/html" };
  const query = new URLSearchParams({ spaceId: space, userId: users.ada });
  const page = await (await fetch(`${world.toolUrl}/ended?${query.toString()}`, { headers })).text();
  expect(page).not.toContain("Close this tab");
  expect(page.indexOf("To get back to the app")).toBeGreaterThan(page.indexOf('id="survey"'));
  expect(page).toContain('id="survey"');
  expect((await ada()).text).toContain("Close this tab");
});

test("The classroom may use other known names for its parameters", async () => {
  expect((await ended({ space_id: space, participant_id: users.ada })).text).toContain("/ended/feedback");
});

describe("An address that matches nobody", () => {
  test.each([
    ["no parameters", () => ({})],
    ["only the Space", () => ({ spaceId: space })],
    ["only the person", () => ({ userId: users.ada })],
    ["an unknown person", () => ({ spaceId: space, userId: "user_nobody" })],
    ["an unknown Space", () => ({ spaceId: "space_nowhere", userId: users.ada })],
    ["somebody in another course", () => ({ spaceId: space, userId: users.eve })],
    ["a person's id in place of the Space", () => ({ spaceId: users.ada, userId: users.ada })],
    ["markup", () => ({ spaceId: `${space}"><script>alert(1)</script>`, userId: users.ada })],
    ["a database operator", () => ({ "spaceId[$ne]": "x", "userId[$ne]": "x" })],
    ["ten thousand characters", () => ({ spaceId: "s".repeat(10_000), userId: users.ada })],
    ["a null character", () => ({ spaceId: `${space}\0`, userId: users.ada })],
    ["two Spaces", () => `spaceId=${space}&spaceId=space_2&userId=${users.ada}`],
  ])("is answered by a plain page: %s", async (_what, query) => {
    const page = await ended(query());
    expectPlain(page);
    expect(page.text).toBe((await ended({})).text);
  });

  test("is answered by a plain page: another environment", async () => {
    expectPlain(await ended({ spaceId: space, userId: users.ada }, "/ended/staging"));
    expect((await ended({ spaceId: space, userId: users.ada }, "/ended/production")).text).toContain(
      "/ended/feedback",
    );
  });

  test("is answered by a plain page: a broken percent sign", async () => {
    expectPlain(await createVisitor().open(`${world.toolUrl}/ended?spaceId=%E0%A4%A&userId=${users.ada}`));
  });

  test("is answered by a plain page: somebody who has left the course", async () => {
    expect((await ada()).text).toContain("/ended/feedback");
    const key = { registrationId: world.registration.id, courseId: biology.id };
    const member = (await world.stores.members.listAfter(key, "", 10)).find(({ role }) => role === "learner");
    const change = (active: boolean) =>
      world.stores.members.applyRoster(key, Date.now() + 1_000, {
        made: [],
        changed: [{ personId: member?.personId ?? "", id: "", to: { active } }],
      });
    const survey = surveyIn(await ada());
    await change(false);
    try {
      expectPlain(await ada());
      const late = await post({ survey, rating: "5" });
      expect(late.status).toBe(403);
      expect(textOf(late)).toMatch(/Your answer wasn’t saved/);
      expect(late.text).not.toContain("Course 2");
    } finally {
      await change(true);
    }
    expect(await kept()).toBe(0);
  });
});

describe("A survey", () => {
  beforeEach(async () => {
    expect((await ada()).text).toContain("/ended/feedback");
  });

  test.each([
    ["is missing", () => ({})],
    ["is not a token", () => ({ survey: "abc" })],
    ["is forged", (survey: string) => ({ survey: `${survey.slice(0, -4)}AAAA` })],
  ])("is refused when its token %s", async (_what, change) => {
    const page = await post({ rating: "5", ...change(surveyIn(await ada())) });
    expect(page.status).toBe(403);
    expect(textOf(page)).toMatch(/This survey is over\. You don’t need to do anything/);
    expect(page.text).not.toContain("Course 2");
    expect(await kept()).toBe(0);
  });

  test("is refused when its token is a session", async () => {
    const enter = await world.launch({ claims: learner("ada", "2") });
    const session = carriedSession(enter);
    expect(session).not.toBe("");
    expect((await post({ survey: session, rating: "5" })).status).toBe(403);
    expect(await kept()).toBe(0);
  });

  test("does not work as a session: its token opens nothing", async () => {
    const survey = surveyIn(await ada());
    for (const path of ["/enter", "/course/feedback", "/course/people"]) {
      const answer = await fetch(`${world.toolUrl}${path}`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams({ session: survey }),
      });
      expect(answer.status, path).toBe(401);
    }
  });

  test.each([
    ["is empty", {}],
    ["has only white space", { comment: " \r\n\t " }],
    ["has a rating that does not exist", { rating: "9" }],
    ["has a rating that is not a number", { rating: "five", soundAndPicture: "loud" }],
  ])("is shown again when it %s", async (_what, fields) => {
    const page = await post({ survey: surveyIn(await ada()), ...fields });
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/role="alert"><p>Choose or write something first/);
    expect(page.text).toContain("/ended/feedback");
    expect(await kept()).toBe(0);
  });

  test("is shown again with its text when the comment is too long", async () => {
    const page = await post({
      survey: surveyIn(await ada()),
      rating: "2",
      comment: `begin ${"x".repeat(1_000)}`,
    });
    expect(page.status).toBe(422);
    expect(textOf(page)).toMatch(/The comment is too long: at most 1000 characters\./);
    expect(page.text).toMatch(/<textarea[^>]*>begin xxx/);
    expect(page.text).toMatch(/value="2" checked/);
    expect(await kept()).toBe(0);
  });

  test.each([
    [
      "a body of 100 KB",
      { body: `comment=${"x".repeat(100_000)}`, type: "application/x-www-form-urlencoded" },
    ],
    [
      "a body in an unknown encoding",
      { body: "comment=x", type: "application/x-www-form-urlencoded; charset=foo" },
    ],
    ["JSON", { body: '{"rating":5}', type: "application/json" }],
    ["nothing", { body: "", type: "text/plain" }],
  ])("ends at a friendly page when it is %s", async (_what, { body, type }) => {
    const answer = await fetch(`${world.toolUrl}/ended/feedback`, {
      method: "POST",
      headers: { accept: "text/html", "content-type": type },
      body,
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("You’ve left the classroom");
  });

  test("with a script shows it as text, to the instructor and to its writer", async () => {
    const script = `<script>alert(1)</script> & "quotes"`;
    const again = await post({ survey: surveyIn(await ada()), comment: script + "x".repeat(1_000) });
    expect(again.text).not.toContain("<script>alert");
    expect((await post({ survey: surveyIn(await ada()), comment: script })).status).toBe(200);
    const page = await feedbackPage();
    expect(page.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;quotes&#34;");
    expect(page.text).not.toContain("<script>alert");
  });
});

/** The instructor's page. */
async function feedbackPage(): Promise<Seen> {
  const enter = await world.launch({ claims: teacher });
  return enter.visitor.submit(enter, { action: "/course/feedback" });
}

describe("The answers", () => {
  test.each(["/course/feedback", "/course/feedback/asking"])(
    "are not shown to learners: %s",
    async (path) => {
      const enter = await world.launch({ claims: learner("ada", "2") });
      expect(enter.text).not.toMatch(/\/feedback["?]/);
      const session = carriedSession(enter);
      const answer = await fetch(`${world.toolUrl}${path}`, {
        method: "POST",
        headers: { accept: "text/html" },
        body: new URLSearchParams({ session, ask: "no" }),
      });
      expect(answer.status).toBe(403);
      expect((await world.courseOf("2")).asksFeedback).toBe(true);
    },
  );

  test("have no name and no id, neither on the page nor in the log", async () => {
    const page = await feedbackPage();
    for (const secret of ["ada", users.ada, "per_"]) expect(textOf(page)).not.toContain(secret);
    for (const secret of [users.ada, space, "alert(1)"]) expect(world.output()).not.toContain(secret);
  });

  test("are not shown at their address alone", async () => {
    expect((await createVisitor().open(`${world.toolUrl}/course/feedback`)).status).toBe(405);
    expectPlain(await createVisitor().open(`${world.toolUrl}/ended/feedback`));
  });
});

describe("A session", () => {
  test.each(["forged", ""])("that is invalid leads to the plain page: %j", async (session) => {
    const answer = await fetch(`${world.toolUrl}/ended`, {
      method: "POST",
      body: new URLSearchParams({ session }),
    });
    expectPlain({ status: answer.status, url: "", location: null, text: await answer.text() });
  });

  test("of an LMS that was switched off leads to the plain page, and so does an address", async () => {
    const other = await world.register({ clientId: "client-2" });
    const claims = { ...learner("joan", "9"), aud: other.clientId };
    const enter = await world.launch({ registration: other, claims });
    const session = carriedSession(enter);
    await world.stores.registrations.set(other.id, { active: false });
    const answer = await fetch(`${world.toolUrl}/ended`, {
      method: "POST",
      body: new URLSearchParams({ session }),
    });
    expectPlain({ status: answer.status, url: "", location: null, text: await answer.text() });
  });
});
