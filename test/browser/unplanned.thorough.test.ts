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
const hour = 60 * minute;

const profiles = watchProfiles();

const world = await forAllTests(startWorld({ learners: 4 }));
const browser = await forAllTests(startBrowser());
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

/** Somebody opens the course link in a frame as wide as the screen. */
async function open(person: string): Promise<Frame> {
  const { frame } = await openInFrame(browser, world, { username: person, linkId: biology.link, profiles });
  await frame.waitForLoadState("load");
  return frame;
}

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
