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

/** From now on the course opens around its sessions; the next one begins in so many minutes. */
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
  // Its id stands in addresses, and opens nothing.
  const guessed = token.replace(/\.[\w-]{43}/, `.${"x".repeat(43)}`);
  expect(guessed).not.toBe(token);
  await expect(sessions.readForEntry(guessed)).rejects.toMatchObject({ code: "session-over", status: 401 });
});

describe("a learner the roster has taken out of the course", () => {
  const removed = { code: "not-in-course", status: 403 };

  /** The roster does not list them any more. */
  const leaves = (name: string) =>
    queue.stores.members.applyRoster({ registrationId: "reg_1", courseId: "biology" }, Date.now() + 1_000, {
      made: [],
      changed: [{ personId: `per-${name}`, id: "", to: { active: false } }],
    });

  test.each(["learner", "instructor"] as const)(
    "does not enter as %s, neither from a page that is open nor with a place in the line, and does after a launch",
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
  test("a learner gets no place, neither with the button nor with the page that has it; a host does", async () => {
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

  test("somebody who calls themselves an instructor and is a learner is a learner", async () => {
    await opensAroundSessions(120);
    await queue.member("biology", "ann");
    const reserved = await queue.reserve("biology", "ann", "instructor");
    expect(reserved).toMatchObject({ because: "early" });
  });

  test("a queue position from before closing is of no use until entry is open again", async () => {
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
