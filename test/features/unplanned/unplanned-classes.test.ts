import { beforeEach, describe, expect, test } from "vitest";
import { currentAttendanceOf } from "../../../src/domain/attendance.ts";
import { defaultUnplannedRule, type UnplannedRule } from "../../../src/domain/course.ts";
import { createTaskQueue } from "../../../src/tasks/task-queue.ts";
import { planReadings, readAgain } from "../../../src/modules/attendance/attendance-readings.ts";
import { applyNextMatch } from "../../../src/modules/matching/apply-matches.ts";
import { countUnmatched, listUnmatched } from "../../../src/modules/matching/list-unmatched.ts";
import { matchUser, undoMatch } from "../../../src/modules/matching/match-user.ts";
import { purge } from "../../../src/modules/operations/upkeep.ts";
import { listSessions } from "../../../src/modules/scheduling/list-sessions.ts";
import { findSession, ownRecord, showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import {
  answerClass,
  findClass,
  listWaiting,
  recheckTimetable,
  saveRule,
  showUnplanned,
} from "../../../src/modules/unplanned/answer-class.ts";
import { createSpaceChecks } from "../../../src/modules/presence/record-signals.ts";
import { checkNextSpace } from "../../../src/modules/unplanned/look-for-classes.ts";
import { sessionIdOf, type UnplannedClass } from "../../../src/modules/unplanned/rules/compare-classes.ts";
import { settleNext } from "../../../src/modules/unplanned/settle-class.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { ruleWith } from "../../support/builders/grading-course.ts";
import { giveSpace } from "../../support/builders/approve-space.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { spaceWebhooks, withoutClassroom } from "../../support/builders/space-webhooks.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";
import { processReceipts } from "../../support/process-receipts.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const minute = 60_000;
const hour = 60 * minute;

const course = await forAllTests(openRecordedCourse());
beforeEach(async () => {
  await course.restart();
  await person("Ina", "instructor");
  for (const name of ["Ada", "Ben", "Cem"]) await person(name, "learner");
});

const deps = () => withoutClassroom(course);

async function person(name: string, role: "instructor" | "learner"): Promise<void> {
  await course.enrol(name);
  await course.changed(name, { role, student: role === "learner" });
  await giveApiUser(course.stores.people, `per-${name}`, {
    userId: `user-${name}`,
    name,
    role: role === "instructor" ? "host" : "participant",
  });
}

const webhooks = spaceWebhooks(() => course, deps);
beforeEach(webhooks.begin);
const { at, joins, leaves, there, ended, receive } = webhooks;
/** The same signs in another Space. */
const inSpace = <T extends { spaceId: string }>(spaceId: string, signs: readonly T[]): T[] =>
  signs.map((one) => ({ ...one, spaceId }));
/** Moves the clock to a minute and does everything that is due by then. */
async function by(minutes: number): Promise<void> {
  webhooks.passTo(minutes);
  await work();
}
async function work(): Promise<void> {
  while ((await checkNextSpace(deps())) || (await settleNext(deps())));
}

const asked = async () => listWaiting(deps(), await course.course());
const told = (classes: readonly UnplannedClass[]) =>
  classes.map(({ startsAt, endsAt, learners }) =>
    [webhooks.minuteOf(startsAt), webhooks.minuteOf(endsAt), learners].join(" "),
  );
const only = async (): Promise<UnplannedClass> => {
  const [one, ...others] = await course.stores.unplannedClasses.listOfCourse(course.key.courseId, 0, 10);
  if (one === undefined || others.length > 0) throw new Error("not one class");
  return one;
};
const answer = async (to: "class" | "none", rule: UnplannedRule = defaultUnplannedRule) =>
  answerClass(deps(), await course.course(), await only(), { to, by: "per-Ina", rule });
/** Sets the rule as if it had always held, unless a moment is given. */
const setRule = async (rule: Partial<UnplannedRule>, id = course.key.courseId) =>
  course.stores.courses.setOption(id, "unplanned", { ...defaultUnplannedRule, ...rule });
const sessions = async () => listSessions(deps(), await course.course());
const currentOf = async (name: string) => {
  const record = await course.record(name, sessionIdOf(await only()));
  return record === null ? null : currentAttendanceOf(record);
};
const scores = async () => course.scores();

/** Ina with two learners, of whom Ben is late, without Cem. */
const lesson = () => [
  ...there("Ina", 0, 60),
  ...there("Ada", 0, 58),
  joins("Dan", 0),
  ...there("Ben", 15, 60),
  leaves("Dan", 60),
];
async function lessonWithDan(): Promise<void> {
  await person("Dan", "learner");
  await receive(...lesson());
  await by(90);
}
/** The class becomes a session, with the statuses that its people's time suggests. */
async function lessonMade(): Promise<void> {
  await lessonWithDan();
  await answer("class");
  await work();
}
/** Ina marks a learner of the class as excused. */
async function excuse(name: string): Promise<void> {
  const key = { ...course.key, eventId: sessionIdOf(await only()), personId: `per-${name}` };
  const said = { status: "EXCUSED", notes: null, reason: null, by: "per-Ina" } as const;
  const first = { id: "x", sectionIds: [] };
  await course.stores.attendance.correct(key, { ...said, at: course.clock.now() }, first);
}

describe("people met, and nothing was planned", () => {
  test("once they have been gone for a while, their instructor is asked once", async () => {
    await receive(joins("Ina", 0), joins("Ada", 2), joins("Ben", 2));
    await by(50);
    expect(await asked()).toEqual([]);
    await receive(leaves("Ada", 58), leaves("Ben", 58), leaves("Ina", 60));
    await by(70);
    expect(told(await asked())).toEqual([]);
    await by(80);
    expect(told(await asked())).toEqual(["2 58 2"]);
    await receive(ended(61), leaves("Ben", 58));
    await by(200);
    expect(told(await asked())).toEqual(["2 58 2"]);
  });

  test("late signs change the question, in any order and however often", async () => {
    const first = [...there("Ina", 0, 60), ...there("Ada", 0, 30), ...there("Ben", 0, 30)];
    await receive(...first.toReversed());
    await by(90);
    expect(told(await asked())).toEqual(["0 30 2"]);
    await receive(...there("Ada", 40, 60), ...first, ...there("Ben", 40, 60), ...there("Cem", 5, 60));
    await by(150);
    expect(told(await asked())).toEqual(["0 60 3"]);
  });
});

describe("a planned session", () => {
  test("absorbs classes that overlap it, even if it becomes known later", async () => {
    await lessonWithDan();
    expect(await asked()).toHaveLength(1);
    await course.session("e1", at(10));
    expect(await asked()).toEqual([]);
    await expect(answer("class")).rejects.toMatchObject({ code: "unplanned-class-planned" });
    await receive(ended(61));
    await by(120);
    expect(await course.stores.unplannedClasses.listOfCourse(course.key.courseId, 0, 10)).toEqual([]);
  });

  const cancels = async () => {
    const event = await course.stores.events.find("production", "e1");
    if (event !== null) await course.stores.events.save({ ...event, cancelled: true });
  };

  test("that was cancelled does not, unless its marks still count", async () => {
    await course.session("e1", at(0));
    await cancels();
    await lessonWithDan();
    expect(await asked()).toHaveLength(1);
    await course.classroomSays("Ada", "e1", "PRESENT", at(60));
    expect(await asked()).toEqual([]);
    await expect(answer("class")).rejects.toMatchObject({ code: "unplanned-class-planned" });
  });

  test.each([
    ["beforehand: a class that took place is asked about", -60, 1],
    ["afterwards: it is not asked about, whatever its marks", 75, 0],
  ])("that an instructor cancelled %s", async (_when, minute, count) => {
    await course.session("e1", at(0));
    await course.classroomSays("Ada", "e1", "PRESENT", at(60));
    await course.stores.events.cancelHere("production", "e1", at(minute));
    await lessonWithDan();
    expect(await asked()).toHaveLength(count);
  });

  test("entered later replaces ours, with marks made by hand, and returns it when moved away", async () => {
    const statusIn = async (eventId: string, name: string) => {
      const record = await course.record(name, eventId);
      return record === null ? null : (currentAttendanceOf(record)?.status ?? null);
    };
    await lessonMade();
    const { id } = await only();
    const ours = sessionIdOf({ id });
    await excuse("Cem");
    await course.session("e1", at(0));
    for (const name of ["Ada", "Ben", "Dan"]) await course.classroomSays(name, "e1", "PRESENT", at(60));
    await course.classroomSays("Cem", "e1", "ABSENT", at(60));
    await recheckTimetable(deps(), { id: course.key.courseId });
    await by(120);
    expect((await sessions()).map(({ eventId }) => eventId)).toEqual(["e1"]);
    expect([await statusIn("e1", "Cem"), await statusIn(ours, "Cem")]).toEqual(["EXCUSED", null]);
    expect((await scores())["per-Cem attendance"] ?? null, "excused, and nothing else").toBe(null);
    expect(await answer("none"), "there is nothing to take back").toBe(false);
    await course.session("e1", at(300));
    await recheckTimetable(deps(), { id: course.key.courseId });
    await by(150);
    expect((await sessions()).map(({ eventId }) => eventId)).toEqual(["e1", ours]);
    expect(await currentOf("Ben")).toMatchObject({ status: "LATE", source: "presence" });
  });

  test("entered later replaces an early one of many", async () => {
    await lessonMade();
    const made = await only();
    for (let later = 1; later <= 50; later += 1)
      await course.stores.unplannedClasses.add({
        ...made,
        led: "staff",
        id: `later-${later}`,
        spaceId: "lab",
        startsAt: at(60 * later),
      });
    await course.session("e1", at(0));
    await recheckTimetable(deps(), { id: course.key.courseId });
    await by(120);
    expect((await sessions()).map(({ eventId }) => eventId)).toEqual(["e1"]);
  });

  test("that was postponed is offered: one answer moves it, and undoing that restores it", async () => {
    await course.session("e1", at(0));
    for (const name of ["Ada", "Ben", "Cem"]) await course.classroomSays(name, "e1", "ABSENT", at(60));
    await setRule({ answer: "always" });
    await receive(...["Ina", "Ada", "Ben", "Cem"].flatMap((name) => there(name, 100, 160)));
    await by(200);
    const { waiting } = await showUnplanned(deps(), await course.course());
    expect(waiting.map(({ postponed }) => postponed.map(({ eventId }) => eventId))).toEqual([["e1"]]);
    const given = { to: "class", by: "per-Ina", rule: defaultUnplannedRule, eventId: "e1" } as const;
    await answerClass(deps(), await course.course(), await only(), given);
    await work();
    expect((await scores())["per-Ada attendance"]).toBe(100);
    expect((await sessions()).map(({ title, counts }) => [title, counts])).toEqual([
      ["Lesson e1", true],
      ["Lesson e1", false],
    ]);
    await answer("none");
    await work();
    expect((await scores())["per-Ada attendance"]).toBe(0);
  });
});

describe("a Space of several courses", () => {
  const history = () => course.otherCourse("history", null);
  const askedIn = async (id: string) => {
    const of = await course.stores.courses.find(id);
    return of === null ? [] : listWaiting(deps(), of);
  };
  const keptOf = async (spaceId: string) =>
    course.stores.unplannedClasses.listOfSpace("production", spaceId, { from: 0, to: at(600) });

  test("that both own: neither is asked", async () => {
    await giveSpace(course.stores, await history(), "space");
    await lessonWithDan();
    expect([...(await asked()), ...(await askedIn("history"))]).toEqual([]);
    expect(await keptOf("space")).toEqual([]);
  });

  test("that one links to and nobody owns: that one is asked", async () => {
    await course.links(await course.course(), "lab");
    await person("Dan", "learner");
    await receive(...inSpace("lab", lesson()));
    await by(90);
    expect(told(await asked())).toEqual(["0 60 3"]);
  });

  test("that both link to and nobody owns: neither is asked, not even by their rule", async () => {
    for (const one of [await course.course(), await history()]) {
      await course.links(one, "lab");
      await setRule({ answer: "always" }, one.id);
    }
    await person("Dan", "learner");
    await receive(...inSpace("lab", lesson()));
    await by(90);
    expect([...(await asked()), ...(await askedIn("history"))]).toEqual([]);
    expect(await keptOf("lab")).toEqual([]);
    expect(await sessions()).toEqual([]);
  });

  test("that one owns and another links to: the owner is asked", async () => {
    await course.links(await history(), "space");
    await lessonWithDan();
    expect(told(await asked())).toEqual(["0 60 3"]);
    expect(await askedIn("history")).toEqual([]);
  });
});

describe("a class that becomes a session", () => {
  /** Its session and register use the other times. */
  const answeredWithOtherTimes = async () => {
    const times = { startsAt: at(10), endsAt: at(50) };
    const named = { title: "Question hour" };
    const given = { to: "class", by: "per-Ina", rule: defaultUnplannedRule, times, named } as const;
    await answerClass(deps(), await course.course(), await only(), given);
    await work();
    expect(await sessions()).toMatchObject([{ ...times, ...named }]);
    expect(await currentOf("Ben")).toMatchObject({ status: "PRESENT", seen: { ms: 35 * minute } });
  };

  test("at other times than were found has a register of these times", async () => {
    await lessonWithDan();
    await answeredWithOtherTimes();
    await receive(...there("Cem", 5, 60));
    await by(130);
    expect([await asked(), (await currentOf("Cem"))?.status]).toEqual([[], "PRESENT"]);
  });

  test("has the later times if it is undone and answered with other times before the undo ends", async () => {
    await lessonMade();
    await answer("none");
    await answeredWithOtherTimes();
  });

  test("does not count somebody as absent who joined the course later", async () => {
    await lessonWithDan();
    const facts = { role: "learner", testUser: false, listName: "Eve", lastLaunchAt: at(90) } as const;
    const eve = { ...course.key, personId: "per-Eve" };
    await course.known("per-Eve", "Eve");
    await course.stores.members.recordLaunch(eve, facts, null, "mem-Eve", false, course.clock.now());
    await answer("class");
    await work();
    expect([await currentOf("Eve"), (await currentOf("Cem"))?.status]).toEqual([null, "ABSENT"]);
  });

  test("counts a learner who came by a joined account", async () => {
    const pair = { personId: "per-Ada", joinedTo: "per-Cem", joinedByOffice: false };
    await course.stores.members.join(course.key, pair);
    await lessonMade();
    expect((await scores())["per-Cem attendance"]).toBe(100);
  });

  test("has a register and grades, without a call to the classroom", async () => {
    await lessonWithDan();
    const shown = await showUnplanned(deps(), await course.course());
    expect(shown.waiting.map(({ suggested }) => suggested)).toEqual([{ PRESENT: 2, LATE: 1, ABSENT: 1 }]);
    expect(await answer("class")).toBe(true);
    expect(await answer("class")).toBe(false);
    await work();
    expect(await sessions()).toMatchObject([
      { title: "Unplanned class", startsAt: at(0), endsAt: at(60), cancelled: false, counts: true },
    ]);
    expect(await currentOf("Ada")).toMatchObject({
      status: "PRESENT",
      source: "presence",
      seen: { ms: 58 * minute, stays: [{ from: at(0), to: at(58) }] },
    });
    expect((await currentOf("Ben"))?.status).toBe("LATE");
    expect((await currentOf("Cem"))?.status).toBe("ABSENT");
    expect(await currentOf("Ina")).toBe(null);
    expect(await scores()).toMatchObject({
      "per-Ada attendance": 100,
      "per-Ben attendance": 80,
      "per-Cem attendance": 0,
    });
    expect(await course.audit()).toMatchObject([
      { what: "class-made-session", by: { personId: "per-Ina" }, session: { startsAt: at(0) }, count: 3 },
    ]);
    course.pass(24 * hour);
    await planReadings(deps());
    const eventId = sessionIdOf(await only());
    expect(await course.stores.attendanceReadings.find("production", eventId)).toBe(null);
    await expect(readAgain(deps(), await course.course(), eventId)).rejects.toMatchObject({
      code: "session-unknown",
    });
  });

  test("takes late signs as evidence, without asking again", async () => {
    await lessonMade();
    await receive(joins("Cem", 5), leaves("Cem", 60));
    await by(130);
    expect(await asked()).toEqual([]);
    expect(await currentOf("Cem")).toMatchObject({ status: "PRESENT", seen: { ms: 55 * minute } });
    expect((await scores())["per-Cem attendance"]).toBe(100);
    const { registrationId, courseId } = course.key;
    const eventId = sessionIdOf(await only());
    expect(await course.stores.attendance.listOfEvent(registrationId, courseId, eventId)).toHaveLength(4);
  });

  test("keeps a mark by hand, whatever is reported later", async () => {
    await lessonMade();
    await excuse("Cem");
    await receive(joins("Cem", 5), leaves("Cem", 60));
    await by(130);
    expect(await currentOf("Cem")).toMatchObject({
      status: "EXCUSED",
      source: "instructor",
      conflicting: null,
    });
    await expect(answer("none")).rejects.toMatchObject({ code: "unplanned-class-marked" });
  });

  test("has its column in a course with one for each session, and undoing leaves nothing to send", async () => {
    await course.setPolicy({ kind: "column-per-session", ...ruleWith({}) });
    await lessonMade();
    expect(Object.entries(await scores()).find(([key]) => key.startsWith("per-Ben"))?.[1]).toBe(80);
    await answer("none");
    await work();
    expect(await scores()).toEqual({});
  });

  test("by mistake can be undone, with its attendance and grades, and made again", async () => {
    await lessonMade();
    const key = `event:${sessionIdOf(await only())}`;
    const record = required(await findSession(deps(), await course.course(), key));
    await ownRecord(deps(), await course.course(), record, course.clock.now());
    expect(await answer("none")).toBe(true);
    await work();
    expect(await sessions()).toEqual([]);
    const { past } = await showSessions(deps(), await course.course());
    expect(past, "nor what was said about it").toEqual([]);
    expect(await currentOf("Ada")).toBe(null);
    expect((await scores())["per-Ada attendance"] ?? null).toBe(null);
    expect(await asked()).toEqual([]);
    await answer("class");
    await work();
    expect(await sessions()).toHaveLength(1);
    expect((await currentOf("Ada"))?.status).toBe("PRESENT");
  });

  test("finds its people, however many came to the Space since", async () => {
    await receive(...there("Ada", 0, 60), ...there("Ben", 300, 360));
    const of = { environment: "production", spaceId: "space" } as const;
    const found = await course.stores.presences.listOfSpace(of, { from: at(0), to: at(60) }, 1);
    expect(found.map(({ userId }) => userId)).toEqual(["user-Ada"]);
  });

  test("is not found by another course's instructor", async () => {
    await lessonWithDan();
    const other = await course.otherCourse("other", "elsewhere");
    await expect(findClass(deps(), other, (await only()).id)).rejects.toMatchObject({
      code: "unplanned-class-unknown",
    });
  });

  test("is completed once after a process was killed", async () => {
    await lessonWithDan();
    await answer("class");
    let writes = 0;
    const dying = deps();
    const attendance = {
      ...dying.attendance,
      suggest: async (...given: Parameters<typeof dying.attendance.suggest>) => {
        writes += 1;
        if (writes > 1) throw new Error("killed");
        await dying.attendance.suggest(...given);
      },
    };
    await settleNext({ ...dying, attendance });
    await by(100);
    expect(await sessions()).toHaveLength(1);
    for (const [name, status] of [
      ["Ada", "PRESENT"],
      ["Ben", "LATE"],
      ["Cem", "ABSENT"],
      ["Dan", "PRESENT"],
    ] as const)
      expect((await currentOf(name))?.status).toBe(status);
    expect((await scores())["per-Ben attendance"]).toBe(80);
  });
});

describe("somebody who is matched after the session was made", () => {
  const guest = (name: string) => [joins(name, 0), leaves(name, 60)];
  const guestComes = async () => {
    await receive(...["Ina", "Ada", "Ben"].flatMap((name) => there(name, 0, 60)), ...guest("guest"));
    await by(90);
  };
  const match = async (name: string, userId: string) => {
    const wanted = { userId, personId: `per-${name}`, confirmed: false };
    const done = await matchUser(deps(), await course.course(), "per-Ina", wanted);
    return done.kind === "matched" ? done.match.id : expect.fail("not matched");
  };
  const apply = async () => {
    while (await applyNextMatch(deps()));
  };
  beforeEach(async () => {
    for (const name of ["Eve", "Fay"]) await course.enrol(name);
  });

  test("has a status and a grade by their time, until the match is undone", async () => {
    await guestComes();
    await answer("class");
    await by(3 * 24 * 60);
    expect((await currentOf("Eve"))?.status).toBe("ABSENT");
    const id = await match("Eve", "user-guest");
    await apply();
    await work();
    expect(await currentOf("Eve")).toMatchObject({ status: "PRESENT", seen: { ms: 60 * minute } });
    expect(await scores()).toMatchObject({ "per-Eve attendance": 100, "per-Cem attendance": 0 });
    await undoMatch(deps(), await course.course(), "per-Ina", id);
    await apply();
    await work();
    expect((await currentOf("Eve"))?.status).toBe("ABSENT");
    expect(await scores()).toMatchObject({ "per-Eve attendance": 0 });
  });

  test("is on the page of unmatched people until then, and does not count as waiting", async () => {
    await guestComes();
    const unmatched = async () => listUnmatched(deps(), await course.course());
    const { id } = await only();
    const visitors = [{ userId: "user-guest", classes: [{ id, startsAt: at(0) }] }];
    expect(await unmatched()).toMatchObject({ users: [], visitors });
    expect(await countUnmatched(deps(), await course.course())).toBe(0);
    await answer("class");
    await work();
    expect((await unmatched()).visitors).toEqual(visitors);
    const taken = await match("Eve", "user-guest");
    await apply();
    await work();
    expect((await unmatched()).visitors).toEqual([]);
    await undoMatch(deps(), await course.course(), "per-Ina", taken);
    expect((await unmatched()).visitors).toEqual(visitors);
    await answer("none");
    await work();
    expect((await unmatched()).visitors).toEqual([]);
  });

  test("shares one check with many others, and people who were not there cause none", async () => {
    await receive(...there("Ina", 0, 60), ...there("Ada", 0, 60), ...there("Ben", 0, 60));
    await receive(...guest("guest"), ...guest("visitor"));
    await receive(...there("later", 200, 220));
    await by(240);
    await answer("class");
    await work();
    await match("Eve", "user-guest");
    await match("Fay", "user-visitor");
    await apply();
    expect([await settleNext(deps()), await settleNext(deps())]).toEqual([true, false]);
    for (const name of ["Eve", "Fay"]) expect((await currentOf(name))?.status).toBe("PRESENT");
    await course.enrol("Gus");
    await match("Gus", "user-later");
    await apply();
    expect([await checkNextSpace(deps()), await settleNext(deps())]).toEqual([false, false]);
  });

  test("is included in a class that still waits for an answer", async () => {
    await guestComes();
    await by(3 * 24 * 60);
    expect(told(await asked())).toEqual(["0 60 2"]);
    await match("Eve", "user-guest");
    await apply();
    await by(3 * 24 * 60 + 5);
    expect(told(await asked())).toEqual(["0 60 3"]);
  });
});

describe("the course's rule", () => {
  test("always makes it a session without an answer", async () => {
    await setRule({ answer: "always" });
    await lessonWithDan();
    expect(await asked()).toEqual([]);
    expect(await sessions()).toHaveLength(1);
    expect((await currentOf("Ada"))?.status).toBe("PRESENT");
    expect(await course.audit()).toMatchObject([{ what: "class-made-session", by: { personId: "rule" } }]);
  });

  test.each(["always", "never"] as const)("%s applies from now on: open questions stay", async (answer) => {
    await lessonWithDan();
    expect(await asked()).toHaveLength(1);
    await saveRule(deps(), await course.course(), "per-Ina", { ...defaultUnplannedRule, answer }, String);
    await receive(...there("Ina", 100, 101));
    await by(130);
    expect(told(await asked())).toEqual(["0 60 3"]);
    expect(await sessions()).toEqual([]);
    const names = ["Ina", "Ada", "Ben", "Cem", "Dan"];
    await receive(...names.flatMap((name) => there(name, 200, 260)));
    await by(300);
    expect(told(await asked()), "and not about the next").toEqual(["0 60 3"]);
    expect((await sessions()).map(({ startsAt }) => startsAt)).toEqual(answer === "always" ? [at(200)] : []);
  });

  test("is overridden by a rule that the institution locked, which nobody can change", async () => {
    const { registrationId } = course.key;
    const defaults = await course.stores.institutionDefaults.find(registrationId);
    const unplanned = { ...defaultUnplannedRule, answer: "never", lateAfter: 5 } as const;
    await setRule({ answer: "always" });
    const locked = { ...defaults, values: { unplanned }, locked: ["unplanned"] as const };
    await course.stores.institutionDefaults.change(locked, { regrades: false });
    await lessonWithDan();
    expect([...(await asked()), ...(await sessions())]).toEqual([]);
    expect((await course.course()).unplanned).toEqual(unplanned);
    const save = saveRule(deps(), await course.course(), "per-Ina", defaultUnplannedRule, String);
    await expect(save).rejects.toMatchObject({ code: "set-by-institution" });
    const own = await course.stores.courses.findOwn(course.key.courseId);
    expect(own?.unplanned, "the course's own returns with the lock").toMatchObject({ answer: "always" });
  });
});

describe("the cost of unplanned classes", () => {
  test("hundreds of signs of a class enqueue a check with a few writes, and no grade is computed", async () => {
    course.pass(30 * minute);
    let writes = 0;
    const { store } = course.stores.tasks;
    const enqueue = async (...given: Parameters<typeof store.enqueue>) => {
      writes += 1;
      return store.enqueue(...given);
    };
    const counting = { ...deps(), tasks: createTaskQueue({ ...store, enqueue }) };
    for (let n = 0; n < 200; n += 1) {
      const name = ["Ada", "Ben", "Cem"][n % 3] ?? "";
      const body = n % 2 === 0 ? joins(name, n / 10) : leaves(name, n / 10);
      await course.stores.receipts.insert(waitingReceipt(body, course.clock.now()));
    }
    while (await processReceipts(counting));
    expect(writes).toBeLessThanOrEqual(3);
    expect(await scores()).toEqual({});
  });

  test("signs that come right after a check get another one", async () => {
    const wishes = createSpaceChecks(deps());
    const want = () => {
      const long = course.clock.now() - hour;
      return wishes.enqueue(
        { environment: "production", spaceId: "space" },
        { leaves: true, firstAt: long, lastAt: long },
      );
    };
    await want();
    course.pass(6_000);
    await want();
    course.pass(4_500);
    expect([await checkNextSpace(deps()), await checkNextSpace(deps())]).toEqual([true, false]);
    await want();
    course.pass(minute);
    expect(await checkNextSpace(deps())).toBe(true);
  });

  test("questions are deleted with the webhooks after 90 days, but the session stays", async () => {
    await lessonMade();
    course.pass(91 * 24 * hour);
    await purge(deps());
    expect(await course.stores.unplannedClasses.listOfCourse(course.key.courseId, 0, 10)).toEqual([]);
    expect(await sessions()).toHaveLength(1);
  });
});
