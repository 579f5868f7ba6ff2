import { describeRecord, unique, index, type ItemOf } from "./record.ts";
import { textOf, text, number, flag, numberOf, json, textsOf, texts } from "./record-fields.ts";
import { anyOf, erasedId } from "./held-record.ts";
import type { EnvironmentName } from "./registration.ts";

/** A scheduled event of the classroom as we last read it. */
export const classroomEventRecord = describeRecord("ClassroomEvent", {
  fields: {
    environment: textOf<EnvironmentName>(),
    eventId: text,
    spaceId: text.orNull,
    title: text.orNull,
    /** Milliseconds since the epoch; null when the classroom did not say. */
    startsAt: number.orNull,
    endsAt: number.orNull,
    cancelled: flag.or(false),
    /** When the classroom told us that it was cancelled or deleted (ms); left out when it did not. */
    cancelledAt: numberOf<number | null>().optional,
    /** Whether the cancelled event is not there any more: deleted, and not only called off; left out when it is not. */
    deleted: flag.optional,
    /** The latest change that a webhook told; left out when none did. */
    told: json<ToldChange>().optional,
    /** The course whose Space it is linked to; null while no course is known. */
    courseId: text.orNull,
    readAt: number,
    /** The cohorts it is for, as the classroom says; null or left out when it does not. */
    cohortIds: textsOf<readonly string[] | null>().optional,
    /** The sections of its course that are linked to these cohorts (the LMS's ids). */
    sectionIds: texts.optional,
    /** Whether a webhook told it with a `recurringUpdateType`: one of a series made in the classroom (interface 6.5). */
    recurring: flag.optional,
    /** Grows with every change of title, times or cancellation that we have seen. */
    revision: number.optional,
    /** When the last of these changes was seen (ms). */
    changedAt: number.optional,
  },
  hidden: {
    /** Whether logins for this session are planned for as it is now. */
    planned: flag.or(false),
    /** Whether readings of its attendance are planned for it as it is now. */
    readingPlanned: flag.or(false).optional,
  },
  indexes: [
    unique("environment", "eventId"),
    index("courseId", "startsAt"),
    index("environment", "planned", "startsAt"),
    index("environment", "spaceId", "startsAt"),
    index("readingPlanned", "endsAt"),
    index("readingPlanned", "startsAt"),
  ],
  held: {
    key: "events",
    holds:
      "times and titles of sessions as the classroom tells them, and the user id of who changed one there last",
    kept: "with the course",
    person: [
      {
        over: "own-courses",
        find: ({ userIds }, courseIds) => ({ courseId: anyOf(courseIds), "told.by": anyOf(userIds) }),
        change: () => ({ update: { $set: { "told.by": erasedId } } }),
      },
    ],
  },
});
export type ClassroomEvent = ItemOf<typeof classroomEventRecord>;

/** A change as a SCHEDULE webhook told it (interface 6.5). */
export type ToldChange = {
  /** EVENT_CREATED, EVENT_UPDATED, EVENT_DELETED, EVENT_CANCELLED, or what nobody knows. */
  eventType: string;
  /** Who made it, in the classroom's ids; null when not told. */
  by: string | null;
  /** When it was made (ms). */
  at: number;
};

/** The later of two changes; of two at the same moment the one that ends more. */
export function laterChange(one: ToldChange | null, other: ToldChange | null): ToldChange | null {
  if (one === null || other === null) return one ?? other;
  const byTime = one.at - other.at || endings.indexOf(one.eventType) - endings.indexOf(other.eventType);
  return byTime >= 0 ? one : other;
}

const endings: readonly string[] = ["EVENT_CANCELLED", "EVENT_DELETED"];
