import { afterAll, afterEach, describe, expect, test } from "vitest";
import { attendanceColumn, sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import type { LinkChoice } from "../../../src/domain/course-link.ts";
import { bindColumn } from "../../../src/modules/grading/bind-column.ts";
import { otherIds } from "../../../sandbox/stand-in-lms/other-claims.ts";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import { addColumn } from "../../../sandbox/stand-in-lms/lms-world.ts";
import {
  closeGradebooks,
  familiesPlayed,
  type GradebookCourse,
  learnerIds,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { required } from "../../support/required.ts";
import { eventOf } from "../../support/builders/event.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

const perSession: GradePolicy = { ...defaultGradePolicy, kind: "column-per-session", points: 20 };
const day = 86_400_000;
const firstDay = Date.UTC(2027, 2, 1, 9);
/** Events of the course at hand. */
const eventIds = (count: number) =>
  Array.from({ length: count }, (_, n) => `${world.lmsCourse}-event-${n + 1}`);

/** Sessions of the course, one a day, whose ids do not show their order. */
async function plan(ids: readonly string[]): Promise<void> {
  for (const [n, eventId] of ids.entries()) {
    await world.stores.events.save(
      eventOf({ eventId, title: `Lesson ${n + 1}`, startsAt: firstDay + n * day, courseId: world.course.id }),
    );
  }
}
const points = (ids: readonly string[], value: number) =>
  Object.fromEntries(ids.map((id) => [sessionColumn(id), value]));
const labels = () => world.columns().map(({ label }) => label);

describe.each(familiesPlayed)("the attendance column in %s", (family) => {
  test("is found by its mark after it was renamed, and so is a copy", async () => {
    world = await openGradebookCourse(family);
    await world.want("11", 80);
    await world.deliver();
    const [column] = world.columns();
    world.lms.setColumn(column?.id ?? "", { label: "Presence" });
    // Restored from a backup: another address, the same mark.
    const restored = {
      ...world.lms.world.columns.get(column?.id ?? ""),
      label: "Presence",
      scoreMaximum: 100,
    };
    world.lms.deleteColumn(column?.id ?? "");
    addColumn(world.lms.world, world.lmsCourse, restored);
    world.pass(2_000);
    await world.want("11", 90);
    await world.deliver();
    world.pass(5_000);
    await world.deliver();
    expect(labels()).toEqual(["Presence"]);
    expect(world.grade("11")).toBe(90);
  });
});

test("a column that the LMS keeps losing is looked for less and less often, and the alarm keeps counting", async () => {
  world = await openGradebookCourse("moodle");
  await world.want("11", 80);
  const since = (await world.find("11"))?.waitingSince;
  world.lms.faults.add({ on: "scores", how: "answer", status: 404 });
  for (let minute = 0; minute < 60; minute += 1) {
    world.pass(60_000);
    await world.deliver();
  }
  expect(world.calls("scores").length).toBeLessThan(14);
  expect(world.columns()).toHaveLength(1);
  expect(await world.find("11")).toMatchObject({ state: "waiting", waitingSince: since });
  world.lms.faults.clear();
  world.pass(900_000);
  await world.deliver();
  expect(world.grade("11")).toBe(80);
});

describe.each([
  ["moodle", 60],
  ["canvas", 12],
  ["other", 6],
] as const)("a column for each session in %s", (family, count) => {
  test("is created once by three processes for many sessions, in the order of the sessions", async () => {
    world = await openGradebookCourse(family, { policy: perSession, timeZone: "Asia/Tokyo" });
    const ids = eventIds(count);
    await plan(ids);
    const shuffled = ids.toSorted();
    for (const learner of learnerIds(3)) await world.want(learner, points(shuffled, 100));
    await world.deliver(3);
    expect(world.columns()).toHaveLength(count);
    expect(labels().slice(0, 2)).toEqual(["Lesson 1, 2027-03-01 18:00", "Lesson 2, 2027-03-02 18:00"]);
    expect(world.columns().map(({ resourceId }) => resourceId)).toEqual(
      ids.map((id) => `spaces-lti-session-${id}`),
    );
    expect(
      world.columns().every(({ scoreMaximum, tag }) => scoreMaximum === 20 && tag === "attendance-session"),
    ).toBe(true);
    for (const learner of learnerIds(3)) {
      expect(world.cells(learner).map(({ value }) => value)).toEqual(ids.map(() => 20));
    }
  }, 60_000);

  test("may be the one that an instructor's link brought", async () => {
    world = await openGradebookCourse(family, { policy: perSession });
    const ids = eventIds(3);
    await plan(ids);
    const link = world.lms.addLink(world.lmsCourse, { title: "Second lesson", graded: true });
    const own = required(
      [...world.lms.world.columns.values()].find(({ coupledLinkId }) => coupledLinkId === link.id),
    );
    own.resourceId = `spaces-lti-session-${ids[1]}`;
    await world.want("11", points(ids, 50));
    await world.deliver();
    expect(labels()).toHaveLength(3);
    expect(world.cells("11").map(({ value }) => value)).toEqual([50, 10, 10]);
  });

  test("is found again if the answer to its creation was lost", async () => {
    world = await openGradebookCourse(family, { policy: perSession });
    const ids = eventIds(2);
    await plan(ids);
    await world.want("11", points(ids, 100));
    world.lms.faults.add({ on: "line-items", how: "slow", delayMs: 0, times: 1 });
    world.lms.faults.add({ on: "line-items", how: "lose-answer", times: 1 });
    await world.deliver();
    world.pass(10_000);
    await world.deliver();
    expect(labels()).toHaveLength(2);
    expect(world.cells("11").map(({ value }) => value)).toEqual([20, 20]);
  });
});

describe("in an Open edX, which shows a teacher only columns that are tied to a link", () => {
  /** The course, after a launch of a link with this choice. */
  async function openedBy(choice: LinkChoice | null, policy: GradePolicy = defaultGradePolicy) {
    world = await openGradebookCourse("other", { policy, launched: false });
    world.lms.setQuirks({ openEdx: true });
    const { course, lmsCourse, stores } = world;
    const link = world.lms.addLink(lmsCourse, { title: "Classroom" });
    const { registrationId, deploymentId, lineItemsUrl, gradeScopes } = course;
    const linkId = otherIds.link(link.id);
    const gradesLink = { linkId, lineItemsUrl: lineItemsUrl ?? "" };
    const services = { membershipsUrl: null, groupsUrl: null, groupSetsUrl: null, history: [] };
    await stores.courses.record(
      { registrationId, deploymentId, contextId: lmsCourse },
      { title: "Biology", label: "BIO", lineItemsUrl, gradeScopes, gradesLink, ...services },
      { id: course.id, environment: course.environment, settings: course.settings, policy, createdAt: 0 },
    );
    const key = { registrationId, deploymentId, courseId: course.id, linkId };
    await stores.courseLinks.record(key, choice === null ? null : { id: "chc", choice }, `lnk_${linkId}`);
    await world.want("11", { attendance: 80, ...points(eventIds(1), 80) });
    await world.deliver();
    return linkId;
  }
  const made = () =>
    [...world.lms.world.columns.values()].filter(({ courseId }) => courseId === world.lmsCourse);

  test("the column of all attendance is tied to the course's link, and the teacher sees its scores", async () => {
    await openedBy(null);
    expect(labels()).toEqual(["Attendance"]);
    expect(world.grade("11")).toBe(80);
  });

  test("that column is not tied to a link that opens something else", async () => {
    await openedBy({ kind: "space", spaceId: "another" });
    expect(labels()).toEqual([]);
    expect(made().map(({ resourceLinkId }) => resourceLinkId)).toEqual([null]);
  });

  test("columns of single sessions are never tied", async () => {
    await openedBy(null, perSession);
    const ofSessions = made().filter(({ tag }) => tag === "attendance-session");
    expect(ofSessions.map(({ resourceLinkId }) => resourceLinkId)).toEqual([null]);
  });

  test("a session's column is not taken for the link's own when a launch names it so", async () => {
    const linkId = await openedBy(null, perSession);
    const key = { ...world.place, key: sessionColumn(eventIds(1)[0] ?? "") };
    const own = (await world.stores.columns.find(key))?.lineItemUrl ?? "";
    expect(own).not.toBe("");
    const grades = { lineItemUrl: own, lineItemsUrl: null, scopes: world.course.gradeScopes };
    await bindColumn(
      world.deps,
      world.course,
      { grades, link: { id: linkId, title: "Classroom" } },
      attendanceColumn,
    );
    expect((await world.stores.columns.find(key))?.lineItemUrl).toBe(own);
  });
});

test("Canvas gets a session's time: the column is due then, while another LMS would close it", async () => {
  world = await openGradebookCourse("canvas", { policy: perSession });
  const ids = eventIds(1);
  await plan(ids);
  await world.want("11", points(ids, 100));
  await world.deliver();
  const id = world.columns()[0]?.id;
  expect(world.lms.world.columns.get(id ?? "")?.dueAt).toBe("2027-03-01T10:00:00.000Z");
  const bodies = world.lms.log().filter((one) => one.service === "line-items" && one.method === "POST");
  expect(bodies.map(({ body }) => body).join()).not.toContain("startDateTime");
});

test("a session whose event was never read gets a column named only “Session”, after the others", async () => {
  world = await openGradebookCourse("moodle", { policy: perSession });
  const ids = eventIds(1);
  await plan(ids);
  await world.want("11", points(["unread", ...ids], 100));
  await world.deliver();
  expect(labels()).toEqual(["Lesson 1, 2027-03-01 09:00", "Session"]);
});

test("with one column for all, a session gets none, and its score waits for the link in silence", async () => {
  world = await openGradebookCourse("moodle");
  const ids = eventIds(1);
  await plan(ids);
  await world.want("11", { attendance: 80, ...points(ids, 80) });
  await world.deliver();
  expect(labels()).toEqual(["Attendance"]);
  expect(await world.find("11", sessionColumn(ids[0] ?? ""))).toMatchObject({
    state: "idle",
    waitingSince: null,
  });
});
