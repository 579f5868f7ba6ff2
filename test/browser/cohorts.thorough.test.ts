import type { Frame } from "playwright-core";
import { expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { at, goToArea, worldInBrowser } from "../support/browser/open-in-frame.ts";

const history = { link: "2" };
const programId = "history-2026";

const { world, open } = await worldInBrowser(startWorld({ learners: 12, manners: "canvas" }));

/** The instructor opens the page of sections in a frame as wide as the screen. */
async function openSections(): Promise<Frame> {
  const { frame } = await open("teacher2", history.link);
  await goToArea(frame, "People");
  await frame.waitForURL(at("/people"));
  await toSections(frame);
  return frame;
}

async function toSections(frame: Frame): Promise<void> {
  const back = frame.locator(".head").getByRole("link", { name: "People", exact: true });
  if ((await back.count()) > 0) {
    await back.click();
    await frame.waitForURL(at("/people"));
  }
  await frame.getByRole("link", { name: "Sections", exact: true }).click();
  await frame.waitForURL(at("/people/sections"));
}

/** The page once it contains the text; it is reloaded until then. */
async function until(frame: Frame, says: RegExp): Promise<void> {
  await vi.waitFor(async () => {
    await toSections(frame);
    expect(await frame.locator("main").innerText()).toMatch(says);
  }, patience);
}

test("an instructor links a section, compares people, and sees that the cohort was deleted", async () => {
  const userId = await walkIn(world, "student1", history.link);
  const frame = await openSections();
  await until(frame, /No classroom groups yet/);
  await frame.getByLabel("More about Morning").click();
  await frame.getByRole("button", { name: "Choose a classroom group for Morning" }).click();
  await frame.getByRole("button", { name: "Find it" }).click();
  await frame.getByText("Fill in both ids.").waitFor();
  expect(await findingsOnEveryScreen(frame), "nothing to choose, and an error").toEqual([]);
  await frame.getByRole("link", { name: "Sections" }).click();
  await frame.waitForURL(at("/people/sections"));

  const attendeeIds = [userId, "user-of-the-registrar"];
  const { cohortId } = world.classroom.createCohort({ programId, name: "HIS205 Morning", attendeeIds });
  world.classroom.createCohort({ programId, name: "HIS205 Evening" });
  world.classroom.createCohort({ programId, name: "Staff of the department of history and archaeology" });
  await until(frame, /Link to HIS205 Evening[\s\S]*Link to HIS205 Morning/);
  await frame.getByRole("button", { name: /^Link to HIS205 Morning .*: Morning$/ }).click();
  await frame.getByText("Morning is linked to HIS205 Morning.").waitFor();
  await vi.waitFor(async () => {
    await toSections(frame);
    expect(await frame.locator("main").innerText()).not.toMatch(/can’t be compared/);
  }, patience);
  expect(await findingsOnEveryScreen(frame), "linked and suggested").toEqual([]);

  await frame.getByLabel("More about Evening").click();
  await frame.getByRole("button", { name: "Choose a classroom group for Evening" }).click();
  await frame.getByRole("textbox", { name: "Name of the classroom group" }).fill("staff");
  await frame.getByRole("textbox", { name: "Name of the classroom group" }).press("Enter");
  await expect.poll(() => frame.getByRole("row").count(), { message: "the head and one cohort" }).toBe(2);
  await frame.getByRole("row", { name: /^Staff/ }).waitFor();
  await frame.getByRole("link", { name: "Sections" }).click();
  await frame.waitForURL(at("/people/sections"));

  await frame.getByRole("button", { name: /^Compare: Morning/ }).click();
  await frame.waitForURL(at("/cohorts/difference"));
  expect(await frame.locator("main").innerText()).toMatch(/1 person in both/);
  expect(await frame.getByRole("row", { name: /user-of-the-registrar/ }).count()).toBe(1);
  expect(await findingsOnEveryScreen(frame), "the difference").toEqual([]);

  world.classroom.deleteCohort({ cohortId });
  await frame.getByRole("link", { name: "Sections" }).click();
  await frame.waitForURL(at("/people/sections"));
  await until(frame, /This classroom group was deleted/);
  await frame.getByLabel("More about Morning").click();
  await frame.getByRole("button", { name: /^Unlink Morning/ }).click();
  await frame.getByText("Morning is unlinked.").waitFor();
  await frame.getByRole("link", { name: "Earlier links" }).click();
  await frame.getByRole("row", { name: /Morning.*deleted in the classroom/ }).waitFor();
  expect(await findingsOnEveryScreen(frame), "the history").toEqual([]);
});
