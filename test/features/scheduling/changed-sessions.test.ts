import { describe, expect, test } from "vitest";
import { runPlan } from "../../../src/modules/scheduling/run-plan.ts";
import {
  cancelSessions,
  changeSessions,
  restoreSessions,
  type SessionChange,
  whatCanChange,
} from "../../../src/modules/scheduling/change-sessions.ts";
import { resolvePlan } from "../../../src/modules/scheduling/plan-sessions.ts";
import { refreshEvent, restoreAttended } from "../../../src/modules/scheduling/keep-event.ts";
import { uncountedSessions } from "../../../src/modules/scheduling/list-sessions.ts";
import { findSession, showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import type { SeriesScope } from "../../../src/modules/scheduling/rules/course-session.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { closedAfterTest, forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const mondays = { every: "week", interval: 1, days: ["MO"], end: { kind: "count", count: 3 } } as const;
const database = await forAllTests(openEmptyStores());

const trailOfBio = { registrationId: "reg_1", courseId: "bio", personId: null };

async function opened(options: { changes?: boolean; made?: boolean } = {}): Promise<PlannedCourse> {
  const course = closedAfterTest(await openPlannedCourse(database, options));
  await course.plan({ recurrence: mondays });
  if (options.made !== false) await course.work();
  return course;
}

/** The session with this number. */
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

describe("if the classroom lets us change events", () => {
  test("this one and all later ones get another local time, and the one before stays", async () => {
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

  test("one can be moved to another day and renamed", async () => {
    const course = await opened({ changes: true });
    await change(course, 1, "one", { times: { ...atNine, date: "2026-10-20" }, title: "Moved {number}" });
    await course.work();
    expect(course.classroom.events()[0]).toMatchObject({ title: "Moved 1" });
    expect(starts(course)[0]).toBe("10-20T07:00");
  });

  test("all are cancelled there, except those that have begun", async () => {
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

  test("one that was deleted there counts as cancelled", async () => {
    const course = await opened({ changes: true });
    course.classroom.deleteEvent({ eventId: course.classroom.events()[0]?.eventId ?? "" });
    await change(course, 1, "one", { times: atNine });
    await course.work();
    expect((await course.sessions())[0]).toMatchObject({ cancelled: true });
  });

  test("a change that the classroom answers with a page was not made, and can be retried", async () => {
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

  test("one of a series created there is moved there, and cancelled here", async () => {
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
      cancel: "here",
      titleIsSent: false,
    });
  });
});

describe("if the classroom offers no way to change events", () => {
  test("times stay, as the page says; names are shown here, and sections and counting are ours", async () => {
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

  test("sessions that are not created yet can still be changed and cancelled", async () => {
    const course = await opened({ made: false });
    expect(await change(course, 1, "one", { times: atNine })).toEqual({ changed: 1, notHere: 0 });
    expect(await cancel(course, 2, "following")).toEqual({ changed: 2, notHere: 0 });
    await course.work();
    expect(starts(course)).toEqual(["10-19T07:00"]);
  });

  test("settings of a session created there can be saved, even by two people at once", async () => {
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

describe("a session that the classroom does not let us cancel", () => {
  const eventOf = (course: PlannedCourse, number: number) =>
    course.classroom.events()[number - 1]?.eventId ?? "";
  const undo = async (course: PlannedCourse, number: number, scope: SeriesScope = "one") => {
    course.later(1_000);
    const seen = { record: await session(course, number), scope };
    return restoreSessions(course.deps, await course.courseOf("bio"), "per-Tess", seen);
  };
  const cancelled = async (course: PlannedCourse) =>
    (await course.sessions()).map((one) => one.cancelledHere === true && one.cancelled && !one.counts);
  const trail = async (course: PlannedCourse) =>
    (await course.stores.courseAudit.list(trailOfBio, null, 20)).map(({ what, by }) => [what, by.personId]);
  const whatIs = async (course: PlannedCourse, number: number) =>
    whatCanChange(course.deps, await session(course, number)).cancel;

  test("is cancelled here and counts nowhere, and the classroom keeps it", async () => {
    const course = await opened();
    expect(await whatIs(course, 1)).toBe("here");
    expect(await cancel(course, 1, "one")).toEqual({ changed: 1, notHere: 0 });
    expect(await cancelled(course)).toEqual([true, false, false]);
    expect(course.classroom.events()[0]).toMatchObject({ status: "SCHEDULED" });
    expect(await uncountedSessions(course.deps, { id: "bio" })).toEqual(
      new Map([[eventOf(course, 1), "left-out"]]),
    );
    expect(course.changed.at(-1), "its grades follow").toBe("bio");
    expect(await trail(course)).toContainEqual(["session-cancelled", "per-Tess"]);
  });

  test("is restored unchanged when that is undone", async () => {
    const course = await opened();
    const [before] = await course.sessions();
    await cancel(course, 1, "one");
    expect(await whatIs(course, 1)).toBe("undo");
    expect(await undo(course, 1)).toEqual({ changed: 1, notHere: 0 });
    expect((await course.sessions())[0]).toEqual(before);
    expect(await uncountedSessions(course.deps, { id: "bio" })).toEqual(new Map());
    expect(await trail(course)).toContainEqual(["session-restored", "per-Tess"]);
    expect(await undo(course, 1), "undone once").toEqual({ changed: 0, notHere: 0 });
  });

  test.each<[string, SeriesScope, boolean[]]>([
    ["alone", "one", [false, true, false]],
    ["with all later ones", "following", [false, true, true]],
    ["with the whole series, except those that have begun", "all", [false, true, true]],
  ])("is cancelled %s", async (_how, scope, after) => {
    const course = await opened();
    course.time.now = Date.UTC(2026, 9, 19, 8, 30);
    const { live } = await showSessions(course.deps, { id: "bio" });
    expect(live, "the first is on").toHaveLength(1);
    await cancel(course, 1, scope);
    expect(await cancelled(course)).toEqual(after);
    await undo(course, 1, scope);
    expect(await cancelled(course)).toEqual([false, false, false]);
  });

  test("is not found by another course's instructor", async () => {
    const course = await opened();
    const { plan } = await session(course, 1);
    const other = await course.addCourse("chem", "Chemistry", await course.anotherSpace("Chemistry"));
    for (const key of [required(plan).id, `event:${eventOf(course, 1)}`]) {
      expect(await findSession(course.deps, await course.courseOf("bio"), key)).not.toBeNull();
      expect(await findSession(course.deps, other, key)).toBeNull();
    }
  });

  test("can be cancelled afterwards if it did not take place", async () => {
    const course = await opened();
    const record = await session(course, 1);
    course.time.now = Date.UTC(2026, 9, 20);
    const seen = { record, scope: "following" } as const;
    await cancelSessions(course.deps, await course.courseOf("bio"), "per-Tess", seen);
    expect(await cancelled(course)).toEqual([true, true, true]);
  });

  test("is cancelled once by a double click in three processes", async () => {
    const course = await opened();
    const seen = { record: await session(course, 1), scope: "one" } as const;
    const bio = await course.courseOf("bio");
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => cancelSessions(course.deps, bio, "per-Tess", seen)),
    );
    expect(outcomes.map(({ changed }) => changed).sort()).toEqual([0, 0, 1]);
    expect((await trail(course)).filter(([what]) => what === "session-cancelled")).toHaveLength(1);
  });

  test("stays cancelled when the classroom is read again, even if that had begun before", async () => {
    const course = await opened();
    let once = true;
    const { saveNewer } = course.deps.events;
    const events = {
      ...course.deps.events,
      saveNewer: async (...given: Parameters<typeof saveNewer>) => {
        if (once) {
          once = false;
          await cancel(course, 1, "one");
        }
        return saveNewer(...given);
      },
    };
    const read = {
      environment: "production",
      eventId: eventOf(course, 1),
      eventType: "EVENT_CREATED",
    } as const;
    await refreshEvent({ ...course.deps, events }, { ...read, at: course.time.now });
    expect(await cancelled(course)).toEqual([true, false, false]);
    // By the classroom's clock it was created after it was cancelled here.
    await refreshEvent(course.deps, { ...read, at: course.time.now + 60_000 });
    expect(await cancelled(course)).toEqual([true, false, false]);
  });

  test("takes place again when the classroom reports a later change of it", async () => {
    const course = await opened();
    const eventId = eventOf(course, 1);
    course.classroom.updateEvent({ eventId, startsAt: Date.UTC(2026, 9, 19, 12), scope: "CURRENT" });
    await course.note(eventId, "EVENT_UPDATED");
    await cancel(course, 1, "one");
    await course.note(eventId, "EVENT_UPDATED");
    expect(await cancelled(course)).toEqual([true, false, false]);
    course.later(1_000);
    await course.note(eventId, "EVENT_UPDATED");
    expect(await cancelled(course)).toEqual([false, false, false]);
    expect((await trail(course)).filter(([what]) => what === "session-on-again")).toHaveLength(1);
  });

  test("that the classroom cancels as well can't be restored here", async () => {
    const course = await opened();
    await cancel(course, 1, "one");
    const eventId = eventOf(course, 1);
    course.classroom.cancelEvent({ eventId });
    course.later(1);
    await course.note(eventId, "EVENT_CANCELLED");
    expect(await whatIs(course, 1)).toBeNull();
    expect(await undo(course, 1)).toEqual({ changed: 0, notHere: 0 });
    expect(await cancelled(course)).toEqual([true, false, false]);
  });

  test.each<[string, { status: string; after: number; over?: boolean }, boolean]>([
    ["takes place again when a learner attended it", { status: "PRESENT", after: 1_000 }, false],
    ["takes place again when a learner came late", { status: "LATE", after: 1_000 }, false],
    ["stays cancelled when everybody was absent", { status: "ABSENT", after: 1_000 }, true],
    ["stays cancelled for earlier marks", { status: "PRESENT", after: -1_000 }, true],
    ["stays cancelled if it was over", { status: "PRESENT", after: 1_000, over: true }, true],
  ])("%s", async (_what, { status, after, over = false }, stays) => {
    const course = await opened();
    const seen = { record: await session(course, 1), scope: "one" } as const;
    if (over) course.time.now = Date.UTC(2026, 9, 20);
    await cancelSessions(course.deps, await course.courseOf("bio"), "per-Tess", seen);
    const event = required(await course.stores.events.find("production", eventOf(course, 1)));
    await restoreAttended(course.deps, event, { status, at: course.time.now + after });
    expect((await cancelled(course))[0]).toBe(stays);
    expect((await trail(course)).some(([what]) => what === "session-on-again")).toBe(!stays);
  });
});

describe("while another process is creating it", () => {
  /** The process has sent the request, and the classroom is slow to answer. */
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
      /** The answer comes, and everything left is done. */
      answer: async () => {
        answered.resolve(undefined);
        await maker;
        await course.work();
      },
    };
  }

  test("a changed session is created once, and changed in the classroom as soon as it exists", async () => {
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

  test("a cancelled session is cancelled in the classroom as soon as it exists", async () => {
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

  test("a session that is changed and then cancelled is cancelled, even if the answer comes last", async () => {
    const { course, answer } = await being({ changes: true });
    await change(course, 1, "one", { times: atNine });
    await cancel(course, 1, "one");
    await answer();
    expect(course.classroom.events()).toHaveLength(3);
    expect((await course.sessions())[0]).toMatchObject({ cancelled: true });
  });

  test("without a way to change it, it is created as planned, and the page says so", async () => {
    const { course, answer } = await being({ changes: false });
    expect(await change(course, 1, "one", { times: atNine, title: "Earlier" })).toEqual({
      changed: 1,
      notHere: 1,
    });
    await answer();
    expect(starts(course)[0]).toBe("10-19T08:00");
    expect((await course.sessions())[0]).toMatchObject({ title: "Earlier", cancelled: false });
  });

  test("without a way to cancel it, it is cancelled here as soon as it exists", async () => {
    const { course, answer } = await being({ changes: false });
    expect(await cancel(course, 1, "one")).toEqual({ changed: 1, notHere: 0 });
    await answer();
    await course.work();
    expect(course.classroom.events()[0]).toMatchObject({ status: "SCHEDULED" });
    expect((await course.sessions())[0]).toMatchObject({ cancelled: true, cancelledHere: true });
  });

  test("a decision about its grades in between counts", async () => {
    const { course, answer } = await being({ changes: false });
    const own = { sectionIds: ["s1"], counts: false };
    await change(course, 1, "one", { own });
    await answer();
    expect((await course.sessions())[0]).toMatchObject(own);
  });

  test("a session that is changed before its request is not requested in its old form", async () => {
    const course = await opened({ made: false });
    const now = course.time.now;
    const claimed = await course.stores.sessionPlans.claimDue("maker", now, now + 10_000);
    await cancel(course, 1, "one");
    expect(await course.stores.sessionPlans.markAsked(claimed?.id ?? "", "maker", 0, now)).toBe(false);
  });
});
