import jsqr from "jsqr";
import type { Frame } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { mailboxPage } from "../../sandbox/mailbox-page.ts";
import { patience, patienceOfPages } from "../support/patience.ts";
import { findingsOnEveryScreen, openProfile } from "../support/browser/browser.ts";
import { logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { press, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };
const history = "2";
const minute = 60_000;
const hour = 60 * minute;

const {
  world,
  browser,
  profiles,
  open: openLink,
} = await worldInBrowser(
  startWorld({ learners: 4, mail: true, variables: { ADMIN_PASSWORD: rightPassword } }),
);
let spaceId: string;
beforeAll(async () => {
  await walkIn(world, "teacher1", biology.link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
});

/** A person opens a course link in a frame as wide as the screen. */
async function open(person: string, link = biology.link): Promise<Frame> {
  const { frame } = await openLink(person, link);
  await frame.waitForLoadState("load");
  return frame;
}

/** The screen in the room, once check-in has started. */
async function openScreen(): Promise<Frame> {
  const screen = await open("teacher1");
  await press(screen, "Show check-in code");
  await screen.locator("#code-now").waitFor();
  return screen;
}

const shownCode = (frame: Frame) => frame.locator("#code-now span").first().innerText();

const cameraSize = 400;

/** A script for a page that returns a letter for each pixel of a picture: dark or light. */
const pointsOf = (picture: Buffer) => `(async () => {
  const image = new Image();
  image.src = "data:image/png;base64,${picture.toString("base64")}";
  await image.decode();
  const drawing = new OffscreenCanvas(${cameraSize}, ${cameraSize}).getContext("2d");
  drawing.drawImage(image, 0, 0, ${cameraSize}, ${cameraSize});
  const { data } = drawing.getImageData(0, 0, ${cameraSize}, ${cameraSize});
  return data.reduce((seen, value, at) => (at % 4 === 0 ? seen + (value < 128 ? "x" : " ") : seen), "");
})()`;

/** What a camera in front of the screen reads. */
async function seenByCamera(frame: Frame): Promise<string | null> {
  const picture = await frame.locator("#code-qr svg").screenshot();
  const page = await browser.newPage();
  const points = z.string().parse(await page.evaluate(pointsOf(picture)));
  await page.close();
  const pixels = Uint8ClampedArray.from(
    Array.from(points).flatMap((point) => (point === "x" ? [0, 0, 0, 255] : [255, 255, 255, 255])),
  );
  return jsqr.default(pixels, cameraSize, cameraSize)?.data ?? null;
}

describe("check-in by code", () => {
  beforeAll(() => {
    const startsAt = Date.now() - minute;
    world.classroom.createEvent({ spaceId, title: "Leaves", startsAt, endsAt: startsAt + hour });
  });

  test("is turned on by an instructor, and started from the home page", async () => {
    const screen = await open("teacher1");
    await press(screen, "Settings");
    const card = screen.getByRole("region", { name: "Check-in by code" });
    expect(await card.innerText(), "off by default").toContain("Off");
    await card.getByRole("button", { name: "Turn on" }).click();
    await card.getByRole("button", { name: "Turn off" }).waitFor();
    await vi.waitFor(async () => {
      await press(screen, "Home");
      expect(await screen.getByRole("link", { name: "Show check-in code" }).count()).toBe(1);
    }, patienceOfPages);
    await press(screen, "Show check-in code");
    await press(screen, "Start check-in");
    await screen.getByText("0 of 4 checked in").waitFor();
    expect(await findingsOnEveryScreen(screen), "screen").toEqual([]);
  });

  test("has a code that a camera can read, in light and dark", async () => {
    const screen = await openScreen();
    const address = `${world.toolUrl}/check-in/`;
    await screen.page().emulateMedia({ colorScheme: "dark" });
    expect(await seenByCamera(screen)).toMatch(address);
    await screen.page().emulateMedia({ colorScheme: "light" });
    const scanned = await seenByCamera(screen);
    expect(scanned).toMatch(address);
    const code = new URL(scanned ?? "").searchParams.get("code");
    const phone = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await phone.goto(scanned ?? "");
    await phone.getByText("Open the course in your LMS first.").waitFor();
    expect((await phone.locator(".code").innerText()).replace(" ", "")).toBe(code);
    expect(await findingsOnEveryScreen(phone), "scanned").toEqual([]);
    await phone.close();
  });

  test("accepts a code typed on a learner's home page by keyboard alone; nothing opens before, and the screen counts", async () => {
    const screen = await openScreen();
    const mine = await open("student1");
    await mine.getByText("Are you in the room?").waitFor();
    expect(mine.page().context().pages(), "the classroom waits for a press").toHaveLength(1);
    const field = mine.getByLabel("Code from the screen");
    await field.fill("222222");
    await mine.page().keyboard.press("Enter");
    await mine.getByText("This code isn’t valid here now.").waitFor();
    expect(await findingsOnEveryScreen(mine), "wrong").toEqual([]);
    await field.fill(await shownCode(screen));
    await mine.page().keyboard.press("Enter");
    await mine.getByText(/You checked in at \d\d:\d\d\./).waitFor();
    await screen.getByText("1 of 4 checked in").waitFor();
  });

  test("has a screen that shows new codes without a press", async () => {
    const screen = await openScreen();
    const before = await shownCode(screen);
    await vi.waitFor(async () => {
      expect(await shownCode(screen)).not.toBe(before);
    }, 60_000);
    const mine = await open("student2");
    await mine.getByLabel("Code from the screen").fill(await shownCode(screen));
    await press(mine, "Check in");
    await mine.getByText(/You checked in at/).waitFor();
  }, 120_000);

  test("is in the register beside the mark", async () => {
    const screen = await openScreen();
    await press(screen, "Open register");
    const marked = screen.getByText(/Checked in by code at/);
    await marked.first().waitFor();
    expect(await marked.count()).toBe(2);
  });
});

describe("a class that nobody planned", () => {
  beforeAll(async () => {
    const [host, first, second, third] = await Promise.all(
      ["teacher1", "student1", "student2", "student3"].map((name) => walkIn(world, name, biology.link)),
    );
    const from = Date.now() - 3 * hour;
    const to = from + 56 * minute;
    const stay = (userId = "", begins = from, ends: number | null = to) => ({
      userId,
      from: begins,
      to: ends,
    });
    world.classroom.tellEarlier({
      spaceId,
      stays: [
        stay(host),
        stay(first),
        stay(second, from + minute, from + 30 * minute),
        stay(second, from + 33 * minute),
        stay(third, from + 15 * minute, null),
      ],
    });
  });

  test("an instructor is asked on the home page, answers with one click, and finds the register with its evidence", async () => {
    const frame = await open("teacher1");
    await vi.waitFor(async () => {
      await press(frame, "Home");
      expect(await frame.getByText("3 learners met on").count()).toBe(1);
    }, patienceOfPages);
    await press(frame, "Sessions");
    await frame.getByText("People met in your classroom").waitFor();
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

  test("the rule for the next ones is chosen on its own page, by keyboard alone", async () => {
    const frame = await open("teacher1");
    await press(frame, "Sessions");
    await press(frame, "Unplanned classes");
    const answers = frame.getByLabel("When people meet without a session");
    await answers.focus();
    await answers.selectOption("always");
    await frame.getByRole("button", { name: "Save" }).focus();
    await frame.page().keyboard.press("Enter");
    await frame.getByText("Saved.").waitFor();
    expect(await answers.inputValue()).toBe("always");
  }, 60_000);
});

let visited: string;
let visitor: string;

/** A page that is not in the navigation. */
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

describe("Presence in a Space", () => {
  beforeAll(async () => {
    visitor = await walkIn(world, "student1", history);
    visited = world.classroom.spaces().find(({ name }) => name.startsWith("HIS205"))?.spaceId ?? "";
  });

  test("is on the home page and on a separate page", async () => {
    const frame = await open("teacher2", history);
    await go(frame, "/here");
    await frame.getByText("Nobody, as far as the classroom").waitFor();
    await tell("joinSpace", 20 * minute);
    await tell("joinSpace", 5 * minute, { userId: "somebody-else", userTabId: "other" });
    await vi.waitFor(async () => {
      await press(frame, "Home");
      expect(await frame.getByText("2 people are in now:").count()).toBe(1);
    }, patienceOfPages);
    await press(frame, "See who is in");
    await frame.getByText("And 1 person who isn’t known in this course.").waitFor();
    expect(await findingsOnEveryScreen(frame), "named").toEqual([]);
  }, 120_000);

  test("is beside the attendance, and on the learner's own page, once reported", async () => {
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
    }, patienceOfPages);
    await vi.waitFor(async () => {
      await go(frame, "/register");
      expect(await frame.getByRole("link", { name: "Cells" }).count()).toBe(1);
    }, patienceOfPages);
    await press(frame, "Cells");
    await frame.getByText(/5 of them in another tab/).waitFor();
    const mine = await open("student1", history);
    await press(mine, "My attendance");
    await mine.getByText(/5 of them in another tab/).waitFor();
  }, 120_000);
});

test("an instructor turns on reminders, a learner reads one and stops them, and an operator sees the result", async () => {
  const { mailbox } = world;
  if (mailbox === null) throw new Error("the world sends no mail");
  const frame = await open("teacher1");
  await press(frame, "Settings");
  await press(frame, "E-mails");
  expect(await findingsOnEveryScreen(frame), "settings").toEqual([]);
  const when = frame.getByLabel("When");
  await when.focus();
  await when.selectOption({ label: "1 hour before" });
  await frame.getByRole("button", { name: "Save" }).focus();
  await frame.page().keyboard.press("Enter");
  await frame.getByText("Saved").first().waitFor();
  expect(await when.inputValue()).toBe("60");
  await frame.getByText("See the warning").click();
  await frame.getByText("you attended 3 of 6 sessions, which is 50%.").waitFor();
  await frame.getByLabel("Warning to learners").selectOption({ label: "Below 80% (0 learners now)" });
  await frame.getByRole("button", { name: "Save" }).click();
  await frame.getByText("That’s below 80%.").waitFor({ state: "attached" });
  expect(await frame.getByLabel("Warning to learners").inputValue()).toBe("80");

  const startsAt = Math.ceil((Date.now() + 40 * minute) / minute) * minute;
  world.classroom.createEvent({ spaceId, title: "Roots", startsAt, endsAt: startsAt + 60 * minute });
  await vi.waitFor(async () => {
    const { cookie, form } = await logIn(world.toolUrl);
    await send(`${world.toolUrl}/admin/jobs/send-reminders/run`, { form }, cookie);
    expect(mailbox.mails().map(({ to }) => to)).toContain("student1@example.test");
  }, patience);

  const { cookie } = await logIn(world.toolUrl);
  const context = await openProfile(browser, world.toolUrl, cookie);
  profiles.watch(context, world.toolUrl);
  const page = await context.newPage();
  await page.goto(`${world.toolUrl}/admin/mails`);
  await page.getByText("Reminder").first().waitFor();
  expect(await findingsOnEveryScreen(page), "log").toEqual([]);

  const mail = mailbox.mails().find(({ to }) => to === "student1@example.test");
  await page.setContent(mail?.html ?? "");
  expect(await page.getByRole("link", { name: "Open the course" }).count()).toBe(1);
  await page.getByRole("link", { name: "Stop these e-mails" }).click();
  await page.getByText("You get an e-mail before each session").waitFor();
  expect(await findingsOnEveryScreen(page), "stop").toEqual([]);
  await page.getByRole("button", { name: "Stop these e-mails" }).click();
  await page.getByText("You get no more e-mails before sessions.").waitFor();
  await page.getByRole("button", { name: "Turn back on" }).click();
  await page.getByText("You get an e-mail before each session").waitFor();
  expect(mailboxPage(mailbox.mails()).markup).toContain("Roots: ");

  const own = await open("student1");
  await press(own, "Your e-mails");
  expect(await findingsOnEveryScreen(own), "own e-mails").toEqual([]);
  await press(own, "Stop these e-mails");
  await own.getByText("You get no more e-mails before sessions.").waitFor();
  await press(own, "Turn back on");
  await own.getByText("You get an e-mail before each session").waitFor();
}, 180_000);
