import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alwaysOpen } from "../../../src/domain/entry-window.ts";
import { defaultJoinSettings } from "../../../src/domain/join-url.ts";
import { enterClass, reservePosition } from "../../../src/modules/joining/enter-class.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { openWaitingQueue } from "../../support/builders/open-waiting-queue.ts";

const minute = 60_000;
let door: Awaited<ReturnType<typeof openWaitingQueue>>;
beforeEach(async () => {
  door = await openWaitingQueue({ clock: systemClock });
  await door.course("biology");
});
afterEach(() => door.close());

/** From now on the course opens around its sessions; the next one begins in so many minutes. */
async function opensAroundSessions(startsIn: number): Promise<void> {
  const startsAt = Date.now() + startsIn * minute;
  await door.stores.events.save({
    environment: "production",
    eventId: "event-1",
    spaceId: "space-of-biology",
    title: "Lesson",
    startsAt,
    endsAt: startsAt + 45 * minute,
    cancelled: false,
    courseId: "biology",
    readAt: 1,
  });
  const revision = (await door.stores.courses.find("biology"))?.settingsRevision ?? 0;
  await door.stores.courses.changeSettings("biology", revision, {
    settings: defaultJoinSettings,
    door: { ...alwaysOpen, opens: "around-sessions" },
    spaceAccess: "unknown",
  });
}

describe("somebody whom the roster has taken out of the course", () => {
  const removed = { code: "not-in-course", status: 403 };

  /** The roster does not list them any more. */
  const leaves = (name: string) =>
    door.stores.members.applyRoster({ registrationId: "reg_1", courseId: "biology" }, Date.now() + 1_000, {
      made: [],
      changed: [{ personId: `per-${name}`, id: "", to: { active: false } }],
    });

  test.each(["learner", "instructor"] as const)(
    "does not enter as %s, neither from a page that is open nor with a place in the line, and does after a launch",
    async (role) => {
      const waiting = await door.arrive("biology", "ann", role);
      await door.letAllIn();
      await leaves("ann");
      const wish = door.arrival("biology", "ann", role);
      await expect(enterClass(door.deps, wish)).rejects.toMatchObject(removed);
      await expect(reservePosition(door.deps, wish)).rejects.toMatchObject(removed);
      await expect(door.look(waiting)).rejects.toMatchObject(removed);
      expect(await door.arrive("biology", "ann", role)).toMatchObject({ state: "inside", entry: { role } });
    },
  );
});

describe("while the door is closed", () => {
  test("a learner gets no place, neither with the button nor with the page that has it; a host does", async () => {
    await opensAroundSessions(120);
    expect(await door.arrive("biology", "ann")).toMatchObject({
      state: "closed",
      closed: { because: "early" },
    });
    const reserved = await reservePosition(door.deps, door.arrival("biology", "ann"));
    expect(reserved).toMatchObject({ state: "closed", because: "early" });
    expect(await door.next()).toBeNull();
    expect(await door.arrive("biology", "teacher", "instructor")).toMatchObject({ state: "waiting" });
    expect(await door.letAllIn()).toEqual(["user-teacher"]);
  });

  test("somebody who calls themselves an instructor and is a learner is a learner", async () => {
    await opensAroundSessions(120);
    await door.member("biology", "ann");
    const reserved = await reservePosition(door.deps, door.arrival("biology", "ann", "instructor"));
    expect(reserved).toMatchObject({ because: "early" });
  });

  test("a place from before is of no use, and is again once the door is open", async () => {
    const waiting = await door.arrive("biology", "ann");
    await door.letAllIn();
    await opensAroundSessions(120);
    await expect(door.look(waiting)).rejects.toMatchObject({ code: "entry-closed", status: 403 });
    expect(await door.arrive("biology", "ann"), "nor is the login that is ready").toMatchObject({
      state: "closed",
    });
    await opensAroundSessions(10);
    expect(await door.look(waiting)).toMatchObject({ state: "inside" });
  });
});
