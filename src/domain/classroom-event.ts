import { describeRecord, field, index, type ItemOf } from "./record.ts";
import { ofCoursesAlone, signedBy } from "./personal-data.ts";
import type { AccountId } from "./account.ts";
import { hourMs } from "../kernel/clock.ts";

/** A scheduled event of the classroom as we last read it, or a session of ours that the classroom doesn't know. */
export const classroomEventRecord = describeRecord("ClassroomEvent", {
  readOnce: "found",
  fields: {
    environment: field.textOf<AccountId>(),
    eventId: field.text,
    spaceId: field.text.orNull,
    title: field.text.orNull,
    /** Milliseconds; null when not reported. */
    startsAt: field.number.orNull,
    endsAt: field.number.orNull,
    cancelled: field.flag.or(false),
    /** When the classroom reported its cancellation or deletion (ms); left out otherwise. */
    cancelledAt: field.numberOf<number | null>().optional,
    /** An instructor cancelled it here, at `cancelledAt`; left out otherwise. A later report from the classroom overrides it. */
    cancelledHere: field.flag.optional,
    /** Deleted, not just cancelled. */
    deleted: field.flag.optional,
    /** The latest change that a webhook reported. */
    told: field.json<ReportedChange>().optional,
    /** The course whose Space it belongs to; null while unknown. */
    courseId: field.text.orNull,
    readAt: field.number,
    /** Its cohorts as reported; null or left out when not reported. */
    cohortIds: field.textsOf<readonly string[] | null>().optional,
    /** The course's sections that are linked to these cohorts, by the LMS's ids. */
    sectionIds: field.texts.optional,
    /** Reported with a `recurringUpdateType`: part of a series made in the classroom (interface 6.5). */
    recurring: field.flag.optional,
    /** Grows with every change of title, times or cancellation that we see. */
    revision: field.number.optional,
    /** When we saw the last of these changes (ms). */
    changedAt: field.number.optional,
    /** Made here from an unplanned class, so the classroom doesn't know it. Left out otherwise. */
    ours: field.flag.optional,
  },
  hidden: {
    /** Whether prepared logins are planned for its current state. */
    planned: field.flag.or(false),
    /** Whether attendance readings are planned for its current state. */
    readingPlanned: field.flag.or(false),
    /** When to look at its reminders again (ms); left out before the first look. */
    remindAt: field.numberOf<number | null>().optional,
  },
  indexes: [
    index.unique("environment", "eventId"),
    index("courseId", "startsAt"),
    index("environment", "planned", "startsAt"),
    index("environment", "spaceId", "startsAt"),
    index("startsAt", "remindAt"),
    index("readingPlanned", "endsAt"),
    index("readingPlanned", "startsAt"),
  ],
  personalData: {
    key: "events",
    holds: "sessions' times and titles from the classroom, and the user id of the latest author there",
    stored: "with the course",
    person: [signedBy("told.by", { ids: "userIds", courses: ofCoursesAlone })],
  },
});
export type ClassroomEvent = ItemOf<typeof classroomEventRecord>;

/** How long we assume a session without an end lasts (ms). */
export const assumedLengthMs = 2 * hourMs;

/** A change as reported by a SCHEDULE webhook (interface 6.5). */
export type ReportedChange = {
  /** EVENT_CREATED, EVENT_UPDATED, EVENT_DELETED, EVENT_CANCELLED, or an unknown one. */
  eventType: string;
  /** The classroom's user id; null when not reported. */
  by: string | null;
  at: number;
};

/** The later of two changes. At the same moment, a deletion wins over a cancellation, and both win over other changes. */
export function laterChange(one: ReportedChange | null, other: ReportedChange | null): ReportedChange | null {
  if (one === null || other === null) return one ?? other;
  const byTime = one.at - other.at || endings.indexOf(one.eventType) - endings.indexOf(other.eventType);
  return byTime >= 0 ? one : other;
}

const endings: readonly string[] = ["EVENT_CANCELLED", "EVENT_DELETED"];
