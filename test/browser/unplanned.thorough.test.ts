import type { Frame } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { press, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };
const history = "2";
const minute = 60_000;
const hour = 60 * minute;

const { world, open: openLink } = await worldInBrowser(startWorld({ learners: 4 }));
beforeAll(async () => {
  const host = await walkIn(world, "teacher1", biology.link);
  const people: string[] = [];
  for (const name of ["student1", "student2", "student3"])
    people.push(await walkIn(world, name, biology.link));
  const spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  const [first = "", second = "", third = ""] = people;
  const from = Date.now() - 3 * hour;
  const to = from + 56 * minute;
  world.classroom.tellEarlier({
    spaceId,
    stays: [
      { userId: host, from, to },
      { userId: first, from, to },
      { userId: second, from: from + minute, to: from + 30 * minute },
      { userId: second, from: from + 33 * minute, to },
      { userId: third, from: from + 15 * minute, to: null },
    ],
  });
});

const open = async (person: string, link = biology.link): Promise<Frame> =>
  (await openLink(person, link)).frame;

test("an instructor is asked on the home page, answers with one click, and finds the register with its evidence", async () => {
  const frame = await open("teacher1");
  await vi.waitFor(async () => {
    await press(frame, "Home");
    expect(await frame.getByText("3 learners: was this a class?").count()).toBe(1);
  }, patience);
  await press(frame, "Sessions");
  await frame.getByText("People met in your classroom").waitFor();
  expect(await findingsOnEveryScreen(frame), "sessions").toEqual([]);
  await press(frame, "Was this a class?");
  await frame.getByText("2 present, 1 late, 1 absent").waitFor();
  expect(await findingsOnEveryScreen(frame), "question").toEqual([]);
  await press(frame, "Make it a session");
  await frame.getByText("It’s a session now.").waitFor();
  await press(frame, "Open register");
  await frame.getByText("Time in the classroom: 52 of 56 min").waitFor();
  await frame.getByText("Not in the classroom").waitFor();
  expect(await frame.getByText("Read again from the classroom").count()).toBe(0);
  const mine = await open("student2");
  await press(mine, "My attendance");
  await mine.getByText("Time in the classroom: 52 of 56 min").waitFor();
}, 180_000);

test("what becomes of the next ones is said on the same page, by keyboard alone", async () => {
  const frame = await open("teacher1");
  await press(frame, "Sessions");
  await press(frame, "Unplanned classes");
  const answers = frame.getByLabel("When people meet without a planned session");
  await answers.focus();
  await answers.selectOption("always");
  await frame.getByRole("button", { name: "Save" }).focus();
  await frame.page().keyboard.press("Enter");
  await frame.getByText("Saved.").waitFor();
  expect(await answers.inputValue()).toBe("always");
}, 60_000);

let visited: string;
let visitor: string;

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
      spaceId: visited,
      sessionId: "session-1",
      timestamp: new Date(Date.now() - ago).toISOString(),
      eventType,
      userId: visitor,
      roomId: "room",
      userTabId: "tab",
      ...more,
    }),
  });
  expect(answer.status).toBe(202);
}

describe("In another course's Space", () => {
  beforeAll(async () => {
    visitor = await walkIn(world, "student1", history);
    visited = world.classroom.spaces().find(({ name }) => name.startsWith("HIS205"))?.spaceId ?? "";
  });

  test("the home page and a separate page show who is in the Space now", async () => {
    const frame = await open("teacher2", history);
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
      world.classroom.createEvent({
        spaceId: visited,
        title,
        startsAt: now - ago,
        endsAt: now - ago + 60 * minute,
      });
    lesson("Cells", 130 * minute);
    await tell("joinSpace", 128 * minute, { sessionId: "session-0" });
    await tell("hideTab", 100 * minute, { sessionId: "session-0" });
    await tell("unhideTab", 95 * minute, { sessionId: "session-0" });
    await tell("leaveSpace", 72 * minute, { sessionId: "session-0" });
    world.classroom.endSession({ spaceId: visited });
    const startsAt = now + 60 * minute;
    const [, second] = world.classroom.createSeries({
      spaceId: visited,
      title: "Seminar",
      startsAt,
      weeks: 4,
    });
    world.classroom.updateEvent({
      eventId: second?.eventId ?? "",
      startsAt: startsAt + 60 * minute,
      scope: "FUTURE",
    });
    const frame = await open("teacher2", history);
    await vi.waitFor(async () => {
      await press(frame, "Sessions");
      expect(await frame.getByText("this and following sessions were changed").count()).toBe(1);
    }, patience);
    await vi.waitFor(async () => {
      await go(frame, "/register");
      expect(await frame.getByRole("link", { name: "Cells" }).count()).toBe(1);
    }, patience);
    await press(frame, "Cells");
    await frame.getByText(/5 of them in another tab/).waitFor();
    expect(await findingsOnEveryScreen(frame), "register").toEqual([]);
    const mine = await open("student1", history);
    await press(mine, "My attendance");
    await mine.getByText(/5 of them in another tab/).waitFor();
  }, 120_000);
});
