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
    /** Address of the AGS line item, with its query; null until known. */
    lineItemUrl: field.text.orNull,
    /** The resource link to which the column belongs; null if we made the column. */
    linkId: field.text.orNull,
    /** How often its line item was lost since the last score arrived. */
    lost: field.number.or(0),
    /** As last read, because teachers may change them. With 0 points, nothing counts there. Null if unknown. */
    points: field.number.orNull,
    /** An instructor decided that the column stays at 0 points. */
    keptAtZero: field.flag.optional,
    /** When we last read which line item; left out for never. */
    looked: field.group<{ lineItemUrl: string; at: number } | null>({
      lineItemUrl: field.text,
      at: field.number,
    }).optional,
    /** While this is set, nothing is sent until an instructor decides. */
    missing: field.group<MissingColumn | null>({
      at: field.number,
      tied: field.flag.optional,
      leftOut: field.flag.optional,
      linkId: field.text.orNull.optional,
    }).optional,
    /** The gradebook lost all our grades. Nothing is sent until an instructor says whether a new term began. */
    emptied: field.group<EmptiedColumn | null>({
      at: field.number,
      lastAt: field.number,
      grades: field.number,
    }).optional,
    /** A link's line item that grades don't go to; null or left out for none. */
    offered: field.group<OfferedLineItem | null>({
      linkId: field.text,
      lineItemUrl: field.text,
      label: field.text.optional,
      left: field.flag.optional,
    }).optional,
    /** The name as last read; left out if there is none. */
    label: field.textOf<string | null>().optional,
    /** A link asked for this session's column, so we fill it in addition to the attendance column. Left out if none did. */
    asked: field.flag.optional,
    /** The column that used this line item before. Its grades there are ours. */
    formerKey: field.text.orNull.optional,
    /** What we wrote to a column that we made; null for others. */
    told: field.group<WrittenColumn | null>({
      label: field.text.orNull,
      shown: field.text.orNull,
      writing: field.text.orNull,
      startsAt: field.number.orNull,
      endsAt: field.number.orNull,
    }).optional,
    /** When to read its line item next, even if nothing is sent (ms). */
    lookAt: field.numberOf<number | null>().optional,
  },
  hidden: {
    /** When the LMS should get a session's change (ms); null for no change. */
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
  /** When we noticed it (ms). */
  at: number;
  /** It was a link's own column, which also disappears if the activity's grades are turned off. */
  tied: boolean;
  /** The course continues without the column; null while undecided. */
  leftOut: boolean;
  /** The link whose own column it was. */
  linkId?: string | null;
};

export type EmptiedColumn = {
  /** When we noticed it (ms). */
  at: number;
  /** When the last of its grades arrived (ms). The new term begins after that. */
  lastAt: number;
  grades: number;
};

/** The line item of a resource link: an alternative to ours, or a second one if another link has one. */
export type OfferedLineItem = {
  linkId: string;
  lineItemUrl: string;
  /** Its name, if it is a second one. */
  label?: string;
  /** An instructor decided to keep our column. */
  left?: boolean;
};

export type WrittenColumn = {
  /** The last name we chose. Null before the column is made, or if a teacher had named it. */
  label: string | null;
  /** Our last name, as the LMS stored it. */
  shown: string | null;
  /** A name that we sent without getting an answer. Any other name is a teacher's. */
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

/** To store before sending a name, so it counts as ours even if the answer is lost. */
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

/** Our mark in the LMS (AGS `resourceId`). A copied course has it, too, but a session's mark means nothing there. */
export function resourceIdOfColumn(key: string): string {
  const eventId = eventOfColumn(key);
  return eventId === null ? attendanceMark : `${sessionMark}${eventId}`;
}

/** Whether a line item has our mark, even one copied from another course. */
export function isOurResourceId(resourceId: string | null): boolean {
  return resourceId === attendanceMark || (resourceId ?? "").startsWith(sessionMark);
}

export function columnOfChoice(choice: LinkChoice): string {
  return choice.kind === "session" ? sessionColumn(choice.eventId) : attendanceColumn;
}

/** Moodle's reply is empty for longer labels. */
const maxLabelLength = 255;

/** Title and time in the course's zone: "Cells, 2027-03-28 10:00". Cuts long titles, but never dates. */
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
