import { anyOf, erasedId } from "../../../domain/held-record.ts";
import { classroomEventRecord } from "../../../domain/classroom-event.ts";
import { calendarAddressRecord } from "./calendar-address.ts";
import { plannedSessionRecord } from "./planned-session.ts";
import { describeRecord, index, number, text, texts } from "../../../domain/record.ts";

export const askedEventRecord = describeRecord("AskedEvent", {
  id: null,
  fields: { times: number, askedAt: number, nextAskAt: number },
  indexes: [index("askedAt")],
  held: {
    key: "askedEvents",
    holds: "when the classroom was asked about an event; no person",
    kept: "90 days",
    purged: { days: 90, field: "askedAt" },
  },
});

export const seriesChangeRecord = describeRecord("SeriesChange", {
  id: null,
  fields: {
    courseId: text,
    /** Of the webhooks (interface 6.5), known or not. */
    eventType: text,
    /** `recurringUpdateType`: ALL, FUTURE, CURRENT or unknown. */
    scope: text,
    title: text.orNull,
    /** From the first of its webhooks (ms). */
    at: number,
    /** A classroom user id. */
    by: text.orNull,
    eventIds: texts,
  },
  indexes: [index("courseId", "-at"), index("at")],
  held: {
    key: "seriesChanges",
    holds: "that a series of sessions was changed in the classroom, and the user id of who changed it",
    kept: "90 days",
    person: [
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), by: anyOf(userIds) }),
        change: () => ({ update: { $set: { by: erasedId } } }),
      },
    ],
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
