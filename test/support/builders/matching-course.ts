import { type ApplyingApp, applyNextMatch } from "../../../src/modules/matching/apply-matches.ts";
import {
  planReadings,
  readAttendance,
  type ReadingWorkerApp,
  reconcileNext,
} from "../../../src/modules/attendance/attendance-readings.ts";
import { currentAttendanceOf } from "../../../src/domain/attendance.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { recordObservation } from "../../../src/modules/attendance/record-attendance.ts";
import { enqueueRegrade, gradeAfterChange } from "../../../src/modules/grading/regrade.ts";
import { listUnmatched } from "../../../src/modules/matching/list-unmatched.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { classroomClient } from "../stand-ins/classroom-client.ts";
import { quickClassroom } from "../stand-ins/quick-classroom.ts";
import type { StoresFrom } from "./open-empty-stores.ts";
import { openRegisterCourse } from "./register-course.ts";
import { giveApiUser } from "./give-api-user.ts";
import { eventOf } from "./event.ts";

export type MatchingCourse = Awaited<ReturnType<typeof openMatchingCourse>>;

/**
 * A course with an instructor ("per-Ina") whose Space is in a stand-in classroom. @param options.from See `openEmptyStores`. @param
 * options.hasTimes Whether the classroom reports when an attendance changed; the API's documentation does not show it.
 */
export async function openMatchingCourse(options: { from?: StoresFrom; hasTimes?: boolean } = {}) {
  const course = await openRegisterCourse(options.from);
  const { stores, key } = course;
  const logger = createLogger("silent");
  const classroom = await quickClassroom();
  const silent = { operations: { readAttendance: { reply: { updatedAt: ["nowhere"] } } } };
  const client = classroomClient(classroom, {
    dialect: options.hasTimes === false ? silent : {},
    clock: course.clock,
  });
  const background = { priority: "background" } as const;
  const space = async (name: string) =>
    (await client.createSpace({ name, access: "Public", waitingRoom: false }, background)).spaceId;
  const spaceId = await space("Biology");
  await stores.courses.claimSpace(key.courseId, "test", 0, 1);
  await stores.courses.keepSpace(key.courseId, "test", spaceId);
  const woken = { readings: 0, matches: 0 };
  const deps: ReadingWorkerApp & ApplyingApp & typeof stores = {
    ...course.deps,
    classroomOf: () => client,
    onSessionsChanged: (courseId) => enqueueRegrade(course.deps, courseId),
    whileSessionsChange: (of, change) => gradeAfterChange(course.deps, of, "everybody", change),
    onMatchable: (what) => stores.receipts.retryWaiting(what, course.clock.now()),
    wake: (kind) => {
      if (kind === readAttendance) woken.readings += 1;
      if (kind === "matches") woken.matches += 1;
    },
    logger,
  };
  /** A new user of the classroom, not matched to anybody here. @returns its id. */
  const user = async (name: string) => {
    const made = { reference: randomIds.secret(), name, givenName: name, familyName: null, email: null };
    return (await client.createApiUser({ ...made, role: "participant" }, background)).userId;
  };
  return {
    ...course,
    classroom,
    client,
    spaceId,
    deps,
    woken,
    space,
    user,
    /** A learner with a user in the classroom. @returns that user's id. */
    enters: async (name: string) => {
      await course.enrol(name);
      const userId = await user(name);
      await giveApiUser(stores.people, `per-${name}`, { userId, name });
      return userId;
    },
    /** A session in a Space (by default, the course's) that ended `ago` ms ago, known from its webhook. */
    held: async (ago: number, inSpace: string | null = spaceId) => {
      const endsAt = course.clock.now() - ago;
      const { eventId } = classroom.createEvent({
        ...(inSpace === null ? {} : { spaceId: inSpace }),
        title: "Lesson",
        startsAt: endsAt - 3_600_000,
        endsAt,
      });
      await stores.events.save(
        eventOf({
          eventId,
          spaceId: inSpace,
          startsAt: endsAt - 3_600_000,
          courseId: inSpace === spaceId ? key.courseId : null,
          readAt: course.clock.now(),
        }),
      );
      return eventId;
    },
    /** A session in the course's Space that ended `ago` ms ago and that is unknown to the tool. */
    heldUnheard: (ago: number): string => {
      const endsAt = course.clock.now() - ago;
      return classroom.createEvent({ spaceId, title: "Lesson", startsAt: endsAt - 3_600_000, endsAt })
        .eventId;
    },
    /** The webhook of a change is processed. */
    webhook: async (userId: string, eventId: string, status: string, at = course.clock.now()) => {
      const observation = { status, notes: null, at, updatedBy: "host" };
      const recorded = await recordObservation(deps, {
        environment: "production",
        eventId,
        userId,
        observation,
      });
      if (recorded.kind === "recorded") await gradeMembers(deps, recorded.course, [recorded.person]);
      return recorded;
    },
    /** Everything that is due is read from the classroom. @returns how many sessions were read. */
    read: async () => {
      await planReadings(deps);
      let times = 0;
      while (await reconcileNext(deps)) times += 1;
      return times;
    },
    /** The instructors' decisions are applied. */
    apply: async () => {
      while (await applyNextMatch(deps));
      await course.regrade();
    },
    unmatched: async () => listUnmatched(deps, await course.course()),
    statusOf: async (name: string, eventId: string) => {
      const record = await course.record(name, eventId);
      return record === null ? null : (currentAttendanceOf(record)?.status ?? null);
    },
    scoreOf: async (name: string) => (await course.scores())[`per-${name} attendance`],
    close: async () => {
      await classroom.close();
      await course.close();
    },
  };
}
