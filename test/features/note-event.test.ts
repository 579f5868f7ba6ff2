import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EventReply } from "../../src/classroom/client.ts";
import { noteEvent, type NoteEventDeps } from "../../src/features/scheduling/note-event.ts";
import { type ExpectedCourses, openExpectedCourses } from "../support/expected-course.ts";

const start = Date.UTC(2026, 8, 14, 10);
let world: ExpectedCourses;
let told: EventReply | null;
let noted: number;
let deps: NoteEventDeps;

beforeEach(async () => {
  world = await openExpectedCourses();
  await world.addCourse("bio", 1);
  noted = 0;
  told = {
    eventId: "e",
    spaceId: "space-bio",
    title: "Lesson",
    startsAt: start,
    endsAt: null,
    cancelled: false,
  };
  const unused = () => Promise.reject(new Error("not to be called"));
  deps = {
    ...world.stores,
    clock: world.deps.clock,
    onEventNoted: () => {
      noted += 1;
    },
    onSessionsChanged: () => Promise.resolve(),
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
  noteEvent(deps, { environment: "production", eventId: "e", eventType, at });
const known = () => world.stores.events.find("production", "e");

describe("a change of a session", () => {
  test("has it read and kept with its course, and those who plan are told", async () => {
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

  test("in a Space that is no course's is kept without a course", async () => {
    told = told && { ...told, spaceId: "space-of-somebody" };
    expect(await change("EVENT_CREATED", 1)).toMatchObject({ courseId: null });
  });

  test("that the classroom does not know is nothing", async () => {
    told = null;
    expect(await change("EVENT_DELETED", 1)).toBeNull();
    expect(await known()).toBeNull();
    expect(noted).toBe(0);
  });

  test("which was deleted marks it, and keeps what was known", async () => {
    await change("EVENT_CREATED", 1);
    told = null;
    await change("EVENT_DELETED", 2);
    expect(await known()).toMatchObject({ cancelled: true, title: "Lesson", courseId: "bio" });
  });

  test("which was cancelled holds although GET does not tell it, also when the webhooks come in the wrong order", async () => {
    await change("EVENT_CANCELLED", 5);
    await change("EVENT_CREATED", 1);
    expect(await known()).toMatchObject({ cancelled: true });
    await change("EVENT_UPDATED", 6);
    expect(await known()).toMatchObject({ cancelled: false });
  });
});
