import type { Frame } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { findingsOnEveryScreen, startBrowser } from "../support/browser/browser.ts";
import { openInFrame } from "../support/browser/open-in-frame.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { press } from "../support/browser/press.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };
const minute = 60_000;

let spaceId: string;
let userId: string;
const profiles = watchProfiles();

const world = await forAllTests(startWorld({ learners: 3 }));
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  userId = await walkIn(world, "student1", biology.link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
});

/** Somebody opens the course link in a frame as wide as the screen. */
async function open(person: string): Promise<Frame> {
  const { frame } = await openInFrame(browser, world, { username: person, linkId: biology.link, profiles });
  await frame.waitForLoadState("load");
  return frame;
}

/** A page that the navigation does not lead to. */
async function go(frame: Frame, path: string): Promise<void> {
  await frame.goto(frame.url().replace(/^(.*\/c\/[\w-]+)\/.*/, `$1${path}`));
}

async function tell(eventType: string, ago: number, more: Record<string, string> = {}): Promise<void> {
  const answer = await fetch(new URL("/webhooks/production", world.toolUrl), {
    method: "POST",
    headers: { authorization: `Bearer ${world.variables["CLASSROOM_WEBHOOK_SECRET"] ?? ""}` },
    body: JSON.stringify({
      _type: "SPACE_USER",
      spaceId,
      sessionId: "session-1",
      timestamp: new Date(Date.now() - ago).toISOString(),
      eventType,
      userId,
      roomId: "room",
      userTabId: "tab",
      ...more,
    }),
  });
  expect(answer.status).toBe(202);
}

test("who is in the Space now stands on the home page and on one of its own", async () => {
  const frame = await open("teacher1");
  await go(frame, "/here");
  await frame.getByText("Nobody, as far as the classroom").waitFor();
  await tell("joinSpace", 20 * minute);
  await tell("joinSpace", 5 * minute, { userId: "somebody-else", userTabId: "other" });
  await vi.waitFor(async () => {
    await press(frame, "Home");
    expect(await frame.getByText("2 people are in now:").count()).toBe(1);
  }, patience);
  await press(frame, "See who is in");
  await frame.getByText("And 1 person who isn’t known in this course.").waitFor();
  expect(await findingsOnEveryScreen(frame), "named").toEqual([]);
}, 120_000);

test("what was reported stands beside the attendance, and on the learner's own page", async () => {
  const now = Date.now();
  const lesson = (title: string, ago: number) =>
    world.classroom.createEvent({ spaceId, title, startsAt: now - ago, endsAt: now - ago + 60 * minute });
  lesson("Cells", 130 * minute);
  await tell("joinSpace", 128 * minute, { sessionId: "session-0" });
  await tell("hideTab", 100 * minute, { sessionId: "session-0" });
  await tell("unhideTab", 95 * minute, { sessionId: "session-0" });
  await tell("leaveSpace", 72 * minute, { sessionId: "session-0" });
  world.classroom.endSession({ spaceId });
  const startsAt = now + 60 * minute;
  const [, second] = world.classroom.createSeries({ spaceId, title: "Seminar", startsAt, weeks: 4 });
  world.classroom.updateEvent({
    eventId: second?.eventId ?? "",
    startsAt: startsAt + 60 * minute,
    scope: "FUTURE",
  });
  const frame = await open("teacher1");
  await vi.waitFor(async () => {
    await press(frame, "Sessions");
    expect(await frame.getByText("this and following sessions were changed").count()).toBe(1);
  }, patience);
  await go(frame, "/register");
  await press(frame, "Cells");
  await frame.getByText(/5 of them in another tab/).waitFor();
  expect(await findingsOnEveryScreen(frame), "register").toEqual([]);
  const mine = await open("student1");
  await press(mine, "My attendance");
  await mine.getByText(/5 of them in another tab/).waitFor();
}, 120_000);
