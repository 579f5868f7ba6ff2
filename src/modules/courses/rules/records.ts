import { describeRecord, unique, expiry } from "../../../domain/record.ts";
import { institutionLookRecord } from "./institution-look.ts";
import { text, texts, flag, date, number } from "../../../domain/record-fields.ts";

export const courseCopyRecord = describeRecord("CourseCopy", {
  id: null,
  fields: {
    registrationId: text,
    deploymentId: text,
    /** `context.id` of the LMS: unique within the deployment only. */
    contextId: text,
    /** Context ids from notices, in order of arrival. */
    origins: texts.or([]),
    /** Our id of the course in which a copied link was made. */
    madeIn: text.orNull,
  },
  indexes: [unique("registrationId", "contextId", "deploymentId")],
  held: { key: "courseCopies", holds: "which course was copied from which; no person", kept: "with the LMS" },
});

export const noticeRecord = describeRecord("Notice", {
  id: null,
  fields: {
    registrationId: text,
    noticeId: text,
    nonce: text,
    done: flag,
    expiresAt: date,
  },
  indexes: [unique("registrationId", "nonce"), expiry("expiresAt")],
  held: {
    key: "notices",
    holds: "which notices of an LMS were received; no person",
    kept: "days; the store deletes them by itself",
  },
});

/** `at`: left out by earlier versions. */
export const classroomAddressRecord = describeRecord("ClassroomAddress", {
  id: null,
  fields: { position: number.optional, at: number.optional },
  held: {
    key: "classroomAddresses",
    holds: "which addresses the classroom answers; no person",
    kept: "always",
  },
});

export const coursesRecords = [courseCopyRecord, noticeRecord, classroomAddressRecord, institutionLookRecord];
