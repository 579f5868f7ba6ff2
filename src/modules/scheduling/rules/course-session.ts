import type { AccountId } from "../../../domain/account.ts";
import { inOwnCourses, ofCoursesAlone, withCourse } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { cutTo } from "../../../kernel/text.ts";

export type CourseSession = {
  eventId: string;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  /** An instructor cancelled it here: its marks are kept, but no page shows them and they count for nothing. */
  cancelledHere?: boolean;
  deleted?: boolean;
  /** Made here from an unplanned class, so it doesn't exist in the classroom. */
  ours?: boolean;
  /** The LMS's ids. Empty for the whole course. */
  sectionIds: readonly string[];
  /** Null for a single session, and for one made in the classroom. */
  seriesId: string | null;
  /** False if an instructor excluded it from grades. */
  counts: boolean;
  /** As in `PlannedSession`. Left out if false. */
  keepsMarks?: boolean;
  /** As in `countedTo`. Left out if its minutes count to its end. */
  countsTo?: number;
};

/** Whether a session is for the whole course or one of these sections. */
export function isForSections(session: Pick<CourseSession, "sectionIds">, own: readonly string[]): boolean {
  return session.sectionIds.length === 0 || session.sectionIds.some((id) => own.includes(id));
}

export function sameSections(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}

/** Whether a session began before a person joined the course. Without a mark, it then doesn't concern them. */
export function isBeforeTheirs(
  { startsAt }: { startsAt?: number | null },
  { joinedAt = null }: { joinedAt?: number | null },
): boolean {
  return joinedAt !== null && startsAt != null && startsAt < joinedAt;
}

/** A session of which only the id is known. Its attendance is shown and counts like any other's. */
export function unknownSession(eventId: string): CourseSession {
  return {
    eventId,
    title: null,
    startsAt: null,
    endsAt: null,
    cancelled: false,
    sectionIds: [],
    seriesId: null,
    counts: true,
  };
}

/**
 * "wanted": to be made. "failed": the classroom refused it. "unknown": requested, but nobody knows the outcome. "assumed": likewise, but an
 * instructor says that it exists. "dropped": cancelled before it was made.
 */
type PlanState = "wanted" | "made" | "failed" | "unknown" | "assumed" | "dropped";

/**
 * One record per instance. With `origin` "found", it holds what an instructor said about a session made in the classroom. The event's facts
 * take precedence, except for `shownTitle`, `sectionIds` and `counts`, which are ours.
 */
export const plannedSessionRecord = describeRecord("SessionPlan", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    /** Null until the course has a Space or, for a found session, the classroom names it. */
    spaceId: field.text.orNull,
    origin: field.textOf<"planned" | "found">(),
    /** Null for a single session and for a found one. */
    seriesId: field.text.orNull,
    /** Its number in the series, from 1. */
    number: field.number,
    of: field.number,
    /** Null until it was made. */
    eventId: field.text.orNull,
    state: field.textOf<PlanState>(),
    task: field.textOf<"make" | "find" | "update" | "cancel" | null>().or(null),
    /** What the classroom gets. Times in milliseconds since the epoch. */
    title: field.text.or(""),
    startsAt: field.number,
    endsAt: field.number,
    /** The title shown here and in calendars. Null: the classroom's. */
    shownTitle: field.text.orNull,
    /** The LMS's ids. Empty for the whole course. Null: those of the event's cohorts. */
    sectionIds: field.texts.orNull,
    counts: field.flag.or(true),
    /** Whether an instructor keeps marks of a session that was cancelled or deleted later. Left out if nothing was said. */
    keepsMarks: field.flag.or(false).optional,
    /** If people left a session planned until `endsAt` early, minutes count to `to` (ms). Null or left out: to its end. */
    shortened: field.json<{ endsAt: number; to: number }>().orNull.optional,
    /** The person who planned it and hosts it in the classroom. */
    hostPersonId: field.text.orNull,
    /** When it was requested (ms). Null: not yet, or refused. */
    askedAt: field.number.orNull,
    attempts: field.number.or(0),
    /** Why it failed or is late, as text for people. */
    problem: field.text.orNull,
    /** The code of `problem`, for translation. */
    problemCode: field.text.orNull.optional,
    /** Grows with every change made here. */
    revision: field.number.or(0),
    createdAt: field.number,
  },
  hidden: {
    /** When the next step is due (ms), or `never`. */
    dueAt: field.number,
    ...field.lease,
  },
  indexes: [
    index("courseId", "startsAt"),
    index("courseId", "seriesId"),
    index("dueAt", "startsAt", "environment"),
    index("spaceId", "startsAt"),
    index.onlyWhere({ eventId: { $gt: "" } }, index.unique("environment", "eventId"), "one_plan"),
  ],
  personalData: {
    key: "plannedSessions",
    holds: "planned sessions, and their hosts among instructors",
    stored: withCourse,
    person: [
      inOwnCourses("hostPersonId", { courses: ofCoursesAlone }, () => ({
        update: { $set: { hostPersonId: null } },
      })),
    ],
    ofCourses: ofCoursesAlone,
  },
});
export type PlannedSession = ItemOf<typeof plannedSessionRecord>;

/** What can be changed here, even for sessions made in the classroom. */
export type OwnFacts = Pick<
  PlannedSession,
  "shownTitle" | "sectionIds" | "counts" | "keepsMarks" | "shortened"
>;

/** Until when a session's minutes count (ms), if not to its end. If the session was moved since, it counts as planned. */
export function countedTo(
  { startsAt, endsAt }: { startsAt: number | null; endsAt: number | null },
  plan: Pick<PlannedSession, "shortened"> | null,
): number | undefined {
  const { shortened = null } = plan ?? {};
  if (shortened === null || shortened.endsAt !== endsAt || startsAt === null) return undefined;
  return startsAt < shortened.to && shortened.to < endsAt ? shortened.to : undefined;
}

export type SeriesScope = "one" | "following" | "all";

/** UTF-16 units. */
export const maxTitleLength = 200;

const titlePlaceholders = ["number", "of", "date", "course"] as const;

type TitleValues = Readonly<Record<(typeof titlePlaceholders)[number], string>>;

/**
 * Fills a title's placeholders: "Lecture {number} of {of}" becomes "Lecture 3 of 12". Unknown placeholders stay.
 * @returns at most {@link maxTitleLength} characters, without line breaks.
 */
export function titleOf(template: string, values: TitleValues): string {
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const known = titlePlaceholders.find((each) => each === name);
    return known === undefined ? whole : values[known];
  });
  return cutTo(filled.replace(/\s+/g, " ").trim(), maxTitleLength);
}
