import { beforeAll, expect, test, vi } from "vitest";
import type { MailServer } from "../../sandbox/mail-server.ts";
import { mailboxPage } from "../../sandbox/mailbox-page.ts";
import { findingsOnEveryScreen, openProfile } from "../support/browser/browser.ts";
import { patience } from "../support/patience.ts";
import { logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { press, worldInBrowser } from "../support/browser/open-in-frame.ts";

const biology = { course: "2", link: "1" };
const minute = 60_000;

let mailbox: MailServer;

const { world, browser, profiles, open } = await worldInBrowser(
  startWorld({ learners: 1, mail: true, variables: { ADMIN_PASSWORD: rightPassword } }),
);
beforeAll(async () => {
  if (world.mailbox === null) throw new Error("the world sends no mail");
  mailbox = world.mailbox;
  for (const name of ["teacher1", "student1"]) await walkIn(world, name, biology.link);
});

test("an instructor switches reminders on, a learner reads one and stops them, and an operator sees how it went", async () => {
  const { frame } = await open("teacher1");
  await frame.waitForLoadState("load");
  await press(frame, "Settings");
  await press(frame, "E-mails");
  expect(await findingsOnEveryScreen(frame), "settings").toEqual([]);
  const when = frame.getByLabel("When");
  await when.focus();
  await when.selectOption({ label: "1 hour before" });
  await frame.getByRole("region", { name: "Reminders before sessions" }).getByRole("button").focus();
  await frame.page().keyboard.press("Enter");
  await frame.getByText("Saved").first().waitFor();
  expect(await when.inputValue()).toBe("60");
  await frame.getByText("See the warning").click();
  await frame.getByText("you attended 3 of 6 sessions, which is 50%.").waitFor();
  await frame.getByLabel("Warning to learners").selectOption({ label: "Below 80% (0 learners now)" });
  await frame.getByRole("region", { name: "Every Monday" }).getByRole("button").click();
  await frame.getByText("That’s below 80%.").waitFor({ state: "attached" });
  expect(await frame.getByLabel("Warning to learners").inputValue()).toBe("80");

  const spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  const startsAt = Math.ceil((Date.now() + 40 * minute) / minute) * minute;
  world.classroom.createEvent({ spaceId, title: "Cells", startsAt, endsAt: startsAt + 60 * minute });
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
  await page.getByRole("button", { name: "Send them again" }).click();
  await page.getByText("You get an e-mail before each session").waitFor();
  expect(mailboxPage(mailbox.mails()).markup).toContain("Cells: ");

  const { frame: own } = await open("student1");
  await own.waitForLoadState("load");
  await press(own, "Your e-mails");
  expect(await findingsOnEveryScreen(own), "own e-mails").toEqual([]);
  await press(own, "Stop these e-mails");
  await own.getByText("You get no more e-mails before sessions.").waitFor();
  await press(own, "Send them again");
  await own.getByText("You get an e-mail before each session").waitFor();
}, 180_000);
