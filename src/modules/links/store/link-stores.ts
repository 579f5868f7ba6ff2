import type { Connection } from "mongoose";
import {
  type CourseLink,
  courseLinkRecord,
  type LinkChoice,
  type StoredChoice,
} from "../../../domain/course-link.ts";
import { linkChoiceRecord } from "../rules/link-offer.ts";
import { createSpaceRegister } from "../../spaces/store/space-register.ts";
import { openRecords } from "../../../storage/records.ts";
import { handedAnswerRecord } from "../../operations/rules/records.ts";

/** Identifies a link within its course, because an LMS may reuse an id in another course. */
type CourseLinkKey = Pick<CourseLink, "registrationId" | "deploymentId" | "courseId" | "linkId">;
export type CourseLinkStore = ReturnType<typeof createCourseLinkStore>;

/** Links of courses and what they open, one record per course and link. */
export function createCourseLinkStore(connection: Connection) {
  const records = openRecords(connection, courseLinkRecord);

  const register = createSpaceRegister(connection);
  const rowsOf = records.once((course: Pick<CourseLink, "registrationId" | "courseId">) =>
    records.rows(course, { sort: { linkId: 1 }, limit: maxRows }),
  );
  const opening = async (spaceId: string) => {
    const found = await records.rows({ "choice.spaceId": spaceId }, { limit: maxRows });
    const allowed = await register.withRightTo(
      spaceId,
      found.map(({ courseId }) => courseId),
    );
    return found.filter(({ courseId }) => allowed.has(courseId));
  };

  return {
    /** With its first choice. What an instructor chose on our page stays until the link brings another one. */
    record: async (key: CourseLinkKey, brought: Pick<StoredChoice, "id" | "choice"> | null, id: string) => {
      const known = await records.row({ ...key });
      const first = { choice: brought?.choice ?? courseSpace, choiceId: brought?.id ?? null };
      return records.read(
        known ?? (await records.saved({ ...key }, { $setOnInsert: { _id: id, ...unset, ...first } })),
      );
    },
    find: (id: string): Promise<CourseLink | null> => records.find({ _id: id }),
    findByLinkId: (key: Pick<CourseLinkKey, "registrationId" | "courseId" | "linkId">) =>
      records.find({ ...key }),
    /** Which of the given courses have a right to this Space and a link to it. */
    coursesOpening: async (registrationId: string, courseIds: readonly string[], spaceId: string) => {
      if (courseIds.length === 0) return [];
      const filter = { registrationId, courseId: { $in: [...courseIds] }, "choice.spaceId": spaceId };
      const found = (await records.some(["courseId"], filter)).map(({ courseId }) => courseId);
      const allowed = await register.withRightTo(spaceId, found);
      return found.filter((id) => allowed.has(id));
    },
    listOpening: async (spaceId: string): Promise<CourseLink[]> => (await opening(spaceId)).map(records.read),
    /** Links that were opened at least once. */
    listOfCourse: async (registrationId: string, courseId: string): Promise<CourseLink[]> =>
      (await rowsOf({ registrationId, courseId })).map(records.read),
    takeOver: async (id: string, parameters: Pick<CourseLink, "customSettings" | "ignoredParameters">) => {
      await records.change({ _id: id }, { $set: parameters });
    },
    /** Like `changeSettings` of a course. */
    changeSettings: async (
      id: string,
      revision: number,
      to: Pick<CourseLink, "settings" | "door" | "spaceAccess">,
    ): Promise<boolean> =>
      records.change({ _id: id, settingsRevision: revision }, { $set: to, $inc: { settingsRevision: 1 } }),
    /** @param choiceId Of the choice that the link brought. */
    choose: async (id: string, choice: LinkChoice, choiceId?: string): Promise<void> => {
      await records.change({ _id: id }, { $set: choiceId === undefined ? { choice } : { choice, choiceId } });
    },
  };
}

/** How many links are read. */
const maxRows = 500;

const courseSpace: LinkChoice = { kind: "course-space" };

/** What a new link starts with. */
const unset = {
  settings: {},
  customSettings: {},
  ignoredParameters: [],
  door: {},
  spaceAccess: null,
  settingsRevision: 0,
};

/** Kept forever: the LMS may make the link later, or make several (an activity duplicated within its course). */
export function createLinkChoiceStore(connection: Connection) {
  const records = openRecords(connection, linkChoiceRecord);

  return {
    insert: async ({ id, ...facts }: StoredChoice): Promise<void> => {
      await records.add({ _id: id, ...facts });
    },
    /** Searches only the registration, because ids of another LMS mean nothing here. */
    find: async (registrationId: string, id: string): Promise<StoredChoice | null> => {
      const choice = await records.find({ _id: id, registrationId });
      return choice === null ? null : { id, ...choice };
    },
  };
}

/** Answers to deep linking requests, chosen in a separate window and fetched by the frame that opened it. */
export function createHandedAnswerStore(connection: Connection) {
  const records = openRecords(connection, handedAnswerRecord);

  return {
    /** Null: an answer is being chosen. A dialog that opens again replaces the earlier answer. */
    put: async (id: string, answer: string | null, expiresAt: number): Promise<void> => {
      await records.save({ _id: id }, { $set: { answer, expiresAt: new Date(expiresAt) } });
    },

    find: async (id: string, now: number): Promise<{ answer: string | null } | null> => {
      const row = await records.row({ _id: id, expiresAt: { $gt: new Date(now) } });
      return row === null ? null : { answer: row.answer };
    },
  };
}
