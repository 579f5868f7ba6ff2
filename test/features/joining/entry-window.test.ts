import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alwaysOpen } from "../../../src/domain/entry.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { enterClass } from "../../../src/modules/joining/enter-class.ts";
import { createBackground } from "../../../src/kernel/async.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSessions } from "../../../src/web/session.ts";
import { openWaitingQueue } from "../../support/builders/open-waiting-queue.ts";
import { eventOf } from "../../support/builders/event.ts";

const minute = 60_000;
let queue: Awaited<ReturnType<typeof openWaitingQueue>>;
beforeEach(async () => {
  queue = await openWaitingQueue({ clock: systemClock });
  await queue.course("biology");
});
afterEach(() => queue.close());

/** From now on the course opens around its sessions; the next one begins in that many minutes. */
async function opensAroundSessions(startsIn: number): Promise<void> {
  const startsAt = Date.now() + startsIn * minute;
  await queue.stores.events.save(
    eventOf({
      eventId: "event-1",
      spaceId: "space-of-biology",
      startsAt,
      endsAt: startsAt + 45 * minute,
      courseId: "biology",
    }),
  );
  const revision = (await queue.stores.courses.find("biology"))?.settingsRevision ?? 0;
  await queue.stores.courses.changeSettings("biology", revision, {
    settings: defaultJoinSettings,
    door: { ...alwaysOpen, opens: "around-sessions" },
    spaceAccess: "unknown",
  });
}

test("a session that is only for entering opens the way into the Space, and no page", async () => {
  const sessions = createSessions({
    browserSessions: queue.stores.browserSessions,
    clock: systemClock,
    ids: randomIds,
    background: createBackground(createLogger("silent")),
  });
  const token = await sessions.issue({
    registrationId: "reg_1",
    courseId: "biology",
    personId: "per_1",
    courseLinkId: null,
    role: "learner",
    staffRole: null,
    locale: null,
    only: "entry",
  });
  expect(await sessions.readForEntry(token)).toMatchObject({ courseId: "biology", only: "entry" });
  await expect(sessions.read(token)).rejects.toMatchObject({ code: "session-over", status: 401 });
  // The id is part of addresses, and opens nothing.
  const guessed = token.replace(/\.[\w-]{43}/, `.${"x".repeat(43)}`);
  expect(guessed).not.toBe(token);
  await expect(sessions.readForEntry(guessed)).rejects.toMatchObject({ code: "session-over", status: 401 });
});

describe("a learner whom the roster has removed from the course", () => {
  const removed = { code: "not-in-course", status: 403 };

  /** The roster no longer lists them. */
  const leaves = (name: string) =>
    queue.stores.members.applyRoster({ registrationId: "reg_1", courseId: "biology" }, Date.now() + 1_000, {
      made: [],
      changed: [{ personId: `per-${name}`, id: "", to: { active: false } }],
    });

  test.each(["learner", "instructor"] as const)(
    "cannot enter as %s, from an open page or from the queue, until the next launch",
    async (role) => {
      const waiting = await queue.arrive("biology", "ann", role);
      await queue.letAllIn();
      await leaves("ann");
      const wish = queue.arrival("biology", "ann", role);
      await expect(enterClass(queue.deps, wish)).rejects.toMatchObject(removed);
      await expect(queue.reserve("biology", "ann", role)).rejects.toMatchObject(removed);
      await expect(queue.look(waiting)).rejects.toMatchObject(removed);
      expect(await queue.arrive("biology", "ann", role)).toMatchObject({ state: "inside", entry: { role } });
    },
  );
});

describe("while entry is closed", () => {
  test("a learner gets no queue position, by the button or by the page that has one, but a host does", async () => {
    await opensAroundSessions(120);
    expect(await queue.arrive("biology", "ann")).toMatchObject({
      state: "closed",
      closed: { because: "early" },
    });
    const reserved = await queue.reserve("biology", "ann");
    expect(reserved).toMatchObject({ state: "closed", because: "early" });
    expect(await queue.next()).toBeNull();
    expect(await queue.arrive("biology", "teacher", "instructor")).toMatchObject({ state: "waiting" });
    expect(await queue.letAllIn()).toEqual(["user-teacher"]);
  });

  test("a learner who claims to be an instructor counts as a learner", async () => {
    await opensAroundSessions(120);
    await queue.member("biology", "ann");
    const reserved = await queue.reserve("biology", "ann", "instructor");
    expect(reserved).toMatchObject({ because: "early" });
  });

  test("a queue position from before cannot be used until entry is open again", async () => {
    const waiting = await queue.arrive("biology", "ann");
    await queue.letAllIn();
    await opensAroundSessions(120);
    await expect(queue.look(waiting)).rejects.toMatchObject({ code: "entry-closed", status: 403 });
    expect(await queue.arrive("biology", "ann"), "nor is the login that is ready").toMatchObject({
      state: "closed",
    });
    await opensAroundSessions(10);
    expect(await queue.look(waiting)).toMatchObject({ state: "inside" });
  });
});
