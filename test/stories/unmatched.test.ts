import { beforeAll, expect, test, vi } from "vitest";
import { attendanceColumn } from "../../src/modules/grading/rules/column.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { carriedSession } from "../support/tool/carried-session.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const hour = 3_600_000;
type Page = Seen & { visitor: Visitor };

const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  for (const [sub, name] of [
    ["ann", "Ann Adler"],
    ["ben", "Ben Bauer"],
  ] as const) {
    const page = await world.launch({ claims: claimsOf({ sub, name, roles: [learnerRole] }), framed: false });
    if (page.status !== 303) throw new Error(`${sub} did not get in: ${page.text}`);
  }
});

const teaches = () => world.launch({ claims: claimsOf({ sub: "ina", name: "Ina Instructor" }) });

/** Goes to a page of the course by its address, whatever the page in hand has buttons for. */
async function go(page: Page, path: string, fields: Record<string, string> = {}): Promise<Page> {
  const token = carriedSession(page);
  const inputs = Object.entries({ session: token, ...fields }).map(
    ([name, value]) => `<input name="${name}" value="${value}">`,
  );
  const form = `<form method="post" action="${path}">${inputs.join("")}</form>`;
  const shown = await page.visitor.submit({ ...page, text: form });
  return { ...shown, visitor: page.visitor };
}

async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  const shown = await page.visitor.submit(page, { action, fields });
  return { ...shown, visitor: page.visitor };
}

async function personOf(sub: string) {
  const { registrationId, deploymentId } = await world.courseOf("2");
  const person = await world.stores.people.findBySub({ registrationId, deploymentId, sub });
  if (person === null) throw new Error(`${sub} is not known`);
  return person;
}

async function scoreOf(sub: string): Promise<number | null | undefined> {
  const { registrationId, id: courseId } = await world.courseOf("2");
  const { id: personId } = await personOf(sub);
  const key = { registrationId, courseId, columnKey: attendanceColumn, personId };
  return (await world.stores.deliveries.find(key))?.desired?.score;
}

/** A user of the classroom who came in by another way than the link in the course. */
async function guest(): Promise<string> {
  const answer = await fetch(`${world.classroom.apiUrl}/users/createAPIUser`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${world.apiKey}` },
    body: JSON.stringify({ name: "Ann Adler", role: "participant" }),
  });
  const made: unknown = await answer.json();
  if (typeof made === "object" && made !== null && "userId" in made) return String(made.userId);
  throw new Error(`the classroom made no user: ${JSON.stringify(made)}`);
}

/** A session that is over. */
async function lesson(title: string, linked: boolean): Promise<string> {
  const { spaceId } = await world.courseOf("2");
  const endsAt = Date.now() - hour;
  const { eventId } = world.classroom.createEvent({
    ...(linked ? { spaceId: spaceId ?? "" } : {}),
    title,
    startsAt: endsAt - hour,
    endsAt,
  });
  await world.classroom.webhooksSettled();
  return eventId;
}

test("an instructor finds who is not matched, says who it is, and the grade follows and goes again", async () => {
  expect(textOf(await go(await teaches(), "/course/unmatched"))).toContain("Everything is matched.");
  const userId = await guest();
  const eventId = await lesson("Photosynthesis", true);
  world.classroom.markAttendance({ eventId, userId, status: "LATE" });
  const course = await vi.waitFor(async () => {
    const page = await teaches();
    expect(page.text).toContain('/unmatched"');
    return page;
  }, patience);
  // The webhook about the session may still be on its way.
  const list = await vi.waitFor(async () => {
    const page = await press(course, "/course/unmatched");
    expect(textOf(page)).toMatch(new RegExp(`Classroom user ${userId} 1 session: Photosynthesis, .*Late`));
    return page;
  }, patience);
  // Nobody is suggested, although the name is the same.
  expect(list.text).not.toMatch(/<option[^>]*selected/);
  const nobody = await press(list, "/course/unmatched/person", { user: userId, person: "" });
  expect(nobody.status).toBe(422);
  const ann = await personOf("ann");
  const asked = await press(list, "/course/unmatched/person", { user: userId, person: ann.id });
  expect(asked.status).toBe(409);
  expect(textOf(asked)).toContain("Ann Adler already has a classroom user.");
  expect(await scoreOf("ann")).toBeUndefined();
  const saved = await press(asked, "/course/unmatched/person", {
    user: userId,
    person: ann.id,
    confirmed: ann.id,
  });
  expect(textOf(saved)).toContain(`Matched: user ${userId} is Ann Adler.`);
  await vi.waitFor(async () => {
    expect(await scoreOf("ann")).toBe(80);
  }, patience);
  expect(textOf(saved)).toMatch(new RegExp(`Ann Adler is user ${userId} Matched by Ina Instructor, `));
  const match = /name="match" value="([^"]*)"/.exec(saved.text)?.[1] ?? "";
  const undone = await press(saved, "/course/unmatched/undo", { match });
  expect(textOf(undone)).toContain(`Undone: Ann Adler is no longer user ${userId}.`);
  await vi.waitFor(async () => {
    expect(await scoreOf("ann")).toBeNull();
  }, patience);
  const trail = await go(await go(undone, "/course/register", { event: eventId }), "/course/audit");
  expect(textOf(trail)).toMatch(/Match of a person undone .*Ann Adler.* Person matched .*Ann Adler/);
});

test("a session without a Space becomes the course's, and its attendance counts", async () => {
  const eventId = await lesson("Field trip", false);
  const ben = await personOf("ben");
  world.classroom.markAttendance({ eventId, userId: onlyUserOf(ben) ?? "", status: "PRESENT" });
  const list = await vi.waitFor(async () => {
    const page = await go(await teaches(), "/course/unmatched");
    expect(textOf(page)).toMatch(/Field trip .*1 person of this course attended/);
    return page;
  }, patience);
  const hidden = await press(list, "/course/unmatched/event", { event: eventId, act: "not-ours" });
  expect(textOf(hidden)).toContain("Dismissed. It’s at the end of this page.");
  const shown = await press(hidden, "/course/unmatched/event", { event: eventId, act: "show" });
  const ours = await press(shown, "/course/unmatched/event", { event: eventId, act: "ours" });
  expect(textOf(ours)).toContain("Added: the session belongs to this course.");
  await vi.waitFor(async () => {
    expect(await scoreOf("ben")).toBe(100);
  }, patience);
  expect(textOf(ours)).toMatch(/Field trip, .* Matched by Ina Instructor, /);
  const undo = { event: eventId, act: "undo" };
  const undone = await go(ours, "/course/unmatched/event", undo);
  expect(textOf(undone)).toContain("Undone: the session no longer belongs to this course.");
  await vi.waitFor(async () => {
    expect(await scoreOf("ben")).toBeNull();
    expect(textOf(await go(undone, "/course/unmatched"))).toMatch(
      /Field trip .*1 person of this course attended/,
    );
  }, patience);
  expect((await go(undone, "/course/unmatched/event", undo)).status).toBe(409);
});

test("an instructor has a register read again from the classroom when no webhook came", async () => {
  const eventId = await lesson("Respiration", true);
  await vi.waitFor(async () => {
    expect(await world.stores.events.find("production", eventId)).not.toBeNull();
  }, patience);
  world.classroom.setWebhookUrl(null);
  const ben = await personOf("ben");
  world.classroom.markAttendance({ eventId, userId: onlyUserOf(ben) ?? "", status: "ABSENT" });
  const register = await go(await teaches(), "/course/register", { event: eventId });
  const read = await press(register, "/course/register/read", { event: eventId });
  expect(textOf(read)).toContain("Updated from the classroom: 1 listed, 1 changed.");
  expect(textOf(read)).toContain("1 absent 1 not recorded");
  expect(await scoreOf("ben")).toBe(0);
  world.classroom.setWebhookUrl(`${world.toolUrl}/webhooks/production`);
});
