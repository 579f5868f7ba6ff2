import { versionOf } from "../../../src/modules/alerts/rules/classroom-alert.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AlertReply } from "../../../src/classroom/client.ts";
import { handleAlert, listAlerts, listOpenAlerts, seeAlert } from "../../../src/modules/alerts/alerts.ts";
import { type AlertFilter, type AlertsPage, listAllAlerts } from "../../../src/modules/operations/courses.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { required } from "../../support/required.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
let course: MatchingCourse;
let lesson: string;
let now: AlertReply | null | Error;
beforeEach(async () => {
  course = await openMatchingCourse({ from: database });
  lesson = await course.held(3_600_000);
  now = alert({});
});
afterEach(() => course.close());

const alert = (facts: Partial<AlertReply>): AlertReply => ({
  alertId: "alert",
  alertType: "EVENT_NO_SHOW",
  status: "OPEN",
  priority: "MEDIUM",
  assigneeId: null,
  eventId: lesson,
  closed: false,
  ...facts,
});

const deps = () => ({
  ...course.deps,
  classroomOf: () => ({
    ...course.client,
    readAlert: () => (now instanceof Error ? Promise.reject(now) : Promise.resolve(now)),
  }),
});
const tell = (eventType: string, at: number, facts: { alertType?: string; updatedBy?: string } = {}) =>
  handleAlert(deps(), {
    environment: "production",
    alertId: "alert",
    alertType: "EVENT_NO_SHOW",
    eventType,
    at,
    updatedBy: null,
    ...facts,
  });
const open = async () => listOpenAlerts(course.deps, await course.course());
const see = async (look: string) =>
  seeAlert(course.deps, await course.course(), { alertId: "alert", version: look, personId: "per-Ina" });

describe("an alert", () => {
  test("is shown in its session's course when raised, with what the classroom reports about it", async () => {
    expect(await tell("CREATE_ALERT", 1_000)).toBe("done");
    expect(await open()).toMatchObject([
      {
        alert: { alertType: "EVENT_NO_SHOW", status: "OPEN", priority: "MEDIUM", raisedAt: 1_000 },
        session: { eventId: lesson },
      },
    ]);
  });

  test("is shown however many sessions are planned after its own", async () => {
    await tell("CREATE_ALERT", 1_000);
    const event = required(await course.deps.events.find("production", lesson));
    for (let day = 1; day <= 300; day += 1)
      await course.deps.events.save({ ...event, eventId: `day-${day}`, startsAt: 4e12 + day });
    expect(await open()).toHaveLength(1);
  });

  test("that nobody came is not listed if the session was cancelled here", async () => {
    await tell("CREATE_ALERT", 1_000);
    await course.deps.events.cancelHere("production", lesson, course.deps.clock.now());
    expect(await open()).toEqual([]);
  });

  test("that is reported twice, or changed before it was raised, is stored once with its steps in order", async () => {
    await tell("UPDATE_ALERT", 2_000, { updatedBy: "somebody" });
    await tell("CREATE_ALERT", 1_000);
    await tell("CREATE_ALERT", 1_000);
    const [one, ...others] = await open();
    expect(others).toEqual([]);
    expect(one?.alert).toMatchObject({ raisedAt: 1_000, changedAt: 2_000 });
    expect(one?.alert.history.map(({ eventType, updatedBy }) => [eventType, updatedBy])).toEqual([
      ["CREATE_ALERT", null],
      ["UPDATE_ALERT", "somebody"],
    ]);
  });

  test("keeps every step when many webhooks come at the same moment", async () => {
    await Promise.all([1, 2, 3, 4].map((at) => tell("UPDATE_ALERT", at * 1_000)));
    expect((await open())[0]?.alert.history.map(({ at }) => at)).toEqual([1_000, 2_000, 3_000, 4_000]);
  });

  test("that somebody has seen leaves the home page until it changes", async () => {
    await tell("CREATE_ALERT", 1_000);
    const looks = async () => (await open()).map((one) => versionOf(one.alert));
    const [shown = ""] = await looks();
    now = alert({ priority: "LOW" });
    await tell("CREATE_ALERT", 1_000);
    expect(await see(shown), "it is another one than was looked at").toBe(false);
    const [look = ""] = await looks();
    await tell("CREATE_ALERT", 1_000);
    expect(await see(look), "the same was told once more meanwhile").toBe(true);
    expect(await open()).toEqual([]);
    await tell("CREATE_ALERT", 1_000);
    expect(await open(), "told once more").toEqual([]);
    now = alert({ priority: "HIGH" });
    await tell("UPDATE_ALERT", 2_000);
    expect(await open()).toMatchObject([{ alert: { priority: "HIGH", seen: null } }]);
  });

  test("that was closed, or that the classroom no longer knows, moves to the history", async () => {
    await tell("CREATE_ALERT", 1_000);
    now = alert({ status: "RESOLVED", closed: true });
    await tell("UPDATE_ALERT", 2_000);
    expect(await open()).toEqual([]);
    now = alert({});
    await tell("UPDATE_ALERT", 3_000);
    expect(await open()).toHaveLength(1);
    now = null;
    await tell("UPDATE_ALERT", 4_000);
    expect(await open()).toEqual([]);
    expect(await listAlerts(course.deps, await course.course())).toMatchObject([
      { alert: { closed: true, eventId: lesson } },
    ]);
  });

  test("of an unknown kind is stored and shown", async () => {
    now = alert({ alertType: "ROOM_ON_FIRE" });
    await tell("CREATE_ALERT", 1_000, { alertType: "ROOM_ON_FIRE" });
    expect(await open()).toMatchObject([{ alert: { alertType: "ROOM_ON_FIRE" } }]);
  });

  test("about no session, or another course's, is stored but not shown here", async () => {
    now = alert({ eventId: null });
    expect(await tell("CREATE_ALERT", 1_000)).toBe("kept");
    expect(await open()).toEqual([]);
    await expect(see("")).rejects.toMatchObject({ code: "alert-unknown" });
    expect(await course.stores.classroomAlerts.find("production", "alert")).toMatchObject({ status: "OPEN" });
  });

  test("whose details can't be read now is retried, not lost", async () => {
    now = new NamedError("classroom-unreachable", "It did not answer.", { temporary: true });
    await expect(tell("CREATE_ALERT", 1_000)).rejects.toMatchObject({ code: "classroom-unreachable" });
    now = alert({});
    expect(await tell("CREATE_ALERT", 1_000)).toBe("done");
    expect(await open()).toHaveLength(1);
  });
});

const raise = (environment: "production" | "staging", alertId: string, more: object = {}) =>
  course.stores.classroomAlerts.insert({
    environment,
    alertId,
    changedAt: 1_000,
    raisedAt: 1_000,
    readAt: null,
    revision: 1,
    closed: false,
    alertType: "EVENT_NO_SHOW",
    status: null,
    priority: null,
    assigneeId: null,
    eventId: null,
    history: [],
    seen: null,
    ...more,
  });
const lists = () => {
  const { alertLists, attendance, events, courses } = course.stores;
  return { alertLists, attendance, events, courses, accounts: testAccounts("production", "staging") };
};

/** What an operator sees who goes from page to page. */
async function allPages(filter: AlertFilter, limits: { maxRead: number; pageSize: number }) {
  const seen: string[] = [];
  for (let from: string | null = null, pages = 0; pages === 0 || from !== null; pages += 1) {
    expect(pages).toBeLessThan(40);
    const { alerts, next }: AlertsPage = await listAllAlerts(lists(), filter, from, limits);
    expect(alerts.length).toBeLessThanOrEqual(limits.pageSize);
    seen.push(...alerts.map(({ alert: { alertId } }) => alertId));
    from = next;
  }
  return seen;
}
const everything: AlertFilter = { about: null, closed: null };

test.each([
  { maxRead: 3, pageSize: 50 },
  { maxRead: 3, pageSize: 2 },
  { maxRead: 200, pageSize: 1 },
])("alerts that changed at the same moment are each listed once, page by page (%o)", async (limits) => {
  const raised: string[] = [];
  for (const environment of ["production", "staging"] as const) {
    for (const [at, changedAt] of [5_000, 5_000, 5_000, 5_000, 4_000, 3_000].entries()) {
      raised.push(`${environment} ${at}`);
      await raise(environment, `${environment} ${at}`, { changedAt, raisedAt: changedAt });
    }
  }
  const seen = await allPages(everything, limits);
  expect(seen).toHaveLength(raised.length);
  expect(new Set(seen)).toEqual(new Set(raised));
  expect(seen.slice(0, 4), "in one order over all environments").toEqual(raised.slice(0, 4));
  expect(await allPages({ about: "none", closed: null }, limits)).toEqual(seen);
});

describe("an operator's list of all alerts", () => {
  beforeEach(async () => {
    await raise("production", "of the course", { eventId: lesson });
    await raise("production", "of the course, closed", { eventId: lesson, closed: true });
    await raise("production", "of no known session", { eventId: "event_nobody_knows" });
    await raise("production", "of no session", {});
    // In staging, the same id is another session.
    await raise("staging", "elsewhere", { eventId: lesson });
  });
  const found = async (about: AlertFilter["about"], closed: boolean | null = null) =>
    (await allPages({ about, closed }, { maxRead: 200, pageSize: 2 })).toSorted();

  test("is filtered by course or no course, open or closed", async () => {
    expect(await found(null)).toHaveLength(5);
    expect(await found("courses")).toEqual(["of the course", "of the course, closed"]);
    expect(await found("none")).toEqual(["elsewhere", "of no known session", "of no session"]);
    expect(await found("courses", true)).toEqual(["of the course, closed"]);
    expect(await found("courses", false)).toEqual(["of the course"]);
    expect(await found("none", true)).toEqual([]);
  });

  test("names the course of each, even if the course is gone", async () => {
    const { alerts } = await listAllAlerts(lists(), { about: "courses", closed: false }, null);
    expect(alerts).toMatchObject([{ courseId: course.key.courseId, course: { id: course.key.courseId } }]);
    const gone = { ...lists(), courses: { listMany: () => Promise.resolve([]) } };
    const later = await listAllAlerts(gone, { about: "courses", closed: false }, null);
    expect(later.alerts).toMatchObject([{ courseId: course.key.courseId, course: null }]);
  });

  test("shows the marks in the register beside an open alert that nobody came", async () => {
    const mark = (personId: string, status: string) =>
      course.stores.attendance.record(
        { ...course.key, personId, eventId: lesson },
        { status, notes: null, at: 1, updatedBy: null },
        { id: `att-${personId}`, sectionIds: [] },
      );
    await mark("per-late", "LATE");
    await mark("per-absent", "ABSENT");
    const { alerts } = await listAllAlerts(lists(), everything, null);
    expect(
      alerts.filter(({ came }) => came > 0).map(({ alert: { alertId }, came }) => [alertId, came]),
    ).toEqual([["of the course", 1]]);
  });

  test("has bounded pages, however many alerts there are, and continues when a page has no match", async () => {
    for (let n = 0; n < 30; n += 1) await raise("staging", `other ${n}`, { changedAt: 9_000 + n });
    const page = await listAllAlerts(lists(), { about: "courses", closed: null }, null, {
      maxRead: 20,
      pageSize: 50,
    });
    expect(page.alerts).toEqual([]);
    expect(page.next).not.toBeNull();
    expect(await found("courses")).toHaveLength(2);
  });
});
