import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import type { RecordingReply, RecordingsReply } from "../../../src/classroom/read-recordings.ts";
import type { Course } from "../../../src/domain/course.ts";
import { handleRecording, handleSessionEnded } from "../../../src/modules/recordings/handle-webhooks.ts";
import { readNextRecordings } from "../../../src/modules/recordings/read-recordings.ts";
import { approveSpaceFor } from "./approve-space.ts";
import { openRegisterCourse } from "./register-course.ts";
import { required } from "../required.ts";
import { eventOf } from "./event.ts";

export type RecordedCourse = Awaited<ReturnType<typeof openRecordedCourse>>;

const hour = 3_600_000;
/** A list that was read to its end. */
export const read = { whole: true, more: null, failure: null } as const;

/** A course with a Space ("space") whose recordings a test reports by webhook or in the classroom's list. */
export async function openRecordedCourse() {
  const course = await openRegisterCourse();
  const { stores, key } = course;
  const begin = async () => {
    await stores.courses.claimSpace(key.courseId, "test", 0, 1);
    await stores.courses.keepSpace(key.courseId, "test", "space");
  };
  await begin();
  /** What the classroom answers; null if it has no list. */
  const list: { reply: RecordingsReply | null | Error; asked: string[] } = {
    reply: { ...read, recordings: [] },
    asked: [],
  };
  const deps = {
    ...course.deps,
    recordingSettingsOf: () => defaultDialect.recordings,
    wake: () => undefined,
    classroomOf: () => ({
      readRecordings: (spaceId: string) => {
        list.asked.push(spaceId);
        return list.reply instanceof Error ? Promise.reject(list.reply) : Promise.resolve(list.reply);
      },
      authorize: () => Promise.resolve({ url: "https://app.test/login" }),
    }),
    appUrlOf: () => "https://app.test",
  };
  const environment: string = "production";
  return {
    ...course,
    deps,
    list,
    /** Everything is deleted, as on the first day. */
    restart: async () => {
      await course.empty();
      list.reply = { ...read, recordings: [] };
      list.asked = [];
      await course.known("per-Ina", "Ina Instructor");
      await begin();
    },
    /** A SPACE_RECORDING webhook. */
    told: (
      recordingId: string,
      eventType = "RECORDING_AVAILABLE",
      at = course.clock.now(),
      spaceId = "space",
    ) => handleRecording(deps, { environment, spaceId, recordingId, eventType, at }),
    /** A SESSION_ENDED webhook. */
    ended: (sessionId: string, endedAt = course.clock.now(), spaceId = "space") =>
      handleSessionEnded(deps, { environment, spaceId, sessionId, endedAt }),
    /** Everything that is due is read. */
    read: async () => {
      while (await readNextRecordings(deps));
    },
    /** A session of an hour that ended `endedAgo` ms ago. */
    lesson: async (eventId: string, endedAgo = 0, change: { courseId?: string; spaceId?: string } = {}) => {
      const endsAt = course.clock.now() - endedAgo;
      await stores.events.save(
        eventOf({
          eventId,
          title: `Lesson ${eventId}`,
          startsAt: endsAt - hour,
          endsAt,
          courseId: key.courseId,
          ...change,
        }),
      );
    },
    /** Another course of the same LMS. */
    otherCourse: async (id: string, spaceId: string | null, account = environment): Promise<Course> => {
      const { settings, policy, lineItemsUrl, gradeScopes, membershipsUrl, groupsUrl, groupSetsUrl } =
        await course.course();
      const addresses = { lineItemsUrl, gradeScopes, membershipsUrl, groupsUrl, groupSetsUrl };
      await stores.courses.record(
        { registrationId: key.registrationId, deploymentId: "1", contextId: id },
        { title: "History", label: "HIS", history: [], ...addresses },
        { id, environment: account, settings, policy, createdAt: 0 },
      );
      if (spaceId !== null) {
        await stores.courses.claimSpace(id, "test", 0, 1);
        await stores.courses.keepSpace(id, "test", spaceId);
      }
      return required(await stores.courses.find(id));
    },
    /** A link of a course opens an approved Space, which may be another course's. */
    links: async (of: Course, spaceId: string) => {
      await approveSpaceFor(stores, of, spaceId);
      const link = { registrationId: of.registrationId, deploymentId: of.deploymentId, courseId: of.id };
      const choice = { id: `choice-${of.id}`, choice: { kind: "space", spaceId } as const };
      await stores.courseLinks.record({ ...link, linkId: spaceId }, choice, `link-${of.id}`);
    },
  };
}

/** An entry of the classroom's list that contains only what is given. */
export function entry(recordingId: string, facts: Partial<RecordingReply> = {}): RecordingReply {
  return {
    recordingId,
    spaceId: "space",
    sessionId: null,
    state: null,
    title: null,
    startedAt: null,
    endedAt: null,
    durationSeconds: null,
    publishedAt: null,
    url: null,
    transcriptUrl: null,
    summaryUrl: null,
    transcriptText: null,
    summaryText: null,
    ...facts,
  };
}
