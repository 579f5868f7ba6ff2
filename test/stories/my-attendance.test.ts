import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const hour = 3_600_000;

const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  for (const [sub, name] of [
    ["ann", "Ann Adams"],
    ["ben", "Ben Bell"],
  ] as const) {
    const claims = claimsOf({ sub, name, roles: [learnerRole] });
    const page = await world.launch({ claims, framed: false });
    if (page.status !== 303) throw new Error(`${sub} did not get in: ${page.text}`);
  }
}, 60_000);

type Page = Seen & { visitor: Visitor };

const opens = (sub: string): Promise<Page> =>
  world.launch({ claims: claimsOf({ sub, roles: [learnerRole] }) });
const goes = async (page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> => ({
  ...(await page.visitor.submit(page, { action, fields, framed: true })),
  visitor: page.visitor,
});

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
});
