import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { alwaysOpen } from "../../src/domain/entry-window.ts";
import { ticketDigest } from "../../src/modules/joining/enter-class.ts";
import { createVisitor, type Seen, type Visitor } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { areasOf } from "../support/tool/areas-of.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf, type TinyWorld } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { carriedSession } from "../support/tool/carried-session.ts";

const hour = 3_600_000;

let world: TinyWorld;
beforeAll(async () => {
  world = await startTinyWorld();
  for (const [sub, name] of [
    ["ann", "Ann Adams"],
    ["ben", "Ben Bell"],
  ] as const) {
    const claims = claimsOf({ sub, name, roles: [learnerRole] });
    const page = await world.launch({ claims, framed: false });
    if (page.status !== 303) throw new Error(`${sub} did not get in: ${page.text}`);
  }
}, 60_000);
afterAll(() => world.close());

type Page = Seen & { visitor: Visitor };

const opens = (sub: string): Promise<Page> =>
  world.launch({ claims: claimsOf({ sub, roles: [learnerRole] }) });
const goes = async (page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> => ({
  ...(await page.visitor.submit(page, { action, fields, framed: true })),
  visitor: page.visitor,
});
const tokenIn = (page: Seen): string => carriedSession(page);

async function userIdOf(sub: string): Promise<string> {
  const { registrationId, deploymentId } = await world.courseOf("2");
  const person = await world.stores.people.findBySub({ registrationId, deploymentId, sub });
  return onlyUserOf(person) ?? "";
}

/** A lesson in the course's Space that has ended, in which somebody was marked. */
async function lesson(title: string, sub: string, status: "PRESENT" | "LATE" | "ABSENT"): Promise<void> {
  const { spaceId } = await world.courseOf("2");
  const startsAt = Date.now() - 3 * hour;
  const { eventId } = world.classroom.createEvent({
    spaceId: spaceId ?? "",
    title,
    startsAt,
    endsAt: startsAt + hour,
  });
  world.classroom.markAttendance({ eventId, userId: await userIdOf(sub), status });
}

describe("a learner in the frame of their LMS", () => {
  test("sees the way in first, and their attendance as soon as it was marked", async () => {
    const first = await opens("ann");
    expect(first.status).toBe(200);
    expect(textOf(first)).toMatch(/Join Opens in a new tab\..*No attendance yet/);
    await lesson("Genes", "ann", "LATE");
    await lesson("Cells", "ben", "ABSENT");
    const mine = await vi.waitFor(async () => {
      const page = await goes(await opens("ann"), "/course/my-sessions");
      expect(textOf(page)).toMatch(/Genes .* ◔ Late/);
      return page;
    }, patience);
    expect(textOf(mine)).toContain("You attended 1 of 1 session ◔ 1 late");
    expect(textOf(mine)).toContain("The sum: 1x80 / 1 = 80");
    const home = await goes(mine, "/course/home");
    expect(textOf(home)).toContain("You attended 1 of 1 session ◔ 1 late");
    const entered = await home.visitor.submit(home, { action: "/enter" });
    expect(entered.status).toBe(303);
  }, 60_000);

  test("never sees another's, whatever their browser asks for", async () => {
    await vi.waitFor(async () => {
      expect(textOf(await goes(await opens("ben"), "/course/my-sessions"))).toMatch(/Cells .* ✗ Absent/);
    }, patience);
    const { registrationId, deploymentId } = await world.courseOf("2");
    const ben = await world.stores.people.findBySub({ registrationId, deploymentId, sub: "ben" });
    const fields = { person: ben?.id ?? "", personId: ben?.id ?? "", sub: "ben" };
    const page = await goes(await opens("ann"), "/course/my-sessions", fields);
    expect(page.status).toBe(200);
    expect(textOf(page)).not.toMatch(/Absent Cells|Cells .* ✗/);
    const refused = await goes(page, "/course/home", fields);
    expect(textOf(refused)).not.toContain("absent");
  }, 60_000);

  test("sees no area of instructors, and is refused at each", async () => {
    const page = await opens("ann");
    expect(areasOf(page)).toEqual({
      tabs: ["/home", "/my-sessions", "/recordings"],
      more: ["/recordings"],
    });
    const session = tokenIn(page);
    for (const path of [
      ...["sessions", "sessions/plan", "sessions/change", "register", "register/save", "learner", "grid"],
      ...[
        "grades",
        "grading",
        "people",
        "settings",
        "settings/save",
        "audit",
        "unmatched",
        "link",
        "feedback",
      ],
    ]) {
      const body = new URLSearchParams({ session });
      const answer = await fetch(`${world.toolUrl}/course/${path}`, { method: "POST", body });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).not.toContain("Ben");
    }
  });

  test("subscribes to a calendar, and ends it", async () => {
    const page = await goes(await opens("ann"), "/course/calendar");
    expect(textOf(page)).not.toContain("All sessions in this course");
    const made = await goes(page, "/course/calendar", { act: "make", scope: "person" });
    const address = /<code id="address-person">([^<]+)<\/code>/.exec(made.text)?.[1] ?? "";
    expect(made.text).toContain(`href="${address.replace("http:", "webcal:")}"`);
    const calendar = await (await fetch(address)).text();
    const name = /^NAME:(.+?)\r$/m.exec(calendar)?.[1] ?? "none";
    const inOutlook = /addfromweb\?[^"]*name=([^"&]+)/.exec(made.text)?.[1] ?? "";
    expect(decodeURIComponent(inOutlook.replaceAll("+", " ")), "as the calendar calls itself").toBe(name);
    const ended = await goes(made, "/course/calendar", { act: "revoke", scope: "person" });
    expect(textOf(ended)).toContain("Link revoked.");
    expect((await fetch(address)).status).toBe(404);
  });

  test("whose LMS calls them an instructor no more has lost the page that was open, and sees a learner's", async () => {
    const taught = await world.launch({ claims: claimsOf({ sub: "carl", name: "Carl Cole" }) });
    expect(taught.text).toContain('/settings"');
    const claims = claimsOf({ sub: "carl", name: "Carl Cole", roles: [learnerRole] });
    const now = await world.launch({ claims });
    expect((await goes({ ...taught }, "/course/home")).status).toBe(410);
    expect(textOf(now)).toContain("My attendance");
    expect(now.text).not.toMatch(/\/settings["?]/);
  });
});

test("Whoever waited in the line while the classroom closed reads when it opens, and gets no right by that", async () => {
  const claims = claimsOf({ sub: "dan", name: "Dan Dale", roles: [learnerRole], course: "3" });
  const first = await world.launch({ claims, framed: false });
  expect(first.status).toBe(303);
  const {
    id: courseId,
    registrationId,
    deploymentId,
    environment,
    settings,
    spaceAccess,
  } = await world.courseOf("3");
  const { people, queuePositions, courses, events } = world.stores;
  const person = await people.findBySub({ registrationId, deploymentId, sub: "dan" });
  const ticket = "a-ticket-that-somebody-keeps";
  const entry = {
    courseId,
    personId: person?.id ?? "",
    courseLinkId: null,
    role: "learner",
    locale: null,
  } as const;
  const position = await queuePositions.join({
    ...entry,
    id: "plc_dan",
    ticket: ticketDigest(ticket),
    mobile: false,
    shown: "tab",
    environment,
    registrationId,
    arrivedAt: Date.now(),
    calls: 1,
    seenUntil: Date.now() + hour,
  });
  await vi.waitFor(async () => {
    expect((await queuePositions.findMany([position.id]))[0]?.state).toBe("ready");
  }, patience);
  const startsAt = Date.now() + 5 * hour;
  const event = { eventId: "next", spaceId: null, title: "Next", startsAt, endsAt: startsAt + hour };
  await events.save({ ...event, environment, cancelled: false, courseId, readAt: 1 });
  const door = { ...alwaysOpen, opens: "around-sessions" } as const;
  expect(await courses.changeSettings(courseId, 0, { settings, spaceAccess, door })).toBe(true);
  const visitor = createVisitor();
  visitor.addCookie(world.toolUrl, `place_${ticketDigest(ticket)}=${ticket}; Path=/waiting`);
  const page = await visitor.open(`${world.toolUrl}/waiting?place=${ticketDigest(ticket)}`);
  expect(page.status).toBe(200);
  expect(textOf(page)).toContain("The classroom isn’t open yet");
  expect(page.text).not.toContain("<nav");
  const body = new URLSearchParams({ session: tokenIn(page) });
  const mine = await fetch(`${world.toolUrl}/course/my-sessions`, { method: "POST", body });
  expect(mine.status).toBe(401);
  expect(textOf(await visitor.submit(page, { action: "/enter" }))).toContain("isn’t open yet");
}, 60_000);
