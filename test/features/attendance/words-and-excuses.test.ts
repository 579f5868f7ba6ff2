import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  answerWord,
  maxReasonLength,
  maxWords,
  myWords,
  sayWord,
} from "../../../src/modules/attendance/learner-words.ts";
import type { WhileSessionsChange } from "../../../src/modules/scheduling/keep-event.ts";
import { correctAttendance, markOne, markSession } from "../../../src/modules/attendance/mark-session.ts";
import { excusePerson, showExcuses, takeBackExcuse } from "../../../src/modules/attendance/office-excuses.ts";
import { runNextMark } from "../../../src/modules/attendance/run-mark.ts";
import { showAttendance } from "../../../src/modules/attendance/show-attendance.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import { enqueueRegrade, gradeAfterChange, regradeCourse } from "../../../src/modules/grading/regrade.ts";
import { changeTimeZone } from "../../../src/modules/courses/change-settings.ts";
import { saveTimeZone } from "../../../src/modules/scheduling/plan-sessions.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { openRegisterCourse, type RegisterCourse } from "../../support/builders/register-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const hour = 3_600_000;
const database = await forAllTests(openEmptyStores());
let world: RegisterCourse;
beforeEach(async () => {
  world = await openRegisterCourse(database);
  await world.enrol("Ann");
  await world.session("past", now() - 30 * hour);
  await world.session("next", now() + 30 * hour);
});
afterEach(() => world.close());

const now = () => world.clock.now();
const app = () => ({ ...world.marking, ...world.stores });
const office = () => ({ ...app(), who: "console" as const });
const ann = async () => required(await world.stores.people.find("per-Ann"));
const member = async () =>
  required(await world.stores.members.find(world.key.registrationId, world.key.courseId, "per-Ann"));
const say = async (eventId: string, says: "absent" | "here", reason = "the doctor") =>
  sayWord(app(), await world.course(), await member(), { eventId, says, reason });
const wordOn = (eventId: string) =>
  world.stores.learnerWords.find({ ...world.key, eventId, personId: "per-Ann" });
const answer = async (eventId: string, given: "excused" | "present" | "no", was = "", tool = app()) => {
  const { at } = required(await wordOn(eventId));
  const word = { eventId, personId: "per-Ann", at, answer: given, was };
  return answerWord(tool, await world.course(), "per-Ina", word);
};
const status = async (eventId: string) => {
  const shown = await showAttendance(world.deps, await world.course(), await member(), attendanceColumn);
  return shown.sessions.find((one) => one.eventId === eventId)?.status;
};
/** The status that grades are computed from. */
const counted = async (eventId: string) => {
  const [summary] = await world.stores.attendanceSummaries.findMany(world.key, ["per-Ann"]);
  return summary?.sessions.find((one) => one.eventId === eventId)?.status;
};
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const excuse = async (days: { from?: string; to?: string } = {}) =>
  excusePerson(office(), await ann(), {
    from: dayOf(now() - 60 * hour),
    to: dayOf(now() + 60 * hour),
    reason: "hospital",
    ...days,
  });
const effects = async () => (await showExcuses(app(), await ann())).map(({ effect }) => effect);

describe("a learner's message about a session", () => {
  test("is answered once, which marks the learner, who sees the answer", async () => {
    expect(await say("next", "absent")).toBeNull();
    expect(await answer("next", "excused")).toBe(true);
    expect([await status("next"), (await wordOn("next"))?.answer]).toEqual(["EXCUSED", "excused"]);
    const mine = await myWords(app(), await world.course(), await member());
    const session = { eventId: "next", startsAt: now() + hour, endsAt: null, cancelled: false };
    expect(mine(session, "EXCUSED")).toMatchObject({ said: { answer: "excused" }, says: null });
    const lines = (await world.audit()).map(({ what, by }) => `${what} ${by.personId}`);
    expect(lines.sort()).toEqual([
      "attendance-corrected per-Ina",
      "word-absent per-Ann",
      "word-excused per-Ina",
    ]);
  });

  test("that they were there makes them present if accepted, and leaves the mark if not", async () => {
    await world.classroomSays("Ann", "past", "ABSENT", now() - 29 * hour);
    expect(await say("past", "here")).toBeNull();
    expect(await answer("past", "no", "ABSENT")).toBe(true);
    expect(await status("past")).toBe("ABSENT");
    expect(await say("past", "here")).toBe("answered");
    await world.session("other", now() - 20 * hour);
    expect(await say("other", "here")).toBeNull();
    expect(await answer("other", "present")).toBe(true);
    expect(await status("other")).toBe("PRESENT");
  });

  test("is answered once, and not over a mark that has changed since", async () => {
    await say("next", "absent");
    const { learnerWords } = world.stores;
    const store = async (...given: Parameters<typeof learnerWords.answer>) => {
      expect(await answer("next", "no"), "another instructor is faster").toBe(true);
      return learnerWords.answer(...given);
    };
    const slower = { ...app(), learnerWords: { ...learnerWords, answer: store } };
    expect(await answer("next", "excused", "", slower)).toBe(false);
    expect([await status("next"), (await wordOn("next"))?.answer]).toEqual([undefined, "no"]);
    await say("past", "here");
    await world.classroomSays("Ann", "past", "LATE", now());
    expect(await answer("past", "present", "")).toBe(false);
    expect([await status("past"), (await wordOn("past"))?.answer]).toEqual(["LATE", null]);
  });

  test("is answered and marked once, wherever the process is killed", async () => {
    const stores = ["learnerWords", "attendanceMarks", "attendance", "courseAudit"] as const;
    let calls = 0;
    for (let wasKilled = true; wasKilled; calls += 1) {
      const eventId = `e${String(calls)}`;
      await world.session(eventId, now() + (calls + 1) * hour);
      await say(eventId, "absent");
      world.time.now += 8 * 24 * hour;
      const mortal = mortalStores(app(), stores, calls);
      await answer(eventId, "excused", "", mortal.stores).catch(() => undefined);
      wasKilled = mortal.isDead();
      world.pass(11_000);
      while (await runNextMark(app()));
      const answered = (await wordOn(eventId))?.answer ?? null;
      expect(await status(eventId), `killed after ${String(calls)} calls`).toBe(
        answered === null ? undefined : "EXCUSED",
      );
    }
    expect(calls).toBeGreaterThan(5);
  });

  test("is refused for another course, at the wrong time, without a reason, with a long one, and where it is off", async () => {
    await expect(say("of another course", "here")).rejects.toMatchObject({ code: "session-unknown" });
    expect(await say("next", "here")).toBe("not-now");
    expect(await say("past", "absent")).toBe("not-now");
    expect(await say("past", "here", "")).toBe("reason");
    expect(await say("past", "here", "x".repeat(maxReasonLength + 1))).toBe("reason");
    await world.stores.courses.setOption(world.key.courseId, "learnerWords", false);
    expect(await say("past", "here")).toBe("off");
    expect(await wordOn("past")).toBeNull();
  });

  test("is refused for somebody who left or is not a learner", async () => {
    await world.leaves("Ann");
    expect(await say("next", "absent")).toBe("not-now");
    await world.changed("Ann", { active: true, role: "instructor", student: false });
    expect(await say("next", "absent")).toBe("not-now");
  });

  test("may be changed while it waits, and is limited per week even if many are sent together", async () => {
    for (let n = 0; n < 2 * maxWords; n += 1) await world.session(`e${n}`, now() + (n + 2) * hour);
    const said = await Promise.all(
      Array.from({ length: 2 * maxWords }, (_, n) => say(`e${n}`, "absent", `reason ${n}`)),
    );
    const kept = said.filter((problem) => problem === null).length;
    expect(kept).toBeLessThanOrEqual(maxWords);
    const words = async () =>
      (await world.stores.learnerWords.listOfPerson(world.key, "per-Ann")).map(({ eventId }) => eventId);
    expect(await words()).toHaveLength(kept);
    const left = said.flatMap((problem, n) => (problem === null ? [] : [`e${n}`]));
    for (const [n, eventId] of left.entries())
      expect(await say(eventId, "absent")).toBe(n < maxWords - kept ? null : "too-many");
    const [one] = await words();
    expect(await say(required(one), "absent", "another reason")).toBeNull();
    world.time.now += 8 * 24 * hour;
    await world.session("later", now() + hour);
    expect(await say("later", "absent")).toBeNull();
  });
});

describe("an office's excuse", () => {
  test("excuses the sessions of its days, lists its effects, and can be withdrawn", async () => {
    await world.classroomSays("Ann", "past", "ABSENT", now() - 29 * hour);
    await excuse();
    expect([await status("past"), await status("next")]).toEqual(["EXCUSED", "EXCUSED"]);
    expect(await effects()).toEqual([{ courses: 1, excused: 2, marked: 0, attended: 0 }]);
    const [kept] = await showExcuses(app(), await ann());
    expect(await takeBackExcuse(office(), await ann(), required(kept).id)).toBe(true);
    expect(await takeBackExcuse(office(), await ann(), required(kept).id)).toBe(false);
    expect([await status("past"), await status("next")]).toEqual(["ABSENT", undefined]);
    expect(await effects()).toEqual([null]);
    const lines = (await world.audit()).map(({ what }) => what);
    expect(lines).toEqual(["office-excuse-taken-back", "office-excused"]);
  });

  test("never replaces an instructor's mark or a presence, and an instructor may mark over it", async () => {
    const course = await world.course();
    const row = await world.row("Ann", "past", "ABSENT");
    await correctAttendance(world.marking, course, "per-Ina", { ...row, eventId: "past", reason: null });
    await world.session("there", now() - 10 * hour);
    await world.classroomSays("Ann", "there", "PRESENT", now() - 9 * hour);
    await excuse();
    expect([await status("past"), await status("there")]).toEqual(["ABSENT", "PRESENT"]);
    expect(await effects()).toEqual([{ courses: 1, excused: 1, marked: 1, attended: 1 }]);
    const everybody = { who: "blanks", status: "PRESENT", sectionId: null } as const;
    const mark = { eventId: "next", rows: [], everybody, reason: null };
    await markSession(world.marking, course, "per-Ina", mark);
    expect(await status("next")).toBe("EXCUSED");
    const over = await world.row("Ann", "next", "PRESENT");
    await correctAttendance(world.marking, course, "per-Ina", { ...over, eventId: "next", reason: null });
    expect(await status("next")).toBe("PRESENT");
  });

  test("leaves an instructor's own excuse when it is withdrawn, and is there again after Undo", async () => {
    const course = await world.course();
    await excuse();
    const tap = { was: "EXCUSED", status: "PRESENT", note: null } as const;
    const tapped = await markOne(app(), course, "per-Ina", { eventId: "next", personId: "per-Ann", ...tap });
    expect(tapped).toMatchObject({ takesBack: { status: "" } });
    const row = await world.row("Ann", "past", "EXCUSED");
    await correctAttendance(world.marking, course, "per-Ina", { ...row, eventId: "past", reason: null });
    const [kept] = await showExcuses(app(), await ann());
    await takeBackExcuse(office(), await ann(), required(kept).id);
    expect(await status("past")).toBe("EXCUSED");
  });

  test("is for the sections in which an instructor also learns", async () => {
    await world.changed("Ann", { role: "instructor", sectionIds: ["2"] });
    await world.stores.events.setSections("production", "past", ["1"]);
    await excuse();
    expect([await status("past"), await status("next")]).toEqual([undefined, "EXCUSED"]);
  });

  test("counts in the grade as a mark does, covers a session created later, and stays of somebody who left", async () => {
    await world.classroomSays("Ann", "past", "PRESENT", now() - 29 * hour);
    await world.session("missed", now() - 20 * hour);
    await world.classroomSays("Ann", "missed", "ABSENT", now() - 19 * hour);
    await gradeMembers(world.marking, await world.course(), [await ann()]);
    const key = { ...world.key, columnKey: attendanceColumn, personId: "per-Ann" };
    const wanted = async () => (await world.stores.deliveries.find(key))?.desired?.score;
    expect(await wanted()).toBe(50);
    await excuse();
    expect(await wanted()).toBe(100);
    await world.session("made later", now() - 12 * hour);
    await enqueueRegrade(world.marking, world.key.courseId);
    await world.regrade();
    expect(await counted("made later")).toBe("EXCUSED");
    await world.leaves("Ann");
    await enqueueRegrade(world.marking, world.key.courseId);
    await world.regrade();
    expect(await counted("made later")).toBe("EXCUSED");
  });

  test("covers days in the course's time zone, even after that is learned or changed", async () => {
    const startsAt = Date.UTC(2026, 8, 13, 23, 30);
    await world.session("late", startsAt);
    await world.classroomSays("Ann", "late", "ABSENT", startsAt);
    await excuse({ from: "2026-09-13", to: "2026-09-13" });
    expect(await status("late")).toBe("EXCUSED");
    const whileSessionsChange: WhileSessionsChange = (course, change) =>
      gradeAfterChange(app(), course, "everybody", change);
    const rights = { role: "instructor", staffRole: null, testUser: false } as const;
    const launch = { rights, custom: { spaces_time_zone: "Europe/Berlin" } };
    await saveTimeZone({ ...app(), whileSessionsChange }, await world.course(), launch);
    await world.regrade();
    expect(await counted("late")).toBe("ABSENT");
    await changeTimeZone({ ...app(), whileSessionsChange }, await world.course(), "per-Ina", "UTC");
    await world.regrade();
    expect(await counted("late")).toBe("EXCUSED");
  });

  test("covers a session that is created during a regrade", async () => {
    const course = await world.course();
    await excuse();
    await enqueueRegrade(world.marking, course.id);
    const { regrades } = world.stores;
    const duringTheFirst = {
      ...regrades,
      progress: async (...given: Parameters<typeof regrades.progress>) => {
        if ((await world.stores.events.find(course.environment, "made now")) === null) {
          await world.session("made now", now() - 12 * hour);
          await enqueueRegrade(world.marking, course.id);
        }
        return regrades.progress(...given);
      },
    };
    await regradeCourse({ ...world.deps, regrades: duringTheFirst });
    expect(await counted("made now")).toBe("EXCUSED");
  });

  test.each([
    ["its days the wrong way round", { from: "2026-12-05", to: "2026-12-01" }, "excuse-dates"],
    ["more than a year", { from: "2026-01-01", to: "2028-01-01" }, "excuse-too-long"],
  ])("is refused with %s, and nothing changes", async (_what, days, code) => {
    await expect(excuse(days)).rejects.toMatchObject({ code });
    expect(await effects()).toEqual([]);
  });
});
