import { beforeAll, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { walkIn } from "../support/tool/start-world.ts";
import { worldInBrowser } from "../support/browser/open-in-frame.ts";

const link = "1";

const { world, open } = await worldInBrowser();
beforeAll(async () => {
  const userId = await walkIn(world, "student7", link);
  const spaceId = world.classroom.spaces().find(({ name }) => name.includes("BIO101"))?.spaceId ?? "";
  const endsAt = Date.now() - 3_600_000;
  const times = { startsAt: endsAt - 3_600_000, endsAt };
  const lesson = world.classroom.createEvent({ spaceId, title: "Lesson", ...times });
  const trip = world.classroom.createEvent({ title: "Field trip", ...times });
  const stranger = await guest();
  world.classroom.markAttendance({ eventId: lesson.eventId, userId: stranger, status: "PRESENT" });
  world.classroom.markAttendance({ eventId: trip.eventId, userId, status: "PRESENT" });
  await world.classroom.webhooksSettled();
  await vi.waitFor(async () => {
    const page = await openCourseLink(createVisitor(), world.lms, "teacher1", link, { framed: true });
    expect(page.text).toContain("2 attendees or sessions aren’t matched.");
  }, 40_000);
});

/** A user of the classroom who came by another way than the link in the course. */
async function guest(): Promise<string> {
  const answer = await fetch(`${world.classroom.apiUrl}/users/createAPIUser`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${world.variables["CLASSROOM_API_KEY"] ?? ""}`,
    },
    body: JSON.stringify({ name: "Somebody", role: "participant" }),
  });
  const made: unknown = await answer.json();
  if (typeof made === "object" && made !== null && "userId" in made) return String(made.userId);
  throw new Error(`the classroom made no user: ${JSON.stringify(made)}`);
}

test("an instructor matches people and sessions by keyboard, on a page that is well made on every screen", async () => {
  const { frame } = await open("teacher1");
  await frame.getByRole("link", { name: "Match", exact: true }).press("Enter");
  await frame.getByRole("heading", { name: /attendees? (?:isn’t|aren’t) matched$/, level: 1 }).waitFor();
  expect(await findingsOnEveryScreen(frame)).toEqual([]);

  const who = frame.getByRole("combobox", { name: /^Who is user/ });
  const first = await who.locator("option").nth(1).textContent();
  await who.selectOption({ index: 1 });
  await frame.getByRole("button", { name: /^Match user/ }).press("Enter");
  const confirm = frame.getByRole("button", { name: /^Yes, it is/ });
  const saved = frame.getByText(`is ${first ?? ""}.`);
  /** What has been done, which gets the focus once the page is there. */
  const told = frame.locator(".note:focus");
  await confirm.or(saved).first().waitFor();
  if (await confirm.isVisible()) {
    expect(await findingsOnEveryScreen(frame)).toEqual([]);
    await confirm.press("Enter");
  }
  await saved.first().waitFor();
  await told.waitFor();
  await frame.getByRole("button", { name: /^Add to this course: Field trip/ }).press("Enter");
  await frame.getByText("Added: the session belongs to this course.").waitFor();
  expect(await findingsOnEveryScreen(frame)).toEqual([]);
  await frame.getByRole("button", { name: /^Undo: Field trip/ }).press("Enter");
  await told.filter({ hasText: "Undone: the session no longer belongs to this course." }).waitFor();
  await frame.getByRole("button", { name: /^Undo: .* is user/ }).press("Enter");
  await told.filter({ hasText: /^\s*Undone: .* is no longer user/ }).waitFor();
  await frame.getByRole("button", { name: /^Dismiss: Field trip/ }).press("Enter");
  await frame.getByText("Dismissed. It’s at the end of this page.").waitFor();
  await told.waitFor();
  await frame.getByRole("button", { name: /^Dismiss user/ }).press("Enter");
  await frame.getByText("Everything is matched.").waitFor();
  expect(await findingsOnEveryScreen(frame)).toEqual([]);
});
