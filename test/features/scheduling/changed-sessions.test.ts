import { afterEach, describe, expect, test } from "vitest";
import { runPlan } from "../../../src/modules/scheduling/run-plan.ts";
import {
  cancelSessions,
  changeSessions,
  type SessionChange,
  whatCanChange,
} from "../../../src/modules/scheduling/change-sessions.ts";
import { resolvePlan } from "../../../src/modules/scheduling/plan-sessions.ts";
import { findSession, showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import type { SeriesScope } from "../../../src/modules/scheduling/rules/course-session.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const mondays = { every: "week", interval: 1, days: ["MO"], end: { kind: "count", count: 3 } } as const;
const database = await forAllTests(openEmptyStores());

const open: PlannedCourse[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function opened(options: { changes?: boolean; made?: boolean } = {}): Promise<PlannedCourse> {
  const course = await openPlannedCourse(database, options);
  open.push(course);
  await course.plan({ recurrence: mondays });
  if (options.made !== false) await course.work();
  return course;
}

/** The session counted from the first one. */
async function session(course: PlannedCourse, number: number) {
  const { next } = await showSessions(course.deps, { id: "bio" });
  return required(await findSession(course.deps, await course.courseOf("bio"), next[number - 1]?.key ?? ""));
}

async function change(course: PlannedCourse, number: number, scope: SeriesScope, to: SessionChange) {
  course.later(1_000);
  const seen = { record: await session(course, number), scope };
  return changeSessions(course.deps, await course.courseOf("bio"), "per-Tess", seen, to);
}

async function cancel(course: PlannedCourse, number: number, scope: SeriesScope) {
  course.later(1_000);
  const seen = { record: await session(course, number), scope };
  return cancelSessions(course.deps, await course.courseOf("bio"), "per-Tess", seen);
}

const atNine = { date: null, time: "09:00", minutes: 30, timeZone: "Europe/Berlin" };
const starts = (course: PlannedCourse) =>
  course.classroom.events().map(({ startsAt }) => new Date(startsAt).toISOString().slice(5, 16));

describe("where the classroom lets us change events", () => {
  test("this one and all that follow begin at another time on the wall, the one before stays", async () => {
    const course = await opened({ changes: true });
    expect(await change(course, 2, "following", { times: atNine })).toEqual({ changed: 2, notHere: 0 });
    expect(starts(course), "the classroom learns it in the background").toEqual([
      "10-19T08:00",
      "10-26T09:00",
      "11-02T09:00",
    ]);
    await course.work();
    expect(starts(course)).toEqual(["10-19T08:00", "10-26T08:00", "11-02T08:00"]);
    expect((await course.sessions()).map(({ endsAt, startsAt }) => (endsAt ?? 0) - (startsAt ?? 0))).toEqual([
      60 * 60_000,
      30 * 60_000,
      30 * 60_000,
    ]);
  });

  test("one is moved to another day, and renamed", async () => {
    const course = await opened({ changes: true });
    await change(course, 1, "one", { times: { ...atNine, date: "2026-10-20" }, title: "Moved {number}" });
    await course.work();
    expect(course.classroom.events()[0]).toMatchObject({ title: "Moved 1" });
    expect(starts(course)[0]).toBe("10-20T07:00");
  });

  test("all are cancelled there; ones that have begun stay", async () => {
    const course = await opened({ changes: true });
    course.time.now = Date.UTC(2026, 9, 19, 8, 30);
    expect(await cancel(course, 1, "all")).toEqual({ changed: 2, notHere: 0 });
    await course.work();
    expect(course.classroom.events().map(({ status }) => status)).toEqual([
      "SCHEDULED",
      "CANCELLED",
      "CANCELLED",
    ]);
    expect((await course.sessions()).map(({ cancelled }) => cancelled)).toEqual([false, true, true]);
  });

  test("one that was deleted there meanwhile counts as cancelled", async () => {
    const course = await opened({ changes: true });
    course.classroom.deleteEvent({ eventId: course.classroom.events()[0]?.eventId ?? "" });
    await change(course, 1, "one", { times: atNine });
    await course.work();
    expect((await course.sessions())[0]).toMatchObject({ cancelled: true });
  });

  test("a change to which the classroom answers with a page has not been made, and can be tried again", async () => {
    const course = await opened({ changes: true });
    course.classroom.addFault({ operation: "updateEvent", kind: "garbage" });
    await change(course, 1, "one", { times: atNine });
    await course.work();
    const [shown] = (await showSessions(course.deps, { id: "bio" })).next;
    expect(shown?.state).toBe("not-changed");
    expect(await resolvePlan(course.deps, { id: "bio" }, shown?.key ?? "", "retry")).toBe(true);
    await course.work();
    expect(starts(course)[0]).toBe("10-19T07:00");
    expect((await showSessions(course.deps, { id: "bio" })).next[0]?.state).toBe("there");
  });

  test("one of a series that was made there is left to the classroom", async () => {
    const course = await opened({ changes: true, made: false });
    const [lab] = course.classroom.createSeries({
      title: "Lab",
      spaceId: course.spaceId,
      weeks: 2,
      startsAt: course.time.now + course.hour,
    });
    await course.note(lab?.eventId ?? "", "EVENT_CREATED", "ALL");
    const record = required(
      await findSession(course.deps, await course.courseOf("bio"), `event:${lab?.eventId ?? ""}`),
    );
    expect(whatCanChange(course.deps, record)).toEqual({
      times: "elsewhere",
      cancel: "elsewhere",
      titleIsSent: false,
    });
  });
});

describe("where the classroom offers no way to change events", () => {
  test("times stay and it is said; names are shown here, sections and counting are ours", async () => {
    const course = await opened();
    const own = { sectionIds: ["s1"], counts: false };
    expect(await change(course, 1, "all", { times: atNine, title: "Week {number}", own })).toEqual({
      changed: 3,
      notHere: 3,
    });
    await course.work();
    expect(starts(course)).toEqual(["10-19T08:00", "10-26T09:00", "11-02T09:00"]);
    expect(course.classroom.events()[0]?.title).toBe("Lesson 1");
    expect(await course.sessions()).toMatchObject([
      { title: "Week 1", sectionIds: ["s1"], counts: false },
      { title: "Week 2", sectionIds: ["s1"], counts: false },
      { title: "Week 3", sectionIds: ["s1"], counts: false },
    ]);
    expect(course.changed.at(-1)).toBe("bio");
  });

  test("a made session is cancelled in the classroom itself, and we notice", async () => {
    const course = await opened();
    expect(await cancel(course, 1, "one")).toEqual({ changed: 0, notHere: 1 });
    const eventId = course.classroom.events()[0]?.eventId ?? "";
    course.classroom.cancelEvent({ eventId });
    course.later(1);
    await course.note(eventId, "EVENT_CANCELLED");
    expect((await course.sessions())[0]).toMatchObject({ cancelled: true });
  });

  test("what was not made yet can be changed and cancelled all the same", async () => {
    const course = await opened({ made: false });
    expect(await change(course, 1, "one", { times: atNine })).toEqual({ changed: 1, notHere: 0 });
    expect(await cancel(course, 2, "following")).toEqual({ changed: 2, notHere: 0 });
    await course.work();
    expect(starts(course)).toEqual(["10-19T07:00"]);
  });

  test("something may be said about a session that was made there, by two people at once, too", async () => {
    const course = await opened({ made: false });
    const { eventId } = course.classroom.createEvent({
      title: "Lab",
      spaceId: course.spaceId,
      startsAt: course.time.now + course.hour,
    });
    await course.note(eventId);
    const biology = await course.courseOf("bio");
    const record = required(await findSession(course.deps, biology, `event:${eventId}`));
    const seen = { record, scope: "one" } as const;
    await Promise.all(
      ["s1", "s2"].map((id) =>
        changeSessions(course.deps, biology, "per-Tess", seen, { own: { sectionIds: [id], counts: true } }),
      ),
    );
    const lab = (await course.sessions()).find(({ title }) => title === "Lab");
    expect(lab?.sectionIds).toHaveLength(1);
    const plans = await course.plans();
    expect(plans.filter((plan) => plan.eventId === eventId)).toHaveLength(1);
  });
});

describe("while it is being made by another process", () => {
  /** The process has asked, and the classroom takes its time to answer. */
  async function being(options: { changes: boolean }) {
    const course = await opened({ ...options, made: false });
    const asked = Promise.withResolvers<undefined>();
    const answered = Promise.withResolvers<undefined>();
    const maker = runPlan({
      ...course.deps,
      classroomOf: () => ({
        ...course.client,
        createEvent: async (...wanted) => {
          const made = await course.client.createEvent(...wanted);
          asked.resolve(undefined);
          await answered.promise;
          return made;
        },
      }),
    });
    await asked.promise;
    return {
      course,
      /** The answer comes, and everybody does what is left to do. */
      answer: async () => {
        answered.resolve(undefined);
        await maker;
        await course.work();
      },
    };
  }

  test("a session that is changed is made once, and changed in the classroom as soon as it is there", async () => {
    const { course, answer } = await being({ changes: true });
    expect(await change(course, 1, "one", { times: atNine, title: "Earlier" })).toEqual({
      changed: 1,
      notHere: 0,
    });
    await course.work();
    expect(starts(course)[0], "nobody else asks for it meanwhile").toBe("10-19T08:00");
    await answer();
    expect(starts(course)).toEqual(["10-19T07:00", "10-26T09:00", "11-02T09:00"]);
    expect(course.classroom.events()[0]).toMatchObject({ title: "Earlier" });
    expect((await course.sessions())[0]).toMatchObject({ title: "Earlier" });
  });

  test("a session that is cancelled is cancelled in the classroom as soon as it is there", async () => {
    const { course, answer } = await being({ changes: true });
    expect(await cancel(course, 1, "one")).toEqual({ changed: 1, notHere: 0 });
    await answer();
    expect(course.classroom.events().map(({ status }) => status)).toEqual([
      "CANCELLED",
      "SCHEDULED",
      "SCHEDULED",
    ]);
    expect((await course.sessions()).map(({ cancelled }) => cancelled)).toEqual([true, false, false]);
  });

  test("a session that is changed and then cancelled is cancelled, and the answer comes last", async () => {
    const { course, answer } = await being({ changes: true });
    await change(course, 1, "one", { times: atNine });
    await cancel(course, 1, "one");
    await answer();
    expect(course.classroom.events()).toHaveLength(3);
    expect((await course.sessions())[0]).toMatchObject({ cancelled: true });
  });

  test("where the classroom offers no way, it is made as it was asked for, and it is said", async () => {
    const { course, answer } = await being({ changes: false });
    expect(await change(course, 1, "one", { times: atNine, title: "Earlier" })).toEqual({
      changed: 1,
      notHere: 1,
    });
    expect(await cancel(course, 1, "one")).toEqual({ changed: 0, notHere: 1 });
    await answer();
    expect(starts(course)[0]).toBe("10-19T08:00");
    expect((await course.sessions())[0]).toMatchObject({ title: "Earlier", cancelled: false });
  });

  test("what is said of its grades meanwhile holds", async () => {
    const { course, answer } = await being({ changes: false });
    const own = { sectionIds: ["s1"], counts: false };
    await change(course, 1, "one", { own });
    await answer();
    expect((await course.sessions())[0]).toMatchObject(own);
  });

  test("a session that was changed before it was asked for is not asked for as it was", async () => {
    const course = await opened({ made: false });
    const now = course.time.now;
    const claimed = await course.stores.sessionPlans.claimDue("maker", now, now + 10_000);
    await cancel(course, 1, "one");
    expect(await course.stores.sessionPlans.markAsked(claimed?.id ?? "", "maker", 0, now)).toBe(false);
  });
});
