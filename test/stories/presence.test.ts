import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/pages.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { addressesOf } from "../support/tool/tool-cluster.ts";

const biology = { course: "2", link: "1" };
const hour = 3_600_000;

let spaceId: string;
let userId: string;
let teacher: string;
let learner: string;
let eventId: string;

const world = await forAllTests(startWorld({ learners: 2 }));
beforeAll(async () => {
  userId = await walkIn(world, "student1", biology.link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await arrive("teacher1");
  learner = await arrive("student1");
  const now = Date.now();
  ({ eventId } = world.classroom.createEvent({
    spaceId,
    title: "Cells",
    startsAt: now - hour / 2,
    endsAt: now + hour / 2,
  }));
}, 90_000);

const arrive = (person: string) => arriveIn(world, person, biology.link);

const post = (session: string, path: string, fields: Record<string, string> = {}) =>
  postIn(world, session, path, fields);

/** The page as soon as it contains the text. */
function shows(session: string, path: string, text: string | RegExp, fields: Record<string, string> = {}) {
  return vi.waitFor(async () => {
    const seen = await post(session, path, fields);
    expect(seen.text).toMatch(text);
    return seen.text;
  }, patience);
}

/** The metrics of all instances. */
async function metrics(): Promise<string> {
  const urls = addressesOf(world.tool(), world.toolUrl);
  const texts = await Promise.all(urls.map(async (url) => (await fetch(new URL("/metrics", url))).text()));
  return texts.join("\n");
}

describe("people in the Space", () => {
  test("are counted on the home page, and named on the page it links to, while they are there", async () => {
    expect((await post(teacher, "/course/home")).text).not.toContain("is in now");
    expect((await post(teacher, "/course/here")).text).toContain("Nobody, as far as the classroom");
    world.classroom.enterSpace({ spaceId, userId });
    const name = world.classroom.users().find((one) => one.userId === userId)?.name;
    const home = await shows(teacher, "/course/home", "1 person is in now");
    expect(/<div class="row" id="here-now">[\s\S]*?<\/div>/.exec(home)?.[0]).toContain(name);
    const here = await shows(teacher, "/course/here", "1 person is in now");
    expect(here).toContain(name);
    expect(here).toContain("doesn’t affect grades");
    expect((await post(learner, "/course/here")).status).toBe(403);
  });

  test("are shown beside their attendance, to instructors and to themselves", async () => {
    world.classroom.hideTab({ spaceId, userId });
    world.classroom.changeRoom({ spaceId, userId, roomId: "breakout" });
    await shows(teacher, "/course/register", /In the classroom since \d\d:\d\d/, { event: eventId });
    world.classroom.leaveSpace({ spaceId, userId });
    // Between the two webhooks of a change of rooms they are out for a moment, so each page is loaded again.
    const register = await shows(teacher, "/course/register", /In the classroom \d\d:\d\d–\d\d:\d\d/, {
      event: eventId,
    });
    expect(register).toContain("Time in the classroom is for information only and doesn’t affect grades.");
    const row = register.split("<li").find((one) => /In the classroom \d\d/.test(one));
    const person = /name="?person"?\s+value="([^"]+)"/.exec(row ?? "")?.[1] ?? "";
    for (const page of ["/course/learner", "/course/grid/cell"])
      await shows(teacher, page, /In the classroom \d\d:\d\d/, { person, event: eventId });
    const mine = await shows(learner, "/course/my-sessions", /In the classroom \d\d:\d\d–\d\d:\d\d/);
    expect(mine).toContain("The classroom reports when you were in it.");
    await shows(teacher, "/course/here", "Nobody, as far as the classroom");
  });
});

describe("the metrics", () => {
  test("count webhooks by kind, and show while the previous secret is still used", async () => {
    await vi.waitFor(async () => {
      const joined = /spaces_lti_webhook_kinds_total\{family="SPACE_USER",event_type="joinSpace"\} (\d+)/g;
      const counts = [...(await metrics()).matchAll(joined)].map(([, count]) => Number(count));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(2);
    }, patience);
    expect(await metrics()).not.toMatch(/previous_secret_total\{environment="production"\} [1-9]/);
  });
});
