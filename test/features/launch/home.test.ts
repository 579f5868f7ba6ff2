import { type ClassroomAlert, versionOf } from "../../../src/modules/alerts/rules/classroom-alert.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import type { Course } from "../../../src/domain/course.ts";
import { seeAlert } from "../../../src/modules/alerts/alerts.ts";
import { answerSetUp, presentAnswers, type SetUpAnswers } from "../../../src/modules/launch/set-up.ts";
import { lastRegisters, listAttention, showNextClass } from "../../../src/modules/launch/home.ts";
import { readRoster } from "../../../src/modules/members/roster-readings.ts";
import { showGradeSummary } from "../../../src/modules/grading/show-grades.ts";
import { showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import { eventOf, foundPlanOf } from "../../support/builders/event.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const hour = 3_600_000;

const world = await forAllTests(openRegisterCourse());
beforeEach(async () => {
  await world.empty();
  await world.known("per-Ina", "Ina Instructor");
});

async function nextClass() {
  const course = await world.course();
  return showNextClass(world.deps, course, await showSessions(world.deps, course));
}

async function attention(unsentAlarmAfter = hour) {
  const course = await world.course();
  const grades = await showGradeSummary({ ...world.deps, unsentAlarmAfter }, course);
  const timetable = await showSessions(world.deps, course);
  const deps = {
    ...world.deps,
    recordingSettingsOf: () => defaultDialect.recordings,
    isSpaceOrigin: () => false,
  };
  const items = await listAttention(deps, course, {
    grades: Promise.resolve(grades),
    timetable: Promise.resolve(timetable),
  });
  return items.map(({ kind, number, name }) => (name === null ? [kind, number] : [kind, number, name]));
}

/** Somebody enters, or waits to. */
async function comes(
  name: string,
  state: "entered" | "waiting",
  at: number,
  role: "learner" | "instructor" = "learner",
) {
  const { stores, key, clock } = world;
  const { id } = await stores.queuePositions.join({
    ...key,
    id: `plc-${name}`,
    ticket: `ticket-${name}`,
    environment: "production",
    personId: `per-${name}`,
    courseLinkId: null,
    role,
    locale: null,
    mobile: false,
    shown: "tab",
    calls: 1,
    arrivedAt: at,
    seenUntil: clock.now() + hour,
  });
  if (state === "waiting") return;
  // It admits the next person, so one at a time.
  const claimed = await stores.queuePositions.claimNext("production", "me", at, at + hour);
  expect(claimed?.id).toBe(id);
  const login = { login: "sealed", fingerprint: "f", usableUntil: at + hour };
  await stores.queuePositions.keepLogin(id, "me", login);
  expect(await stores.queuePositions.take(id, at)).not.toBeNull();
}

describe("The next session on an instructor's home", () => {
  test("is the earliest future one that is not cancelled, with the number of learners", async () => {
    for (const name of ["Ann", "Ben"]) await world.enrol(name);
    await world.leaves("Ben");
    const now = world.clock.now();
    await world.session("later", now + 48 * hour);
    await world.session("sooner", now + 24 * hour);
    await world.session("past", now - 24 * hour);
    const event = required(await world.stores.events.find("production", "sooner"));
    await world.stores.events.save({
      ...event,
      eventId: "called-off",
      startsAt: now + hour,
      cancelled: true,
    });
    const { classes } = await nextClass();
    expect(classes.map(({ session, live, expected }) => [session.title, live, expected])).toEqual([
      ["Lesson sooner", false, 1],
    ]);
  });

  test("is the current one, with the number of people who came, each counted once, and who wait", async () => {
    const now = world.clock.now();
    for (const name of ["Ann", "Ben", "Cem"]) await world.enrol(name);
    await world.session("on", now - 600_000);
    await world.session("next", now + 24 * hour);
    await comes("Ann", "entered", now - 300_000);
    await comes("Early", "entered", now - 3 * hour);
    for (const personId of ["per-Ann", "per-Dan"]) {
      const key = { ...world.key, personId };
      const times = { usableUntil: now + hour, retainedUntil: now + 2 * hour, usedAt: null };
      await world.stores.logins.keep({
        ...key,
        ...times,
        login: "x",
        fingerprint: "f",
        plan: "p",
        fetches: 1,
      });
      expect(await world.stores.logins.take(key, "f", now)).not.toBeNull();
    }
    await comes("Cem", "waiting", now);
    await comes("Ina", "waiting", now, "instructor");
    const { classes, waiting } = await nextClass();
    expect(classes.map(({ session, live, beenIn }) => [session.title, live, beenIn])).toEqual([
      ["Lesson on", true, 2],
    ]);
    expect(waiting).toBe(1);
  });

  test("counts only the learners of its sections", async () => {
    await world.enrol("Ann", ["1"]);
    await world.enrol("Ben", ["2", "1"]);
    await world.enrol("Cem", ["3"]);
    const count = (sections: readonly string[]) => world.stores.members.countLearners(world.key, sections);
    expect([await count([]), await count(["1"]), await count(["2", "3"]), await count(["9"])]).toEqual([
      3, 2, 2, 0,
    ]);
  });
});

describe("What needs an instructor's attention", () => {
  test("includes a learner's message until it is answered, with the register of the oldest, unless its session is gone", async () => {
    await world.enrol("Ann");
    await world.session("on", world.clock.now() + 24 * hour);
    const of = { ...world.key, personId: "per-Ann", says: "absent" as const, reason: "ill" };
    const open = { at: 5, answer: null, answeredBy: null, answeredAt: null };
    for (const eventId of ["on", "gone"])
      await world.stores.learnerWords.say({ id: `word-${eventId}`, ...of, eventId, ...open });
    expect(await attention()).toEqual([["words-open", 1]]);
    const answered = { answer: "no" as const, answeredBy: "per-Ina", answeredAt: 6, answerMark: "mark" };
    await world.stores.learnerWords.answer({ ...world.key, eventId: "on", personId: "per-Ann" }, 5, answered);
    expect(await attention()).toEqual([]);
  });

  test("includes refused scores, changed grades and scores that wait too long, in this order", async () => {
    for (const name of ["Ann", "Ben", "Cem"]) {
      await world.enrol(name);
      await world.fact(`per-${name}`, "e1", "PRESENT");
    }
    await world.session("e1");
    for (const name of ["Ann", "Ben", "Cem"]) await world.grade(`per-${name}`);
    expect(await attention()).toEqual([]);
    world.pass(2 * hour);
    expect(await attention()).toEqual([["scores-overdue", 3]]);
    const settle = async (name: string, state: "refused" | "held") => {
      const now = world.clock.now();
      const due = await world.stores.deliveries.claimDue(name, now, now + hour);
      if (due?.desired == null) throw new Error("nothing is due");
      await world.stores.deliveries.settle(due.id, name, due.desired.revision, { state, waitingSince: null });
    };
    await settle("one", "refused");
    await settle("two", "held");
    expect(await attention()).toEqual([
      ["scores-overdue", 1],
      ["scores-refused", 1],
      ["scores-held", 1],
    ]);
  });

  test("includes a list of people that failed several times, but not an LMS that was busy once", async () => {
    const { rosterSyncs, tasks } = world.stores;
    const problem = { code: "lms-failed", text: "busy" };
    const fails = async (again: number) => {
      const now = world.clock.now();
      await rosterSyncs.request(world.key, now);
      for (let attempt = 0; attempt < again; attempt += 1) {
        const task = required(await tasks.claim(readRoster, "worker", now, now + hour));
        await tasks.store.settle(task, "worker", { how: "failed", dueAt: now, at: now, problem });
      }
    };
    await fails(1);
    expect(await attention()).toEqual([]);
    await fails(3);
    expect(await attention()).toEqual([["roster-unreadable", 1]]);
  });

  test("includes a Space that lets in only invited people", async () => {
    const course = await world.course();
    await world.stores.courses.changeSettings(course.id, 0, { spaceAccess: "invited-only" });
    expect(await attention()).toEqual([["invited-only", 1]]);
  });

  test("includes a recording that can be watched, by the name of its session", async () => {
    const { courses, recordings } = world.stores;
    const now = world.clock.now();
    await courses.claimSpace("crs_1", "me", now, now + hour);
    await courses.keepSpace("crs_1", "me", "space");
    await world.session("e1", now - 2 * hour);
    expect(await attention()).toEqual([]);
    const name = { environment: "production" as const, recordingId: "rec_1", spaceId: "space" };
    await recordings.note(name, { availableAt: now - hour }, now);
    expect(await attention()).toEqual([["recordings-ready", 1, "Lesson e1"]]);
  });

  test("includes an alert of the classroom, until an instructor has seen its current state", async () => {
    await world.session("e1", world.clock.now() - 2 * hour);
    const alert: ClassroomAlert = {
      environment: "production",
      alertId: "alr_1",
      alertType: "EVENT_NO_SHOW",
      status: "OPEN",
      priority: null,
      assigneeId: null,
      eventId: "e1",
      closed: false,
      raisedAt: 1,
      changedAt: 1,
      readAt: 1,
      history: [],
      seen: null,
      revision: 1,
    };
    await world.stores.classroomAlerts.insert(alert);
    expect(await attention()).toEqual([["event-no-show", 1, "Lesson e1"]]);
    const sees = async (look: string) =>
      seeAlert(world.deps, await world.course(), { alertId: "alr_1", version: look, personId: "per-Ina" });
    const changed = { ...alert, priority: "HIGH" };
    await world.stores.classroomAlerts.replace(alert, changed);
    expect(await sees(versionOf(alert)), "it has changed since").toBe(false);
    expect(await attention()).toHaveLength(1);
    expect(await sees(versionOf(changed))).toBe(true);
    expect(await attention()).toEqual([]);
  });
});

test("Home links to the registers of the last five past sessions, complete or not, unless cancelled", async () => {
  const found = async () =>
    lastRegisters(await showSessions(world.deps, await world.course())).map(({ eventId }) => eventId);
  const { events, sessionPlans } = world.stores;
  const now = world.clock.now();
  await world.session("on now", now - hour / 2);
  expect(await found()).toEqual([]);
  await world.session("over", now - 700 * hour);
  for (const change of [{}, { deleted: true }, { cancelledHere: true, cancelledAt: now }]) {
    const eventId = ["cancelled", ...Object.keys(change)].join();
    const facts = { eventId, courseId: world.key.courseId, startsAt: now - 3 * hour, cancelled: true };
    await events.save(eventOf({ ...facts, ...change }));
  }
  const times = { startsAt: now - 2 * hour, endsAt: now - hour };
  const plan = foundPlanOf({ ...world.key, ...times, eventId: "never made" });
  await sessionPlans.insert([{ ...plan, origin: "planned", eventId: null, state: "failed" }], now);
  expect((await showSessions(world.deps, await world.course())).past).toHaveLength(5);
  await world.enrol("Ann");
  expect(await found(), "nobody is recorded").toEqual(["over"]);
  await world.fact("per-Ann", "over", "PRESENT");
  expect(await found(), "everybody is recorded").toEqual(["over"]);
  for (const at of [1, 2, 3, 4, 5]) await world.session(`lesson ${at}`, now - at * 24 * hour);
  expect(await found()).toEqual([1, 2, 3, 4, 5].map((at) => `lesson ${at}`));
});

describe("The first questions", () => {
  const answered = (course: Course, answers: Partial<SetUpAnswers>, seen: Partial<Course> = {}) =>
    answerSetUp(world.deps, course, {
      personId: "per-Ina",
      answers: { ...presentAnswers(course), ...answers },
      settingsRevision: seen.settingsRevision ?? course.settingsRevision,
      policyRevision: seen.policyRevision ?? course.policyRevision,
      policyText: ({ kind }) => kind,
      linesOf: (before, after) => [{ before: before.settings.mode, after: after.settings.mode }],
    });

  test("are answered with the current settings", async () => {
    expect(presentAnswers(await world.course())).toEqual({
      grading: "one-column",
      mode: "tab",
      learnersStart: false,
      opens: "always",
    });
  });

  test("change settings, entry window and policy by their usual ways, leave the rest alone, and are logged", async () => {
    const before = await world.course();
    const answers = {
      grading: "column-per-session",
      mode: "embedded",
      learnersStart: true,
      opens: "around-sessions",
    } as const;
    expect(await answered(before, answers)).toBe(true);
    const after = await world.course();
    expect(presentAnswers(after)).toEqual(answers);
    expect(after.setUp).toBe("done");
    expect(after.settings).toEqual({ ...before.settings, mode: "embedded", call: "anyone" });
    expect(after.policy).toEqual({ ...before.policy, kind: "column-per-session" });
    expect(
      (await world.audit()).map(({ what, before: was, after: now }) => [what, was, now].join(" ")),
    ).toEqual(["policy-changed one-column column-per-session", "settings-changed tab embedded"]);
  });

  test("with unchanged answers change nothing, but count as answered", async () => {
    const before = await world.course();
    expect(await answered(before, {})).toBe(true);
    expect(await world.course()).toEqual({ ...before, setUp: "done" });
    expect(await world.audit()).toEqual([]);
  });

  test("say so when somebody else was faster, and a second press succeeds", async () => {
    const before = await world.course();
    await world.stores.courses.changeSettings(before.id, 0, { spaceAccess: "waiting-room" });
    expect(await answered(before, { mode: "embedded", grading: "no-grades" })).toBe(false);
    expect(await world.course()).toMatchObject({
      setUp: "open",
      settings: before.settings,
      policy: before.policy,
    });
    const now = await world.course();
    expect(await answered(now, { mode: "embedded", grading: "no-grades" })).toBe(true);
    expect(await world.course()).toMatchObject({
      setUp: "done",
      spaceAccess: "waiting-room",
      policy: { kind: "no-grades" },
    });
  });

  test("restore the default policy after a change to no grades and back", async () => {
    await answered(await world.course(), { grading: "no-grades" });
    await answered(await world.course(), { grading: "one-column" });
    expect((await world.course()).policy).toMatchObject({ kind: "one-column", points: 100 });
  });
});
