import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nextReading } from "../../../src/modules/attendance/rules/attendance-reading.ts";
import { readAgain, reconcileNext } from "../../../src/modules/attendance/attendance-readings.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let world: MatchingCourse;
afterEach(() => world.close());
/** Deps whose time stands still: a slow machine must not use up the time that people wait. */
const unhurried = () => {
  const now = world.clock.now();
  return { ...world.deps, clock: { ...world.clock, now: () => now } };
};
const readingsOf = (eventId: string) =>
  world.classroom.calls().filter(({ path }) => path.includes(`/attendance/${eventId}`)).length;

describe("attendance whose webhooks were lost", () => {
  beforeEach(async () => {
    world = await openMatchingCourse({ from: database });
  });

  test("is read after the session, repeatedly for a week, and graded", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(4 * minute);
    world.classroom.markAttendance({ eventId: lesson, userId: ann, status: "LATE" });
    expect(await world.read()).toBe(0);
    world.pass(2 * minute);
    expect(await world.read()).toBe(1);
    expect(await world.statusOf("Ann", lesson)).toBe("LATE");
    expect(await world.scoreOf("Ann")).toBe(80);
    expect(await world.read()).toBe(0);
    for (const [after, reads] of [
      [hour, 1],
      [hour, 0],
      [day, 1],
      [7 * day, 1],
      [60 * day, 0],
    ] as const) {
      world.pass(after);
      expect([after, await world.read()]).toEqual([after, reads]);
    }
    expect(readingsOf(lesson)).toBe(4);
    expect((await world.record("Ann", lesson))?.history).toHaveLength(1);
  });

  test("never undoes a later webhook, and repeats nothing that webhooks reported", async () => {
    const [ann, ben] = [await world.enters("Ann"), await world.enters("Ben")];
    const lesson = await world.held(10 * minute);
    const at = world.clock.now() - 8 * minute;
    for (const userId of [ann, ben])
      world.classroom.markAttendance({ eventId: lesson, userId, status: "ABSENT", at });
    await world.webhook(ann, lesson, "PRESENT", at + minute);
    await world.webhook(ben, lesson, "ABSENT", at);
    await world.read();
    expect(await world.statusOf("Ann", lesson)).toBe("PRESENT");
    expect((await world.record("Ben", lesson))?.history).toHaveLength(1);
    expect(await world.stores.attendanceReadings.find("production", lesson)).toMatchObject({
      facts: { listed: 2, news: 1, runs: 1 },
    });
  });

  test("is read page by page to the end; a list that breaks off makes nobody absent and undoes no mark", async () => {
    const userIds: string[] = [];
    for (const name of ["Ann", "Ben", "Cem", "Dee", "Eve"]) userIds.push(await world.enters(name));
    const [ann = "", ben = "", , , eve = ""] = userIds;
    const lesson = await world.held(10 * minute);
    for (const userId of [ann, ben])
      world.classroom.markAttendance({ eventId: lesson, userId, status: "PRESENT" });
    await world.webhook(eve, lesson, "PRESENT");
    world.classroom.setPages({ manner: "next", size: 1, fault: "fails" });
    await world.read();
    const cut = await world.stores.attendanceReadings.find("production", lesson);
    expect(cut).toMatchObject({ facts: { listed: 1, runs: 0, unfinished: { why: "failed", read: 1 } } });
    expect(cut?.problem?.text).toContain("didn't answer");
    expect(await world.statusOf("Ann", lesson)).toBe("PRESENT");
    expect(await world.statusOf("Eve", lesson)).toBe("PRESENT");
    expect(await world.record("Cem", lesson)).toBeNull();

    for (const userId of userIds.slice(2, 4))
      world.classroom.markAttendance({ eventId: lesson, userId, status: "LATE" });
    world.classroom.setPages({ manner: "next", size: 1 });
    world.pass(2 * minute);
    await world.read();
    for (const name of ["Cem", "Dee"]) expect(await world.statusOf(name, lesson)).toBe("LATE");
    expect(await world.statusOf("Eve", lesson)).toBe("PRESENT");
    const whole = await world.stores.attendanceReadings.find("production", lesson);
    expect(whole).toMatchObject({ facts: { listed: 4, runs: 1, unfinished: null }, problem: null });
  });

  test("of many sessions is read once each after an outage, the oldest first", async () => {
    const lessons: string[] = [];
    for (let n = 0; n < 12; n += 1) lessons.push(await world.held((12 - n) * day));
    expect(await world.read()).toBe(12);
    const asked = world.classroom.calls().flatMap(({ path }) => /attendance\/([^/?]+)/.exec(path)?.[1] ?? []);
    expect(asked).toEqual(lessons);
  });

  test("is read and graded by another process when the first one dies", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(10 * minute);
    world.classroom.markAttendance({ eventId: lesson, userId: ann, status: "LATE" });
    const dying = {
      ...world.deps,
      attendanceSummaries: new Proxy(world.deps.attendanceSummaries, {
        get: () => () => Promise.reject(new Error("killed")),
      }),
      tasks: {
        ...world.deps.tasks,
        store: { ...world.deps.tasks.store, settle: () => Promise.reject(new Error("killed")) },
      },
    };
    const course = await world.course();
    const meanwhile = unhurried();
    await world.stores.attendanceReadings.plan(
      {
        environment: "production",
        eventId: lesson,
        registrationId: course.registrationId,
        courseId: course.id,
        endedAt: 0,
      },
      (readAt) => nextReading(0, readAt),
    );
    await expect(reconcileNext(dying)).rejects.toThrow("killed");
    expect(await world.statusOf("Ann", lesson)).toBe("LATE");
    expect(await reconcileNext(meanwhile)).toBe(false);
    world.pass(11_000);
    expect(await reconcileNext(world.deps)).toBe(true);
    expect(await world.scoreOf("Ann")).toBe(80);
  });

  test("is retried when the classroom is in trouble, with the reason until it works", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(10 * minute);
    world.classroom.markAttendance({ eventId: lesson, userId: ann, status: "PRESENT" });
    world.classroom.addFault({ kind: "garbage", times: 20 });
    const began = world.clock.now();
    const { countDue, countSince } = world.stores.attendanceReadings;
    expect(await world.read()).toBe(1);
    expect(await world.statusOf("Ann", lesson)).toBeNull();
    expect(await countSince(began)).toEqual({ done: 0, failed: 1 });
    expect(await countDue(world.clock.now())).toBe(0);
    expect((await world.stores.attendanceReadings.find("production", lesson))?.problem?.text).toMatch(
      /attendance/,
    );
    world.classroom.clearFaults();
    expect(await world.read()).toBe(0);
    world.pass(minute + 1);
    expect(await countDue(world.clock.now())).toBe(1);
    expect(await world.read()).toBe(1);
    expect(await world.statusOf("Ann", lesson)).toBe("PRESENT");
    expect(await countSince(began)).toEqual({ done: 1, failed: 0 });
    expect(await countSince(world.clock.now() + 1)).toEqual({ done: 0, failed: 0 });
    expect((await world.stores.attendanceReadings.find("production", lesson))?.problem).toBeNull();
  });

  test("is read immediately when an instructor of the course asks", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(-hour);
    world.classroom.markAttendance({ eventId: lesson, userId: ann, status: "PRESENT" });
    const asking = readAgain(unhurried(), await world.course(), lesson);
    await expect.poll(() => world.woken.readings).toBe(1);
    await reconcileNext(world.deps);
    expect(await asking).toEqual({ kind: "read", listed: 1, news: 1, unfinished: null });
    expect(await world.statusOf("Ann", lesson)).toBe("PRESENT");
    const other = await world.held(hour, await world.space("Other"));
    await expect(readAgain(world.deps, await world.course(), other)).rejects.toMatchObject({
      code: "session-unknown",
    });
  });
});

test("a classroom without times changes what differs, from the moment it was asked", async () => {
  world = await openMatchingCourse({ from: database, hasTimes: false });
  const [ann, ben] = [await world.enters("Ann"), await world.enters("Ben")];
  const lesson = await world.held(10 * minute);
  await world.webhook(ann, lesson, "ABSENT", world.clock.now() - minute);
  await world.webhook(ben, lesson, "ABSENT", world.clock.now() - minute);
  world.classroom.markAttendance({ eventId: lesson, userId: ann, status: "PRESENT" });
  world.classroom.markAttendance({ eventId: lesson, userId: ben, status: "ABSENT" });
  const before = world.clock.now();
  await world.read();
  expect(await world.statusOf("Ann", lesson)).toBe("PRESENT");
  expect((await world.record("Ann", lesson))?.history[0]?.at).toBeGreaterThanOrEqual(before);
  expect((await world.record("Ben", lesson))?.history).toHaveLength(1);
  // A webhook about a change after the reading began holds, whenever it comes.
  await world.webhook(ann, lesson, "LATE", world.clock.now() + minute);
  expect(await world.statusOf("Ann", lesson)).toBe("LATE");
});
