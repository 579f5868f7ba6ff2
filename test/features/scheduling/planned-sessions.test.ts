import { describe, expect, test } from "vitest";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { runPlan } from "../../../src/modules/scheduling/run-plan.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { nothingTried } from "../../../src/kernel/errors.ts";
import { refusal } from "../../../src/kernel/refusal.ts";
import { planSessions, resolvePlan } from "../../../src/modules/scheduling/plan-sessions.ts";
import { showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";
import { eventOf } from "../../support/builders/event.ts";

const mondays = (count: number) =>
  ({ every: "week", interval: 1, days: ["MO"], end: { kind: "count", count } }) as const;
const minute = 60_000;
const day = 24 * 60 * minute;

const database = await forAllTests(openEmptyStores());

let course: PlannedCourse;
forEachTest(async () => (course = await openPlannedCourse(database)));

const attendanceSummaries = async () => {
  const { live, next, past } = await showSessions(course.deps, { id: "bio" });
  return [...live, ...next, ...past].map(({ state }) => state);
};
const onlyPlan = async () => {
  return required((await course.plans())[0]);
};

describe("planned sessions", () => {
  test("are created in the classroom, each with its own event, across the change of clocks", async () => {
    await course.addMember("bio", "Ann", "learner");
    await course.plan({ recurrence: mondays(3), title: "Lesson {number} of {of}" });
    expect(course.classroom.events()).toEqual([]);
    expect(await attendanceSummaries()).toEqual(["to-make", "to-make", "to-make"]);
    await course.work();
    const events = course.classroom.events();
    expect(
      events.map(({ title, startsAt }) => [title, new Date(startsAt).toISOString().slice(0, 16)].join(" ")),
    ).toEqual([
      "Lesson 1 of 3 2026-10-19T08:00",
      "Lesson 2 of 3 2026-10-26T09:00",
      "Lesson 3 of 3 2026-11-02T09:00",
    ]);
    expect(events.map(({ attendeeIds }) => attendeeIds)).toEqual([["user-Ann"], ["user-Ann"], ["user-Ann"]]);
    const sent = course.classroom.calls().filter(({ operation }) => operation === "createEvent");
    expect(sent[0]?.body).toMatchObject({ hostId: "user-Tess", spaceId: course.spaceId });
    expect(await attendanceSummaries()).toEqual(["there", "there", "there"]);
    const sessions = await course.sessions();
    expect(new Set(sessions.map(({ seriesId }) => seriesId)).size).toBe(1);
    expect(sessions.map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId));
    expect(course.changed.filter((id) => id === "bio")).toHaveLength(3);
  });

  test("invite the sections they are for, and say so in lists", async () => {
    await course.addMember("bio", "Ann", "learner", ["s1"]);
    await course.addMember("bio", "Ben", "learner", ["s2"]);
    await course.plan({ sectionIds: ["s2"], counts: false });
    await course.work();
    expect(course.classroom.events()[0]?.attendeeIds).toEqual(["user-Ben"]);
    expect(await course.sessions()).toMatchObject([{ sectionIds: ["s2"], counts: false, seriesId: null }]);
  });

  test("are planned once, however often the button is pressed", async () => {
    await course.plan({ recurrence: mondays(2), batch: "the-same-page" });
    await course.work();
    await course.plan({ recurrence: mondays(2), batch: "the-same-page" });
    await course.work();
    expect(course.classroom.events()).toHaveLength(2);
  });

  test("of one of two courses that share a Space belong to that course, even if the webhook comes first", async () => {
    await course.addCourse("chem", "Chemistry");
    await course.plan({ courseId: "chem" });
    await course.work();
    const [event] = course.classroom.events();
    course.later(minute);
    await course.note(event?.eventId ?? "");
    expect(await course.sessions()).toEqual([]);
    expect(await course.stores.events.find("production", event?.eventId ?? "")).toMatchObject({
      courseId: "chem",
    });
  });

  test("wait while the classroom refuses for a moment, and are created once", async () => {
    course.classroom.addFault({ operation: "createEvent", kind: "429", times: 2 });
    await course.plan();
    await course.work();
    expect(course.classroom.events()).toHaveLength(1);
    expect(await attendanceSummaries()).toEqual(["there"]);
  });

  test("that the classroom refuses say why, and are retried when somebody asks", async () => {
    await course.stores.registrations.set("reg_1", { active: false });
    await course.plan();
    await course.work();
    const refused = await onlyPlan();
    expect(refused.state).toBe("failed");
    expect(refused).toMatchObject({ problemCode: "platform-inactive" });
    expect(refused.problem).toContain("switched off");
    expect(await attendanceSummaries()).toEqual(["failed"]);
    await course.stores.registrations.set("reg_1", { active: true });
    expect(await resolvePlan(course.deps, { id: "bio" }, (await onlyPlan()).id, "retry")).toBe(true);
    await course.work();
    expect(await attendanceSummaries()).toEqual(["there"]);
  });
});

test("planned sessions wait for a paused account, however long it is paused", async () => {
  const paused = refusal("classroom-resting", { temporary: true, details: nothingTried(10 * minute) });
  const classroomOf = (): never => {
    throw paused;
  };
  await course.plan();
  for (let tries = 0; tries < 60; tries += 1) {
    while (await runPlan({ ...course.deps, classroomOf }));
    course.later(10 * minute);
  }
  expect(await attendanceSummaries()).toEqual(["to-make"]);
  await course.work();
  expect(await attendanceSummaries()).toEqual(["there"]);
});

test("an account whose courses plan a whole term does not hold up a session of another account", async () => {
  const chem = await course.addCourse("chem");
  await course.plan({ recurrence: mondays(20) });
  course.later(minute);
  await planSessions(course.deps, { ...chem, environment: "staging" }, "per-Tess", {
    batch: "of another account",
    title: "Chemistry",
    occurrences: [{ date: "2026-10-19", startsAt: 1, endsAt: 2, oddity: null }],
    repeats: false,
    sectionIds: [],
    counts: true,
    spaceId: null,
  });
  course.later(minute);
  const now = course.time.now;
  const claim = (holder: string) => course.stores.sessionPlans.claimDue(holder, now, now + leaseMs);
  const claimed = [await claim("first"), await claim("second")];
  expect(claimed.map((plan) => plan?.environment)).toEqual(["production", "staging"]);
});

describe("a session that may or may not have been created", () => {
  const loseAnswer = async (takesEffect: boolean) => {
    course.classroom.addFault({ operation: "createEvent", kind: "drop", takesEffect });
    await course.plan();
    await course.work();
    expect(await attendanceSummaries()).toEqual(["unknown"]);
  };

  test("is never requested again unless an instructor says so", async () => {
    await loseAnswer(true);
    for (let days = 0; days < 30; days += 1) {
      course.later(day);
      await course.work();
    }
    expect(course.classroom.events()).toHaveLength(1);
    expect(await onlyPlan()).toMatchObject({ state: "unknown", task: null });
  });

  test("is found when the classroom reports it", async () => {
    await loseAnswer(true);
    const [event] = course.classroom.events();
    course.later(minute);
    await course.note(event?.eventId ?? "");
    expect(await attendanceSummaries()).toEqual(["there"]);
    expect(await course.sessions()).toMatchObject([{ eventId: event?.eventId }]);
  });

  test("is found even if the classroom reported it before the answer was missed", async () => {
    course.classroom.addFault({ operation: "createEvent", kind: "drop", takesEffect: true });
    await course.plan();
    const plan = await onlyPlan();
    await runPlan(course.deps);
    // As if the webhook had been processed while waiting for the answer.
    const [event] = course.classroom.events();
    await course.stores.events.save(
      eventOf({
        eventId: event?.eventId ?? "",
        spaceId: course.spaceId,
        title: plan.title,
        startsAt: plan.startsAt,
        endsAt: plan.endsAt,
        courseId: "bio",
      }),
    );
    course.later(minute);
    await course.work();
    expect(await attendanceSummaries()).toEqual(["there"]);
  });

  test("is not taken for another session at the same time", async () => {
    await loseAnswer(false);
    const plan = await onlyPlan();
    const other = course.classroom.createEvent({
      title: "Something else",
      spaceId: course.spaceId,
      startsAt: plan.startsAt,
      endsAt: plan.endsAt,
    });
    course.later(minute);
    await course.note(other.eventId);
    expect(await onlyPlan()).toMatchObject({ state: "unknown", eventId: null });
  });

  test("is created again when an instructor has looked and says so", async () => {
    await loseAnswer(false);
    expect(await resolvePlan(course.deps, { id: "bio" }, (await onlyPlan()).id, "again")).toBe(true);
    expect(await resolvePlan(course.deps, { id: "bio" }, (await onlyPlan()).id, "again")).toBe(false);
    course.later(minute);
    await course.work();
    expect(course.classroom.events()).toHaveLength(1);
    expect(await attendanceSummaries()).toEqual(["there"]);
  });

  test("rests when an instructor says that it exists, until it is seen", async () => {
    await loseAnswer(true);
    await resolvePlan(course.deps, { id: "bio" }, (await onlyPlan()).id, "there");
    await course.work();
    expect(await attendanceSummaries()).toEqual(["assumed"]);
    await course.note(course.classroom.events()[0]?.eventId ?? "");
    expect(await attendanceSummaries()).toEqual(["there"]);
  });

  test("is removed when it is not wanted, but not by another course's instructor", async () => {
    await loseAnswer(false);
    const { id } = await onlyPlan();
    expect(await resolvePlan(course.deps, { id: "chem" }, id, "drop")).toBe(false);
    expect(await resolvePlan(course.deps, { id: "bio" }, id, "drop")).toBe(true);
    expect(await attendanceSummaries()).toEqual([]);
  });

  test("is left by a process that was killed after its request: the next one does not request it again", async () => {
    await course.plan();
    const now = course.time.now;
    const dead = await course.stores.sessionPlans.claimDue("dead", now, now + leaseMs);
    expect(await course.stores.sessionPlans.markAsked(dead?.id ?? "", "dead", 0, now)).toBe(true);
    await course.work();
    expect(await attendanceSummaries(), "its claim holds").toEqual(["to-make"]);
    course.later(leaseMs);
    await course.work();
    expect(await attendanceSummaries()).toEqual(["unknown"]);
    expect(course.classroom.events()).toEqual([]);
  });

  test("is not one that was only claimed by a killed process", async () => {
    await course.plan();
    const now = course.time.now;
    await course.stores.sessionPlans.claimDue("dead", now, now + leaseMs);
    course.later(leaseMs);
    await course.work();
    expect(await attendanceSummaries()).toEqual(["there"]);
    expect(course.classroom.events()).toHaveLength(1);
  });
});

test("is found in the list of events if the classroom has one", async () => {
  await course.close();
  course = await openPlannedCourse(database, { changes: true });
  course.classroom.addFault({ operation: "createEvent", kind: "empty", takesEffect: true });
  await course.plan();
  await course.work();
  expect(await attendanceSummaries()).toEqual(["unknown"]);
  course.later(minute);
  await course.work();
  expect(await attendanceSummaries()).toEqual(["there"]);
  expect((await onlyPlan()).eventId).toBe(course.classroom.events()[0]?.eventId);
});

describe("the classroom's report of an event", () => {
  test("adds it as a session like others; one of a series remains one, whatever comes later", async () => {
    const series = course.classroom.createSeries({ title: "Lab", spaceId: course.spaceId, weeks: 2 });
    for (const { eventId } of series) await course.note(eventId, "EVENT_CREATED", "ALL");
    const timetable = await showSessions(course.deps, { id: "bio" });
    const shown = [...timetable.live, ...timetable.next, ...timetable.past];
    expect(shown).toMatchObject([
      { title: "Lab", found: true, series: "found" },
      { title: "Lab", found: true, series: "found" },
    ]);
    const [first] = series;
    course.classroom.updateEvent({ eventId: first?.eventId ?? "", title: "Lab one", scope: "CURRENT" });
    course.later(1);
    // A change of a single instance brings one webhook, and the other instance stays as it was.
    await course.note(first?.eventId ?? "", "EVENT_UPDATED", "CURRENT");
    expect((await course.sessions()).map(({ title }) => title)).toEqual(["Lab one", "Lab"]);
  });

  test("changes grades only when something has changed", async () => {
    const event = course.classroom.createEvent({ title: "Lab", spaceId: course.spaceId });
    await course.note(event.eventId);
    course.later(1);
    await course.note(event.eventId, "EVENT_UPDATED");
    expect(course.changed).toEqual(["bio"]);
    course.later(1);
    course.classroom.cancelEvent({ eventId: event.eventId });
    await course.note(event.eventId, "EVENT_CANCELLED");
    expect(course.changed).toEqual(["bio", "bio"]);
    expect(await attendanceSummaries()).toEqual(["cancelled"]);
  });

  test("with an unknown recurringUpdateType still means a series", async () => {
    const event = course.classroom.createEvent({ title: "Lab", spaceId: course.spaceId });
    await course.note(event.eventId, "EVENT_UPDATED", "SOMETHING_NEW");
    expect(await course.stores.events.find("production", event.eventId)).toMatchObject({ recurring: true });
  });
});

test("a dialect without addresses for changes is the default one, and one with them is accepted", () => {
  expect(parseDialect({}).operations.updateEvent.routes).toEqual([]);
  const given = {
    operations: { cancelEvent: { routes: [{ method: "DELETE", path: "/events/{eventId}" }] } },
  };
  expect(parseDialect(given).operations.cancelEvent.routes).toHaveLength(1);
});
