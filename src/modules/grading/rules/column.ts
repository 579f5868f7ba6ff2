import { flag, group, leaseFields, number, numberOf, text, textOf } from "../../../domain/record-fields.ts";
import { describeRecord, index, type ItemOf, unique } from "../../../domain/record.ts";
import type { LinkChoice } from "../../../domain/course-link.ts";

/** A gradebook column of a course. */
export const columnRecord = describeRecord("Column", {
  fields: {
    registrationId: text,
    courseId: text,
    /** `attendanceColumn`, or what `sessionColumn` makes of an event. */
    key: text,
    /** Address of the AGS line item, query included; null until known. */
    lineItemUrl: text.orNull,
    /** The resource link whose own column this is; null for a column that we made. */
    linkId: text.orNull,
    /** How often its line item has been lost since a score last arrived. */
    lost: number.or(0),
    /** Points it has in the gradebook, as its line item last told; null while none has. A teacher may change them. */
    points: number.orNull,
    /** When which line item was last read; left out while none was. */
    looked: group<{ lineItemUrl: string; at: number } | null>({ lineItemUrl: text, at: number }).optional,
    /** That the gradebook has it no more; left out while it has. Nothing is sent to it until an instructor says so. */
    missing: group<MissingColumn | null>({ at: number, tied: flag.optional, leftOut: flag.optional })
      .optional,
    /** What the gradebook calls it, as its line item last told; left out while none has. */
    label: textOf<string | null>().optional,
    /**
     * Of a session's column: an instructor asked for it by a link, so that it is filled beside the column of all attendance.
     * Left out in records of earlier versions, which had no others.
     */
    asked: flag.optional,
    /** The column of the course that wrote into this line item until this one did: what is there is ours. */
    formerKey: text.orNull.optional,
    /** What we wrote of a column that we made; null of any other, and left out in records of earlier versions. */
    told: group<ToldColumn | null>({
      ...{ label: text.orNull, shown: text.orNull, writing: text.orNull },
      ...{ startsAt: number.orNull, endsAt: number.orNull },
    }).optional,
  },
  hidden: {
    /** When the LMS is to be told of a change of the column's session (ms); null when there is nothing to tell. */
    tellAt: numberOf<number | null>().optional,
    /** Counts the wishes to tell it, so that none is lost while one is carried out. */
    tellWishes: number.optional,
    /** Attempts that failed since it was last wanted. */
    tellFailures: number.optional,
    ...leaseFields,
  },
  indexes: [unique("registrationId", "courseId", "key"), index("tellAt"), index("looked.at")],
  held: { key: "columns", holds: "gradebook columns; no person", kept: "with the course" },
});
export type Column = ItemOf<typeof columnRecord>;

/** A column that a teacher removed from the gradebook. */
export type MissingColumn = {
  /** When that was noticed (ms). */
  at: number;
  /** Whether it was a link's own column: switching off the grades of the activity removes it, too. */
  tied: boolean;
  /** Its session is to stay without one; null while nobody has said so. */
  leftOut: boolean;
};

/** What a column that we made says of its session. */
export type ToldColumn = {
  /** The name that it was to have last; null before it was made, and when a teacher had named it before. */
  label: string | null;
  /** What the LMS made of the name that we wrote last. */
  shown: string | null;
  /** A name that we were about to write and perhaps have written: what it is called otherwise is a teacher's choice. */
  writing: string | null;
  /** Milliseconds since the epoch. */
  startsAt: number | null;
  endsAt: number | null;
};

/** Nothing was told of a column yet. */
const untold: ToldColumn = { label: null, shown: null, writing: null, startsAt: null, endsAt: null };

/** Before a name is written: should the answer be lost, the name is known as ours. */
export function aboutToWrite(told: ToldColumn | null | undefined, label: string): ToldColumn {
  return { ...(told ?? untold), writing: label };
}

/** Whether a column is called what we named it, not what a teacher did. */
export function isOurLabel({ label, shown, writing }: ToldColumn, present: string): boolean {
  return [label, shown, writing].includes(present);
}

/** Key of the one column that the default policy fills. */
export const attendanceColumn = "attendance";

const sessionPrefix = "session ";
const attendanceMark = "spaces-lti-attendance";
const sessionMark = "spaces-lti-session-";

/** Key of the column of one session. */
export function sessionColumn(eventId: string): string {
  return `${sessionPrefix}${eventId}`;
}

/** The event whose column this is; null for the attendance column. */
export function eventOfColumn(key: string): string | null {
  return key.startsWith(sessionPrefix) ? key.slice(sessionPrefix.length) : null;
}

/**
 * What marks a column as ours in the LMS (AGS `resourceId`). It is copied with the course, so a session's names
 * an event of the course it was made in and nothing in the copy.
 */
export function resourceIdOfColumn(key: string): string {
  const eventId = eventOfColumn(key);
  return eventId === null ? attendanceMark : `${sessionMark}${eventId}`;
}

/** Whether a line item has our mark, of whichever column, also of one in the course that this one was copied from. */
export function isOurResourceId(resourceId: string | null): boolean {
  return resourceId === attendanceMark || (resourceId ?? "").startsWith(sessionMark);
}

/** The column that a link with this choice brings along. */
export function columnOfChoice(choice: LinkChoice): string {
  return choice.kind === "session" ? sessionColumn(choice.eventId) : attendanceColumn;
}

/** Statuses that count in a column: of all sessions, or of its one session. */
export function statusesOfColumn(
  key: string,
  statuses: readonly { eventId: string; status: string }[],
): string[] {
  const eventId = eventOfColumn(key);
  return statuses.flatMap((one) => (eventId === null || one.eventId === eventId ? [one.status] : []));
}
