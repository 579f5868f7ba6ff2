import { describe, expect, test } from "vitest";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { carriedSession } from "../support/tool/carried-session.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";

const world = await forAllTests(startWorld());

/** What a page says, without its markup. */
function textOf(page: Seen): string {
  return page.text
    .slice(page.text.search(/<main\b/))
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

function spaceOf(course: string): string {
  const space = world.classroom.spaces().find((one) => one.name.startsWith(course));
  if (space === undefined) throw new Error(`no Space is named after ${course}`);
  return space.spaceId;
}

/** The address to which the classroom sends somebody who leaves. */
async function redirectOf(userId: string, course = "BIO101"): Promise<string> {
  const leave = `${world.classroom.appUrl}/spaces/${spaceOf(course)}/end?user=${userId}`;
  const answer = await fetch(leave, { redirect: "manual" });
  return answer.headers.get("location") ?? "";
}

/** Somebody walks into the Space. @returns their user id in the classroom. */
async function walkIn(person: string, link = biology): Promise<string> {
  const answer = await enterByCourseLink(createVisitor(), world.lms, person, link);
  const token = new URL(answer.location ?? "about:blank").searchParams.get("token");
  const login = world.classroom.authorizations().find((one) => one.token === token);
  if (login === undefined) throw new Error(`${person} did not get in: ${answer.status} ${answer.text}`);
  return login.userId;
}

async function leave(userId: string): Promise<Seen> {
  return createVisitor().open(await redirectOf(userId));
}

async function answerAs(userId: string, fields: Record<string, string>): Promise<Seen> {
  return createVisitor().submit(await leave(userId), { action: "/ended/feedback", fields });
}

/** What the instructor reads about feedback. */
async function answersPage(link = biology, person = "teacher1"): Promise<Seen> {
  const visitor = createVisitor();
  const enter = await openCourseLink(visitor, world.lms, person, link, { framed: true });
  return visitor.submit(enter, { action: "/course/feedback" });
}

describe("A learner who leaves the classroom", () => {
  test("sees a way back to the course, but neither its name nor anybody's, for an address is no proof", async () => {
    const page = await leave(await walkIn("student1"));
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(/You have left the classroom/);
    expect(textOf(page)).not.toMatch(/Biology|Zoë|Åkesson/);
    expect(page.text).toContain(`href="${world.lms.url}/course/view.php?id=2" target="_top"`);
    expect(page.text).not.toContain("sesskey");
  });

  test("answers, and the instructor reads it without a name", async () => {
    const userId = await walkIn("student1");
    const thanks = await answerAs(userId, {
      rating: "4",
      soundAndPicture: "partly",
      comment: "More examples,\r\nplease.",
    });
    expect(textOf(thanks)).toMatch(/Thank you\. Your answer is saved\./);
    const page = await answersPage();
    expect(textOf(page)).toMatch(/1 answer Average rating 4 of 5 Sound and picture worked partly: 1/);
    expect(textOf(page)).toMatch(/More examples, please\./);
    expect(textOf(page)).not.toMatch(/Zoë|Åkesson|student1/);
  });
});

describe("An instructor", () => {
  test("stops the question and asks again", async () => {
    const off = await createVisitor().submit(await answersPage(), { action: "/course/feedback/asking" });
    expect(textOf(off)).toMatch(/Learners aren’t asked after sessions\./);
    const learner = await walkIn("student5");
    expect((await leave(learner)).text).not.toContain("/ended/feedback");
    const on = await createVisitor().submit(await answersPage(), { action: "/course/feedback/asking" });
    expect(textOf(on)).toMatch(/Learners are asked after sessions\./);
    expect((await leave(learner)).text).toContain("/ended/feedback");
  });
});

describe("Somebody who comes from a page of ours with their session", () => {
  test("gets the same page with the course’s name, and may enter again", async () => {
    const visitor = createVisitor();
    const enter = await openCourseLink(visitor, world.lms, "student6", biology, { framed: true });
    const session = carriedSession(enter);
    const page = await visitor.submit(
      {
        ...enter,
        text: `<form method="post" action="${world.toolUrl}/ended"><input name="session" value="${session}"></form>`,
      },
      { framed: true },
    );
    expect(textOf(page)).toMatch(/Biology 101 – Spring You have left the classroom/);
    expect(page.text).toMatch(/<form[^>]* action="\/enter">/);
    const thanks = await visitor.submit(page, {
      framed: true,
      action: "/ended/feedback",
      fields: { rating: "5", soundAndPicture: "yes", comment: "By myself" },
    });
    expect(textOf(thanks)).toMatch(/Your answer is saved/);
    expect(thanks.text).toContain('action="/enter"');
    expect(textOf(await answersPage())).toMatch(/By myself/);
  });
});

test("the classroom may call what it adds as it likes, when the tool is told", async () => {
  world.classroom.setEndRedirect({
    url: `${world.toolUrl}/ended`,
    names: { spaceId: "space_id", userId: "participant_id", eventId: null, sessionId: null },
  });
  const page = await leave(await walkIn("student7"));
  expect(page.text).toContain("/ended/feedback");
  world.classroom.setEndRedirect({ url: `${world.toolUrl}/ended`, names: { spaceId: "whiteboard" } });
  const plain = await leave(await walkIn("student7"));
  expect(plain.status).toBe(200);
  expect(plain.text).not.toContain("/ended/feedback");
  world.classroom.setEndRedirect({ url: `${world.toolUrl}/ended/staging` });
  expect((await leave(await walkIn("student7"))).text).not.toContain("/ended/feedback");
  world.classroom.setEndRedirect({ url: `${world.toolUrl}/ended` });
});
