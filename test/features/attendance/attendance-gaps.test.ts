import { describe, expect, test } from "vitest";
import { reconcileNext } from "../../../src/modules/attendance/attendance-readings.ts";
import { processReceipts } from "../../support/process-receipts.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
let world: MatchingCourse;
forEachTest(async () => (world = await openMatchingCourse({ from: database })));

const settled = 15_000;
const readingsOf = (eventId: string) =>
  world.classroom.calls().filter(({ path }) => path.includes(`/attendance/${eventId}`)).length;

/** Webhooks arrive in this order and take effect. */
async function hear(...bodies: readonly Record<string, unknown>[]): Promise<void> {
  for (const body of bodies) await world.stores.receipts.insert(waitingReceipt(body, world.clock.now()));
  const deps = world.deps;
  while (await processReceipts(deps));
}

const change = (userId: string, eventId: string, status: string, secondsAgo: number, before?: string) => ({
  eventId,
  userId,
  timestamp: new Date(world.clock.now() - secondsAgo * 1_000).toISOString(),
  updatedBy: "host",
  ...(before === undefined ? {} : { prevStatus: { status: before } }),
  currentStatus: { status },
});

/** Everything that is due is done. @returns how many tasks were begun */
async function works(): Promise<number> {
  let times = 0;
  while (await reconcileNext(world.deps)) times += 1;
  return times;
}

describe("A webhook whose previous status we don't know", () => {
  test("makes the tool read the attendance once, a moment later, with whatever else got lost", async () => {
    const [ann, ben] = [await world.enters("Ann"), await world.enters("Ben")];
    const lesson = await world.held(-3_600_000);
    for (const userId of [ann, ben])
      world.classroom.markAttendance({ eventId: lesson, userId, status: "LATE" });
    // Ben's webhook was lost, and so was Ann's first one.
    await hear(change(ann, lesson, "LATE", 5, "ABSENT"));
    expect(await works()).toBe(0);
    world.pass(settled);
    await works();
    expect(readingsOf(lesson)).toBe(1);
    expect(await world.statusOf("Ben", lesson)).toBe("LATE");
    // An earlier status that can no longer be known is no reason to ask again.
    await hear(change(ann, lesson, "LATE", 600, "PRESENT"));
    world.pass(10 * settled);
    await works();
    expect(readingsOf(lesson)).toBe(1);
    // The timetable of readings continues.
    world.pass(2 * 3_600_000);
    await world.read();
    expect(readingsOf(lesson)).toBe(2);
  });

  test("causes no reading if the missing webhook was only overtaken", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(-3_600_000);
    await hear(change(ann, lesson, "PRESENT", 10, "LATE"));
    world.pass(settled / 2);
    await hear(change(ann, lesson, "LATE", 60));
    world.pass(settled);
    await works();
    expect(readingsOf(lesson)).toBe(0);
    expect(await world.stores.attendanceReadings.find("production", lesson)).toMatchObject({
      facts: { gapSeenAt: null, runs: 0 },
      attempts: 0,
    });
  });

  test("is compared with the classroom's last report, not with an instructor's mark since", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(-3_600_000);
    await hear(change(ann, lesson, "ABSENT", 60));
    await world.correct("Ann", lesson, "EXCUSED");
    await hear(change(ann, lesson, "LATE", 5, "ABSENT"));
    world.pass(settled);
    await works();
    expect(readingsOf(lesson)).toBe(0);
  });

  test("waits for the end of a burst, which causes a single reading", async () => {
    const people = await Promise.all(["Ann", "Ben", "Cem", "Dan"].map((name) => world.enters(name)));
    const lesson = await world.held(-3_600_000);
    for (let round = 0; round < 5; round += 1) {
      await hear(...people.map((userId) => change(userId, lesson, "LATE", round, "EXCUSED")));
      world.pass(settled / 2);
      await works();
      expect([round, readingsOf(lesson)]).toEqual([round, 0]);
    }
    world.pass(settled);
    await works();
    expect(readingsOf(lesson)).toBe(1);
  });

  test("that comes during a reading causes another one", async () => {
    const [ann, ben] = [await world.enters("Ann"), await world.enters("Ben")];
    const lesson = await world.held(-3_600_000);
    await hear(change(ann, lesson, "LATE", 5, "ABSENT"));
    world.pass(settled);
    const client = { ...world.client };
    client.readAttendance = async (...asked) => {
      const answer = await world.client.readAttendance(...asked);
      world.pass(5 * 60_000);
      await hear(change(ben, lesson, "LATE", 5, "PRESENT"));
      return answer;
    };
    expect(await reconcileNext({ ...world.deps, classroomOf: () => client })).toBe(true);
    world.pass(settled);
    await works();
    expect(readingsOf(lesson)).toBe(2);
  });

  test("causes another attempt when the classroom is in trouble", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(-3_600_000);
    world.classroom.addFault({ kind: "garbage", times: 20 });
    await hear(change(ann, lesson, "LATE", 5, "ABSENT"));
    world.pass(settled);
    await works();
    world.classroom.clearFaults();
    world.pass(2 * 60_000);
    await works();
    expect(await world.stores.attendanceReadings.find("production", lesson)).toMatchObject({
      facts: { gapSeenAt: null, runs: 1 },
      problem: null,
    });
  });
});
