import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventReply } from "../../../src/classroom/client.ts";
import { findEvent, type FindEventApp } from "../../../src/modules/attendance/record-attendance.ts";
import { keepEvent, refreshEvent } from "../../../src/modules/scheduling/keep-event.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type { UnassignedEventKey } from "../../../src/modules/matching/store/matching-store.ts";
import { type ExpectedCourses, openExpectedCourses } from "../../support/builders/expected-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
const start = Date.UTC(2026, 8, 14, 10);
let world: ExpectedCourses;
let told: EventReply | null;
let noted: number;
let changed: string[];
let deps: FindEventApp;

beforeEach(async () => {
  world = await openExpectedCourses(database);
  await world.addCourse("bio", 1);
  noted = 0;
  changed = [];
  told = { ...lesson };
  const unused = () => Promise.reject(new Error("not to be called"));
  deps = {
    ...world.stores,
    clock: world.deps.clock,
    ids: randomIds,
    wake: () => {
      noted += 1;
    },
    whileSessionsChange: ({ id }, makeChange) => {
      changed.push(id);
      return makeChange();
    },
    classroomOf: () => ({
      ...world.deps.classroomOf("production"),
      updateApiUser: null,
      createEvent: unused,
      updateEvent: null,
      cancelEvent: null,
      findEvents: null,
      readAttendance: unused,
      readCohort: unused,
      readAlert: unused,
      readRecordings: unused,
      readSessions: unused,
      configureWebhook: unused,
      readEvent: async (_id, { onPermit }) => {
        await onPermit?.();
        return told;
      },
    }),
  };
});
afterEach(() => world.close());

const change = (eventType: string, at: number) =>
  refreshEvent(deps, { environment: "production", eventId: "e", eventType, at });
const lesson = {
  eventId: "e",
  spaceId: "space-bio",
  title: "Lesson",
  startsAt: start,
  endsAt: null,
  cancelled: false,
};
const blank = { environment: "production", ...lesson, courseId: "bio" } as const;
const known = () => world.stores.events.find("production", "e");

describe("a change of a session", () => {
  test("is read and stored with its course, and instructors see it", async () => {
    expect(await change("EVENT_CREATED", 1)).toMatchObject({
      courseId: "bio",
      startsAt: start,
      cancelled: false,
    });
    told = told && { ...told, startsAt: start + 1 };
    world.time.now += 1;
    await change("EVENT_UPDATED", 2);
    expect(await known()).toMatchObject({ startsAt: start + 1 });
    expect(noted).toBe(2);
  });

  test("in a Space without a course is stored without a course", async () => {
    told = told && { ...told, spaceId: "space-of-somebody" };
    expect(await change("EVENT_CREATED", 1)).toMatchObject({ courseId: null });
  });

  test("is ignored if the classroom does not know the session", async () => {
    told = null;
    expect(await change("EVENT_DELETED", 1)).toBeNull();
    expect(await known()).toBeNull();
    expect(noted).toBe(0);
  });

  test("marks a deleted session, and keeps what was known", async () => {
    await change("EVENT_CREATED", 1);
    told = null;
    await change("EVENT_DELETED", 2);
    expect(await known()).toMatchObject({ cancelled: true, title: "Lesson", courseId: "bio" });
  });

  test("cancels it even if GET does not say so and the webhooks come in the wrong order", async () => {
    await change("EVENT_CANCELLED", 5);
    await change("EVENT_CREATED", 1);
    expect(await known()).toMatchObject({ cancelled: true });
    await change("EVENT_UPDATED", 6);
    expect(await known()).toMatchObject({ cancelled: false });
  });
});

describe("an event that was stored in a Space without a course, and is then attended", () => {
  const attended = () => findEvent(deps, "production", "e");
  beforeEach(() => {
    told = told && { ...told, spaceId: "space-of-somebody" };
  });

  test("takes place again after a cancellation and a later change, in either order", async () => {
    const [cancelled, taken] = [
      ["EVENT_CANCELLED", 5],
      ["EVENT_UPDATED", 15],
    ] as const;
    for (const order of [
      [cancelled, taken],
      [taken, cancelled],
    ]) {
      await world.stores.events.save({ ...blank, readAt: 0 });
      for (const [eventType, at] of order) {
        world.time.now += 1;
        await change(eventType, at);
      }
      expect(await known(), order.join()).toMatchObject({ cancelled: false, deleted: false });
      world.time.now += 1;
      const read = { readAt: world.time.now, at: null, eventType: null, by: null, recurring: false };
      await keepEvent(deps, { environment: "production", eventId: "e" }, told, read);
      expect(await known(), "read once more").toMatchObject({ cancelled: false });
    }
  });

  test("keeps everything from its webhooks when it is read again", async () => {
    await refreshEvent(deps, {
      environment: "production",
      eventId: "e",
      eventType: "EVENT_CREATED",
      at: 1,
      recurring: "ALL",
    });
    await change("EVENT_CANCELLED", 5);
    const before = await known();
    expect(before).toMatchObject({ recurring: true, cancelled: true, cancelledAt: 5, revision: 2 });
    world.time.now += 600_000;
    told = told && { ...told, title: "Another name" };
    await attended();
    expect(await known()).toMatchObject({
      title: "Another name",
      recurring: true,
      cancelled: true,
      cancelledAt: 5,
      revision: 3,
      changedAt: world.time.now,
    });
  });

  test("belongs to the course by now, and the course counts as changed", async () => {
    await change("EVENT_CREATED", 1);
    world.time.now += 600_000;
    told = told && { ...told, spaceId: "space-bio" };
    noted = 0;
    expect(await attended()).toMatchObject({ courseId: "bio" });
    expect(noted).toBe(1);
    expect(changed).toEqual(["bio"]);
  });

  test("is the one that a plan was looking for, although no webhook reported it", async () => {
    told = told && { ...told, spaceId: "space-lab", endsAt: start + 1 };
    await world.stores.sessionPlans.insert(
      [
        {
          id: "plan",
          registrationId: "reg_1",
          courseId: "bio",
          environment: "production",
          spaceId: "space-lab",
          origin: "planned",
          seriesId: null,
          number: 1,
          of: 1,
          eventId: null,
          state: "unknown",
          task: "find",
          title: "Lesson",
          startsAt: start,
          endsAt: start + 1,
          shownTitle: null,
          sectionIds: [],
          counts: true,
          hostPersonId: null,
          askedAt: 1,
          attempts: 0,
          problem: null,
          revision: 0,
          createdAt: 1,
        },
      ],
      0,
    );
    expect(await attended()).toMatchObject({ courseId: "bio" });
    expect(await world.stores.sessionPlans.find("plan")).toMatchObject({ state: "made", eventId: "e" });
  });

  test("is not lost to a webhook that is read while an instructor claims it", async () => {
    await change("EVENT_CREATED", 1);
    const { find } = deps.events;
    let looks = 0;
    deps.events = {
      ...deps.events,
      find: async (...key) => {
        const before = await find(...key);
        looks += 1;
        if (looks === 1) {
          const unassigned: UnassignedEventKey = {
            registrationId: "reg_1",
            courseId: "bio",
            environment: "production",
            eventId: "e",
          };
          await world.stores.unassignedEvents.note(unassigned, 1);
          await world.stores.unassignedEvents.answer(unassigned, "ours", { by: "per-Tess", at: 2 });
          await world.stores.events.assignCourse("production", "e", "bio");
        }
        return before;
      },
    };
    world.time.now += 1;
    expect(await change("EVENT_UPDATED", 2)).toMatchObject({ courseId: "bio" });
    expect(await known()).toMatchObject({ courseId: "bio" });
  });
});
