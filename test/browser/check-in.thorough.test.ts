import jsqr from "jsqr";
import type { Frame } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { patience } from "../support/patience.ts";
import { findingsOnEveryScreen } from "../support/browser/browser.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { openInFrame, press, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };

const { world, browser, profiles } = await worldInBrowser(startWorld({ learners: 4 }));
beforeAll(async () => {
  await walkIn(world, "teacher1", biology.link);
  const spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  const startsAt = Date.now() - 60_000;
  world.classroom.createEvent({ spaceId, title: "Cells", startsAt, endsAt: startsAt + 3_600_000 });
});

/** Somebody opens the course link in a frame as wide as the screen. */
async function open(person: string, scripts = true): Promise<Frame> {
  const { frame } = await openInFrame(browser, world, {
    ...{ username: person, linkId: biology.link, profiles },
    screen: { width: 600, scripts },
  });
  await frame.waitForLoadState("load");
  return frame;
}

/** The screen in the room, once it was started. */
async function openScreen(): Promise<Frame> {
  const screen = await open("teacher1");
  await press(screen, "Show check-in code");
  await screen.locator("#code-now").waitFor();
  return screen;
}

const shownCode = (frame: Frame) => frame.locator("#code-now .code span").first().innerText();

const cameraSize = 400;

/** A program for a page, which says a letter for each point of a picture: dark or light. */
const pointsOf = (picture: Buffer) => `(async () => {
  const image = new Image();
  image.src = "data:image/png;base64,${picture.toString("base64")}";
  await image.decode();
  const drawing = new OffscreenCanvas(${cameraSize}, ${cameraSize}).getContext("2d");
  drawing.drawImage(image, 0, 0, ${cameraSize}, ${cameraSize});
  const { data } = drawing.getImageData(0, 0, ${cameraSize}, ${cameraSize});
  return data.reduce((seen, value, at) => (at % 4 === 0 ? seen + (value < 128 ? "x" : " ") : seen), "");
})()`;

/** What a camera reads in front of the screen. */
async function seenByCamera(frame: Frame): Promise<string | null> {
  const picture = await frame.locator("#code-now svg").screenshot();
  const page = await browser.newPage();
  const points = z.string().parse(await page.evaluate(pointsOf(picture)));
  await page.close();
  const pixels = Uint8ClampedArray.from(
    Array.from(points).flatMap((point) => (point === "x" ? [0, 0, 0, 255] : [255, 255, 255, 255])),
  );
  return jsqr.default(pixels, cameraSize, cameraSize)?.data ?? null;
}

describe("people in a room beside the screen", () => {
  test("an instructor turns it on, and starts it from the home page", async () => {
    const screen = await open("teacher1");
    await press(screen, "Settings");
    const choice = screen.getByLabel("Check-in by code");
    expect(await choice.inputValue(), "off by default").toBe("off");
    await choice.selectOption("on");
    await screen.locator("section", { has: choice }).getByRole("button", { name: "Save" }).click();
    await screen.getByText("Saved.").waitFor();
    await vi.waitFor(async () => {
      await press(screen, "Home");
      expect(await screen.getByRole("link", { name: "Show check-in code" }).count()).toBe(1);
    }, patience);
    await press(screen, "Show check-in code");
    await press(screen, "Start check-in");
    await screen.getByText("0 of 4 checked in").waitFor();
    expect(await findingsOnEveryScreen(screen), "screen").toEqual([]);
  });

  test("a camera reads the code, in the light and in the dark", async () => {
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

  test("a learner types it on their home, by keyboard alone; nothing opens before, and the screen counts", async () => {
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
    expect(await findingsOnEveryScreen(mine), "checked in").toEqual([]);
    await screen.getByText("1 of 4 checked in").waitFor();
  });

  test("the screen follows the codes without a press", async () => {
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

  test("without scripts all of it works, too", async () => {
    const plain = await open("teacher1", false);
    await plain
      .getByRole("link", { name: "Show check-in code" })
      .or(plain.getByRole("button", { name: "Show check-in code" }))
      .click();
    await plain.getByText("2 of 4 checked in").waitFor();
    const code = await shownCode(plain);
    const mine = await open("student3", false);
    await mine.getByLabel("Code from the screen").fill(code);
    await mine.getByRole("button", { name: "Check in" }).click();
    await mine.getByText(/You checked in at/).waitFor();
    await plain
      .getByRole("link", { name: "Refresh" })
      .or(plain.getByRole("button", { name: "Refresh" }))
      .click();
    await plain.getByText("3 of 4 checked in").waitFor();
  });

  test("the register shows it beside the mark", async () => {
    const screen = await openScreen();
    await press(screen, "Open register");
    await screen
      .getByText(/Checked in by code at/)
      .first()
      .waitFor();
    expect(await screen.getByText(/Checked in by code at/).count()).toBe(3);
  });
});
