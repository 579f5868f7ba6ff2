import type { Frame } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { type Framed, goToArea, pressed, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };
const hour = 3_600_000;
const day = 24 * hour;

let spaceId: string;
const { world, open } = await worldInBrowser(
  startWorld({ learners: 2, turns: { transcriptsAreAddresses: true } }),
);
beforeAll(async () => {
  await walkIn(world, "student1", biology.link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
});

/** Somebody opens the course link in a frame as wide as the screen, and from there the recordings. */
async function openRecordings(person: string): Promise<Framed> {
  const visit = await open(person);
  await goToArea(visit.frame, "Recordings");
  return visit;
}

/** Reloads the page until it contains the text. */
async function untilShown(frame: Frame, text: string | RegExp): Promise<void> {
  await vi.waitFor(async () => {
    await goToArea(frame, "Recordings");
    expect(await frame.getByText(text).count()).toBeGreaterThan(0);
  }, patience);
}

async function looksWell(frame: Frame, page: string): Promise<void> {
  await frame.waitForLoadState("load"); // its style, too
  expect(await findingsOnEveryScreen(frame), page).toEqual([]);
}

test("an instructor sees what is coming, publishes one recording and names another", async () => {
  const { page, frame } = await openRecordings("teacher1");
  await frame.getByRole("heading", { name: "No recordings yet" }).waitFor();
  await looksWell(frame, "empty");

  const now = Date.now();
  const { classroom } = world;
  const held = (title: string, startsAt: number) =>
    classroom.createEvent({ spaceId, title, startsAt, endsAt: startsAt + hour });
  const record = (startedAt: number, title: string) =>
    classroom.publishRecording({ spaceId, title, startedAt, minutes: 50 });
  held("Cells and membranes", now - 3 * day);
  held("Photosynthesis", now - 2 * day);
  held("Genes", now - hour);
  const { recordingId } = record(now - 3 * day + 60_000, "Cells");
  classroom.publishTranscript({ recordingId });
  record(now - 2 * day + 60_000, "Photosynthesis, first part");
  const gone = record(now - 2 * day + 20 * 60_000, "Photosynthesis, second part");
  classroom.removeRecording({ recordingId: gone.recordingId });
  record(now - 10 * day, "Unplanned");
  classroom.endSession({ spaceId });
  await untilShown(frame, /^Transcript$/);
  await untilShown(frame, "Unplanned");
  expect(await frame.getByText("Unplanned", { exact: true }).count()).toBe(1);
  await untilShown(frame, "Unavailable");
  await untilShown(frame, /appears here within about an hour/);

  await frame.getByRole("button", { name: "Publish Cells" }).focus();
  await page.keyboard.press("Enter");
  await frame.getByText("Published. Learners see it now.").waitFor();
  await frame.getByLabel("Title and session of Photosynthesis, first part").click();
  const row = frame.getByRole("listitem").filter({ hasText: "Photosynthesis, first part" });
  await row.getByRole("textbox", { name: "Title" }).fill("Light");
  await row.getByRole("button", { name: "Save" }).click();
  await frame.getByText("Title and session saved.").waitFor();
  await frame.getByText("Light", { exact: true }).waitFor();
  await frame.getByLabel("Title and session of Light").click();
  await looksWell(frame, "full");
  await pressed(frame, frame.getByRole("button", { name: /^Transcript of Cells/ }));
  await looksWell(frame, "transcript");
});

test("learners watch published recordings, and the page reports two decisions at a time and a classroom in trouble", async () => {
  const { frame } = await openRecordings("teacher1");
  const learner = await openRecordings("student1");
  await learner.frame.getByText("Cells", { exact: true }).waitFor();
  expect(await learner.frame.getByText("Light").count()).toBe(0);
  await looksWell(learner.frame, "learner's");
  const [tab] = await Promise.all([
    learner.context.waitForEvent("page"),
    learner.frame.getByRole("button", { name: "Watch Cells, opens in a new tab" }).click(),
  ]);
  await tab.getByText("Here the recording of this class would be shown.").waitFor();

  // Meanwhile somebody else has decided, and the classroom is in trouble.
  const other = await openRecordings("teacher1");
  await other.frame.getByLabel("More about Cells").click();
  await other.frame.getByRole("button", { name: "Hide Cells from learners" }).click();
  await other.frame.getByText("Hidden from learners.").waitFor();
  world.classroom.addFault({ operation: "readRecordings", kind: "garbage", times: 20 });
  // Pressed again and again, as a list that was read recently is not read again.
  await vi.waitFor(async () => {
    await pressed(frame, frame.getByRole("button", { name: "Refresh" }));
    await goToArea(frame, "Recordings");
    expect(await frame.getByText(/couldn’t check the classroom/).count()).toBeGreaterThan(0);
  }, patience);
  await frame.getByRole("button", { name: "Publish Cells" }).waitFor();
  await frame.getByRole("button", { name: "Publish Light" }).click();
  await frame.getByText("Published. Learners see it now.").waitFor();
  await frame.getByLabel("More about Light").click();
  await frame.getByRole("button", { name: "Hide Light from learners" }).click();
  await frame.getByText("Hidden from learners.").waitFor();
  await other.frame.getByRole("button", { name: "Publish Light" }).click();
  await other.frame.getByText(/somebody else changed this/).waitFor();
});

test("alerts are in words, and one that was seen moves to the history", async () => {
  const { frame } = await openRecordings("teacher1");
  const startsAt = Date.now() - 2 * hour;
  const event = world.classroom.createEvent({
    spaceId,
    title: "Question hour",
    startsAt,
    endsAt: startsAt + hour,
  });
  world.classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId: event.eventId });
  const alertsAt = async () => {
    await frame.goto(frame.url().replace(/^(.*\/c\/[\w-]+)\/.*/, "$1/alerts"));
    await frame.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
  };
  await vi.waitFor(async () => {
    await alertsAt();
    expect(await frame.getByText("Nobody came to this session").count()).toBe(1);
  }, patience);
  await frame.getByText("History", { exact: true }).click();
  await looksWell(frame, "alerts");
  await frame.getByRole("button", { name: /^Mark as seen: Nobody came/ }).click();
  await frame.getByText("Marked as seen.").waitFor();
  await frame.getByText("Nothing new.").waitFor();
});
