import type { LinkChoice } from "../../../domain/course-link.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { cutTo } from "../../../kernel/text.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

export const columnRecord = describeRecord("Column", {
  readOnce: true,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    key: field.text,
    /** Address of the AGS line item, query included; null until known. */
    lineItemUrl: field.text.orNull,
    /** The resource link with this column; null for one we made. */
    linkId: field.text.orNull,
    /** Losses of its line item since the last score arrived. */
    lost: field.number.or(0),
    /** As last read, since teachers may change them; with 0 nothing counts there. Null: not known. */
    points: field.number.orNull,
    /** An instructor decided that it stays at 0 points. */
    keptAtZero: field.flag.optional,
    /** When which line item was last read; left out for never. */
    looked: field.group<{ lineItemUrl: string; at: number } | null>({
      lineItemUrl: field.text,
      at: field.number,
    }).optional,
    /** While set, nothing is sent until an instructor decides. */
    missing: field.group<MissingColumn | null>({
      at: field.number,
      tied: field.flag.optional,
      leftOut: field.flag.optional,
      linkId: field.text.orNull.optional,
    }).optional,
    /** The gradebook lost all our grades: nothing is sent until an instructor says whether a new term began. */
    emptied: field.group<EmptiedColumn | null>({
      at: field.number,
      lastAt: field.number,
      grades: field.number,
    }).optional,
    /** A link's line item that grades do not go to; null and left out for none. */
    offered: field.group<OfferedLineItem | null>({
      linkId: field.text,
      lineItemUrl: field.text,
      label: field.text.optional,
      left: field.flag.optional,
    }).optional,
    /** As last read; left out for none. */
    label: field.textOf<string | null>().optional,
    /** A link asked for this session's column: filled in addition to the attendance column. Left out where none did. */
    asked: field.flag.optional,
    /** The column that used this line item before: its grades there are ours. */
    formerKey: field.text.orNull.optional,
    /** What we wrote of a column we made; null of others. */
    told: field.group<WrittenColumn | null>({
      label: field.text.orNull,
      shown: field.text.orNull,
      writing: field.text.orNull,
      startsAt: field.number.orNull,
      endsAt: field.number.orNull,
    }).optional,
    /** When its line item is read next, whatever is sent (ms). */
    lookAt: field.numberOf<number | null>().optional,
  },
  hidden: {
    /** When the LMS is to get a session's change (ms); null for nothing. */
    tellAt: field.numberOf<number | null>().optional,
    /** Counts requests, so none is lost during an update. */
    tellWishes: field.number.optional,
    tellFailures: field.number.optional,
    ...field.lease,
  },
  indexes: [index.unique("registrationId", "courseId", "key"), index("tellAt"), index("lookAt")],
  personalData: { key: "columns", holds: "gradebook columns; no person", stored: "with the course" },
});
export type Column = ItemOf<typeof columnRecord>;

export type MissingColumn = {
  /** When it was noticed (ms). */
  at: number;
  /** A link's own column: switching off the activity's grades removes it, too. */
  tied: boolean;
  /** Goes on without one; null while undecided. */
  leftOut: boolean;
  /** The link whose own column it was. */
  linkId?: string | null;
};

export type EmptiedColumn = {
  /** When it was noticed (ms). */
  at: number;
  /** When the last of its grades arrived (ms): the new term begins after it. */
  lastAt: number;
  grades: number;
};

/** The line item of a resource link: an alternative to ours, or one too many when another link has one. */
export type OfferedLineItem = {
  linkId: string;
  lineItemUrl: string;
  /** Its name, where it is one too many. */
  label?: string;
  /** An instructor keeps our column. */
  left?: boolean;
};

export type WrittenColumn = {
  /** The last name we chose; null before the column was made, and when a teacher had named it. */
  label: string | null;
  /** Our last name as the LMS stored it. */
  shown: string | null;
  /** A name whose write was not confirmed; any other name is a teacher's. */
  writing: string | null;
  startsAt: number | null;
  endsAt: number | null;
};

const nothingWritten: WrittenColumn = {
  label: null,
  shown: null,
  writing: null,
  startsAt: null,
  endsAt: null,
};

/** Before a name is written, so it counts as ours even if the answer is lost. */
export function aboutToWrite(written: WrittenColumn | null | undefined, label: string): WrittenColumn {
  return { ...(written ?? nothingWritten), writing: label };
}

export function isOurLabel({ label, shown, writing }: WrittenColumn, present: string): boolean {
  return [label, shown, writing].includes(present);
}

/** Key of the column that the default policy fills. */
export const attendanceColumn = "attendance";

const sessionPrefix = "session ";
const attendanceMark = "spaces-lti-attendance";
const sessionMark = "spaces-lti-session-";

export function sessionColumn(eventId: string): string {
  return `${sessionPrefix}${eventId}`;
}

/** Null for the attendance column. */
export function eventOfColumn(key: string): string | null {
  return key.startsWith(sessionPrefix) ? key.slice(sessionPrefix.length) : null;
}

/** Our mark in the LMS (AGS `resourceId`). A course copy has it, too; there a session's mark means nothing. */
export function resourceIdOfColumn(key: string): string {
  const eventId = eventOfColumn(key);
  return eventId === null ? attendanceMark : `${sessionMark}${eventId}`;
}

/** Whether a line item has our mark, also one copied from another course. */
export function isOurResourceId(resourceId: string | null): boolean {
  return resourceId === attendanceMark || (resourceId ?? "").startsWith(sessionMark);
}

export function columnOfChoice(choice: LinkChoice): string {
  return choice.kind === "session" ? sessionColumn(choice.eventId) : attendanceColumn;
}

/** Moodle's reply is empty for longer ones. */
const maxLabelLength = 255;

/** Title and time in the course's zone: "Cells, 2027-03-28 10:00". Long titles are cut, dates are not. */
export function sessionColumnLabel(
  session: { title: string | null; startsAt: number | null },
  timeZone: string | null,
): string {
  const title = (session.title ?? "").trim() || "Session";
  if (session.startsAt === null) return cutTo(title, maxLabelLength);
  const { date, time } = wallTimeOf(session.startsAt, timeZone ?? "UTC");
  const when = title.includes(date) ? ` ${time}` : `, ${date} ${time}`;
  return `${cutTo(title, maxLabelLength - when.length).trimEnd()}${when}`;
}
