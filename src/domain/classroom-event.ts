import { describeRecord, field, index, type ItemOf } from "./record.ts";
import { ofCoursesAlone, signedBy } from "./personal-data.ts";
import type { AccountId } from "./account.ts";
import { hourMs } from "../kernel/clock.ts";

/** A scheduled event of the classroom as last read, or a session of ours that it does not know. */
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
    /** When its cancellation or deletion was reported (ms); left out otherwise. */
    cancelledAt: field.numberOf<number | null>().optional,
    /** Cancelled by an instructor here, at `cancelledAt`; left out otherwise. A later word of the classroom ends it. */
    cancelledHere: field.flag.optional,
    /** Deleted, not only cancelled. */
    deleted: field.flag.optional,
    /** The latest change a webhook reported. */
    told: field.json<ReportedChange>().optional,
    /** The course whose Space it is linked to; null while unknown. */
    courseId: field.text.orNull,
    readAt: field.number,
    /** Its cohorts as reported; null or left out when not. */
    cohortIds: field.textsOf<readonly string[] | null>().optional,
    /** Sections of its course linked to these cohorts (the LMS's ids). */
    sectionIds: field.texts.optional,
    /** Reported with a `recurringUpdateType`: one of a series made in the classroom (interface 6.5). */
    recurring: field.flag.optional,
    /** Grows with every seen change of title, times or cancellation. */
    revision: field.number.optional,
    /** When the last of these changes was seen (ms). */
    changedAt: field.number.optional,
    /** Made here of an unplanned class: the classroom does not know it. Left out otherwise. */
    ours: field.flag.optional,
  },
  hidden: {
    /** Whether logins are planned for its present state. */
    planned: field.flag.or(false),
    /** Whether attendance readings are planned for its present state. */
    readingPlanned: field.flag.or(false),
    /** When reminders of its present state are looked at again (ms); left out before the first look. */
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

/** How long a session without an end is taken to last (ms). */
export const assumedLengthMs = 2 * hourMs;

/** A change as reported by a SCHEDULE webhook (interface 6.5). */
export type ReportedChange = {
  /** EVENT_CREATED, EVENT_UPDATED, EVENT_DELETED, EVENT_CANCELLED, or an unknown one. */
  eventType: string;
  /** In the classroom's ids; null when not reported. */
  by: string | null;
  at: number;
};

/** The later of two changes; at the same moment the one that ends more. */
export function laterChange(one: ReportedChange | null, other: ReportedChange | null): ReportedChange | null {
  if (one === null || other === null) return one ?? other;
  const byTime = one.at - other.at || endings.indexOf(one.eventType) - endings.indexOf(other.eventType);
  return byTime >= 0 ? one : other;
}

const endings: readonly string[] = ["EVENT_CANCELLED", "EVENT_DELETED"];
