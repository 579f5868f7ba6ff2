import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type KnownStatus, currentAttendanceOf } from "../../../src/domain/attendance.ts";
import { type MarksApp, runNextMark } from "../../../src/modules/attendance/run-mark.ts";
import { correctAttendance, markSession } from "../../../src/modules/attendance/mark-session.ts";
import { openRegisterCourse, type RegisterCourse } from "../../support/builders/register-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
let world: RegisterCourse;
beforeEach(async () => {
  world = await openRegisterCourse(database);
  await world.session("e1");
});
afterEach(() => world.close());

const ina = "per-Ina";
const statusOf = async (name: string, eventId = "e1") => {
  const record = await world.record(name, eventId);
  return record === null ? null : (currentAttendanceOf(record)?.status ?? null);
};
const scoreOf = async (name: string) => (await world.scores())[`per-${name} attendance`];
const fill = (status: KnownStatus, sectionId: string | null = null) => ({
  eventId: "e1",
  rows: [],
  everybody: { who: "blanks" as const, status, sectionId },
  reason: null,
});

/** An instructor corrects one learner from the current record. */
const correct = async (
  name: string,
  status: KnownStatus | null,
  more: { by?: string; reason?: string } = {},
) => {
  const { by = ina, reason = null } = more;
  const row = await world.row(name, "e1", status);
  return correctAttendance(world.marking, await world.course(), by, { ...row, eventId: "e1", reason });
};

/** The tool as if it were killed at some point: from then on none of its calls reach the store. */
function killedAt(
  deps: MarksApp,
  at: (call: { store: string; method: string; number: number }) => boolean,
): MarksApp {
  let dead = false;
  const counted = new Map<string, number>();
  const mortal = <T extends object>(store: string, target: T): T =>
    new Proxy(target, {
      get: (inner, method) => {
        const found: unknown = Reflect.get(inner, method);
        if (typeof found !== "function") return found;
        return (...given: unknown[]): unknown => {
          const name = `${store}.${String(method)}`;
          const number = (counted.get(name) ?? 0) + 1;
          counted.set(name, number);
          dead ||= at({ store, method: String(method), number });
          if (dead) return Promise.reject(new Error("killed"));
          return Reflect.apply(found, inner, given);
        };
      },
    });
  return {
    ...deps,
    attendance: mortal("attendance", deps.attendance),
    attendanceMarks: mortal("attendanceMarks", deps.attendanceMarks),
    courseAudit: mortal("courseAudit", deps.courseAudit),
    attendanceSummaries: mortal("attendanceSummaries", deps.attendanceSummaries),
    deliveries: mortal("deliveries", deps.deliveries),
  };
}

/** The claims of the killed process expire, and another one continues. */
async function goOn(): Promise<void> {
  world.pass(11_000);
  while (await runNextMark(world.marking));
}

describe("an instructor who corrects one learner", () => {
  test("changes status, grade and change log; a later report of the classroom is shown but does not win", async () => {
    await world.enrol("Ann");
    await world.classroomSays("Ann", "e1", "ABSENT", 1_000);
    await world.grade("per-Ann");
    const mark = await correctAttendance(world.marking, await world.course(), ina, {
      ...(await world.row("Ann", "e1", "PRESENT", { notes: "sat behind the pillar" })),
      eventId: "e1",
      reason: "I saw her",
    });
    expect(mark).toMatchObject({ state: "done", written: 1, missed: [] });
    expect(await scoreOf("Ann")).toBe(100);
    expect(await world.audit()).toMatchObject([
      {
        what: "attendance-corrected",
        by: { personId: ina, name: "Ina Instructor" },
        on: { personId: "per-Ann", name: "Ann" },
        session: { eventId: "e1", title: "Lesson e1", startsAt: 1_000 },
        before: "ABSENT",
        after: "PRESENT",
        reason: "I saw her",
      },
    ]);
    await world.classroomSays("Ann", "e1", "LATE", world.clock.now() + 60_000);
    await world.grade("per-Ann");
    const record = await world.record("Ann", "e1");
    expect(record && currentAttendanceOf(record)).toMatchObject({
      status: "PRESENT",
      notes: "sat behind the pillar",
      conflicting: { status: "LATE" },
    });
    expect(await scoreOf("Ann")).toBe(100);
  });

  test("may withdraw it, which restores the classroom's status and its grade", async () => {
    await world.enrol("Ann");
    await world.classroomSays("Ann", "e1", "LATE", 1_000);
    await correct("Ann", "ABSENT");
    await correct("Ann", null, { reason: "my mistake" });
    expect(await statusOf("Ann")).toBe("LATE");
    expect(await scoreOf("Ann")).toBe(80);
    expect((await world.audit()).map(({ what, before, after }) => [what, before, after].join(" "))).toEqual([
      "attendance-taken-back ABSENT LATE",
      "attendance-corrected LATE ABSENT",
    ]);
  });

  test("learns that another instructor was faster, and overwrites nothing; the rest of the page is saved", async () => {
    await world.enrol("Ann");
    await world.enrol("Bob");
    const course = await world.course();
    const seen = [await world.row("Ann", "e1", "PRESENT"), await world.row("Bob", "e1", "PRESENT")];
    await correct("Ann", "EXCUSED", { by: await world.known("per-Otto", "Otto"), reason: "doctor's note" });
    const mark = await markSession(world.marking, course, ina, {
      eventId: "e1",
      rows: seen,
      everybody: null,
      reason: null,
    });
    expect(mark).toMatchObject({ written: 1, missed: ["per-Ann"] });
    expect([await statusOf("Ann"), await statusOf("Bob")]).toEqual(["EXCUSED", "PRESENT"]);
    expect((await world.audit()).map(({ by, on }) => [by.name, on?.name].join(" "))).toEqual([
      "Ina Instructor Bob",
      "Otto Ann",
    ]);
  });

  test("writes only one of two corrections at the same moment", async () => {
    await world.enrol("Ann");
    const course = await world.course();
    const by = await world.known("per-Otto", "Otto");
    const rows = [await world.row("Ann", "e1", "PRESENT"), await world.row("Ann", "e1", "ABSENT")];
    const marks = await Promise.all(
      rows.map((row, at) =>
        correctAttendance(world.marking, course, at === 0 ? ina : by, {
          ...row,
          eventId: "e1",
          reason: null,
        }),
      ),
    );
    expect(marks.map(({ written }) => written).sort()).toEqual([0, 1]);
    expect((await world.record("Ann", "e1"))?.corrections).toHaveLength(1);
    expect(await world.audit()).toHaveLength(1);
  });

  test("cannot mark strangers, or in sessions of other courses", async () => {
    await world.enrol("Ann");
    await world.known("per-Stranger", "Stranger");
    const course = await world.course();
    const row = await world.row("Ann", "e1", "PRESENT");
    const attempt = (change: object) =>
      correctAttendance(world.marking, course, ina, { ...row, eventId: "e1", reason: null, ...change });
    await expect(attempt({ personId: "per-Stranger" })).rejects.toMatchObject({ code: "learner-unknown" });
    await expect(attempt({ eventId: "elsewhere" })).rejects.toMatchObject({ code: "session-unknown" });
    expect(await world.audit()).toEqual([]);
  });
});

describe("an instructor who marks a class", () => {
  beforeEach(async () => {
    for (const [name, section] of [
      ["Ann", "a"],
      ["Bob", "a"],
      ["Cid", "b"],
    ] as const)
      await world.enrol(name, [section]);
    await world.classroomSays("Bob", "e1", "LATE", 1_000);
  });
  const all = async () => [await statusOf("Ann"), await statusOf("Bob"), await statusOf("Cid")];

  test("fills blanks in the section shown, and everybody's grade follows", async () => {
    const course = await world.course();
    expect(await markSession(world.marking, course, ina, fill("ABSENT", "a"))).toMatchObject({
      state: "done",
      writtenInClass: 1,
    });
    expect(await all()).toEqual(["ABSENT", "LATE", null]);
    await markSession(world.marking, course, ina, fill("ABSENT"));
    expect(await all()).toEqual(["ABSENT", "LATE", "ABSENT"]);
    expect([await scoreOf("Ann"), await scoreOf("Cid")]).toEqual([0, 0]);
    expect((await world.audit()).map(({ what, after, count }) => [what, after, count].join(" "))).toEqual([
      "attendance-blanks-filled ABSENT 1",
      "attendance-blanks-filled ABSENT 1",
    ]);
  });
});

test.each([
  ["before the first correction", { store: "attendance", method: "correctIf", number: 1 }],
  ["among the corrections", { store: "attendance", method: "correctIf", number: 222 }],
  ["before progress is noted", { store: "attendanceMarks", method: "progress", number: 2 }],
  ["before the line of the change log", { store: "courseAudit", method: "insert", number: 1 }],
  ["among the grades", { store: "attendanceSummaries", method: "publish", number: 3 }],
  ["before the end is noted", { store: "attendanceMarks", method: "finish", number: 1 }],
])(
  "a tool that is killed %s leaves a class of 230 to another one, which marks and grades everybody",
  async (_when, point) => {
    const size = 230;
    await world.enrolMany(size);
    const dying = killedAt(
      world.marking,
      ({ store, method, number }) =>
        store === point.store && method === point.method && number === point.number,
    );
    await expect(markSession(dying, await world.course(), ina, fill("LATE"))).rejects.toThrow("killed");
    await goOn();
    const { registrationId, courseId } = world.key;
    const records = await world.stores.attendance.listOfEvent(registrationId, courseId, "e1");
    expect(records.map(({ corrections }) => corrections.length)).toEqual(
      Array.from({ length: size }, () => 1),
    );
    expect(Object.values(await world.scores()).filter((score) => score === 80)).toHaveLength(size);
    expect((await world.audit()).map(({ what, count }) => [what, count])).toEqual([
      ["attendance-blanks-filled", size],
    ]);
    expect(await runNextMark(world.marking)).toBe(false);
  },
);

test("a correction whose grading was interrupted is graded in the end", async () => {
  await world.enrol("Ann");
  const dying = killedAt(world.marking, ({ store }) => store === "deliveries");
  const wanted = { ...(await world.row("Ann", "e1", "LATE")), eventId: "e1", reason: "bus" };
  await expect(correctAttendance(dying, await world.course(), ina, wanted)).rejects.toThrow("killed");
  expect(await statusOf("Ann")).toBe("LATE");
  expect(await scoreOf("Ann")).toBeUndefined();
  expect(await runNextMark(world.marking), "its holder may be alive").toBe(false);
  await goOn();
  expect(await scoreOf("Ann")).toBe(80);
  expect((await world.record("Ann", "e1"))?.corrections).toHaveLength(1);
  expect((await world.audit()).map(({ reason }) => reason)).toEqual(["bus"]);
});

test("a page does not wait for a class that takes long, and wakes the worker for the rest", async () => {
  await world.enrol("Ann");
  let calls = 0;
  const slow: MarksApp = {
    ...world.marking,
    clock: {
      ...world.clock,
      now: () => {
        calls += 1;
        // Every look at the clock is three seconds later.
        return world.clock.now() + calls * 3_000;
      },
    },
  };
  const mark = await markSession(slow, await world.course(), ina, fill("PRESENT"));
  expect(mark.state).not.toBe("done");
  expect(world.woken.times).toBe(1);
  await goOn();
  world.pass(60_000);
  await goOn();
  expect(await statusOf("Ann")).toBe("PRESENT");
  expect(await scoreOf("Ann")).toBe(100);
});
