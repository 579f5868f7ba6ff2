import { classroomEventRecord } from "../../../domain/classroom-event.ts";
import { anyOf, ofCoursesAlone, signedBy } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { plannedSessionRecord } from "./course-session.ts";

/** A secret address where calendar programs read the sessions of a course, or of a person in all courses. */
export const calendarAddressRecord = describeRecord("CalendarAddress", {
  id: null,
  fields: {
    registrationId: field.text,
    scope: field.textOf<"course" | "person">(),
    ownerId: field.text,
    /** SHA-256 of the token that a calendar program sends. */
    digest: field.text,
    /** The token, sealed under SECRET_KEY so it can be shown to its owner again. */
    sealed: field.text,
    createdAt: field.number,
    /** The language of the person who made it, such as "de". */
    locale: field.text.orNull,
  },
  indexes: [index("registrationId", "scope", "ownerId"), index.unique("digest")],
  personalData: {
    key: "calendars",
    holds: "secret calendar addresses of courses and people, as digests and sealed for their owners",
    stored: "with the course or the person",
    person: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({
          registrationId,
          scope: "person",
          ownerId: anyOf(personIds),
        }),
      },
    ],
    ofCourses: (registrationId, courseIds) => ({
      registrationId,
      scope: "course",
      ownerId: anyOf(courseIds),
    }),
    names: [{ path: "ownerId", among: "registration" }],
  },
});
export type CalendarAddress = ItemOf<typeof calendarAddressRecord>;

export const askedEventRecord = describeRecord("AskedEvent", {
  readOnce: true,
  id: null,
  fields: { times: field.number, askedAt: field.number, nextAskAt: field.number },
  indexes: [index("askedAt")],
  personalData: {
    key: "askedEvents",
    holds: "when the classroom was asked about an event; no person",
    stored: "90 days",
    purged: { days: 90, field: "askedAt" },
  },
});

export const seriesChangeRecord = describeRecord("SeriesChange", {
  id: null,
  fields: {
    courseId: field.text,
    /** The webhooks' eventType (interface 6.5), even if unknown. */
    eventType: field.text,
    /** `recurringUpdateType`: ALL, FUTURE, CURRENT or unknown. */
    scope: field.text,
    title: field.text.orNull,
    /** The time of its first webhook (ms). */
    at: field.number,
    /** A classroom user id. */
    by: field.text.orNull,
    eventIds: field.texts,
  },
  indexes: [index("courseId", "-at"), index("at")],
  personalData: {
    key: "seriesChanges",
    holds: "changes to a series of sessions in the classroom, with the user id of their author",
    stored: "90 days",
    person: [signedBy("by", { ids: "userIds", courses: ofCoursesAlone })],
    purged: { days: 90, field: "at" },
  },
});

export const schedulingRecords = [
  askedEventRecord,
  calendarAddressRecord,
  classroomEventRecord,
  plannedSessionRecord,
  seriesChangeRecord,
];
