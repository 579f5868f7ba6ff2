import {
  describeRecord,
  flag,
  index,
  type ItemOf,
  json,
  leaseFields,
  number,
  onlyWhere,
  text,
  textOf,
  texts,
  unique,
} from "../../../domain/record.ts";
import { anyOf, withCourse } from "../../../domain/held-record.ts";
import type { AccountId } from "../../../domain/account.ts";

/**
 * "wanted": to be made. "failed": the classroom refused it. "unknown": requested, outcome unknown. "assumed": the same,
 * and an instructor says that it exists. "dropped": cancelled before it was made.
 */
export type PlanState = "wanted" | "made" | "failed" | "unknown" | "assumed" | "dropped";

export type PlanTask = "make" | "find" | "update" | "cancel" | null;

/**
 * One record for each instance; with `origin` "found", what an instructor said about one made in the classroom. The
 * event's facts win, except `shownTitle`, `sectionIds` and `counts`, which are ours.
 */
export const plannedSessionRecord = describeRecord("SessionPlan", {
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<AccountId>(),
    /** Null until the course has one or, for a found session, the classroom names it. */
    spaceId: text.orNull,
    origin: textOf<"planned" | "found">(),
    /** Null for a single session and for a found one. */
    seriesId: text.orNull,
    /** In the series, from 1. */
    number,
    of: number,
    /** Null until it was made. */
    eventId: text.orNull,
    state: textOf<PlanState>(),
    task: textOf<PlanTask>().or(null),
    /** What the classroom gets. Times in milliseconds since the epoch. */
    title: text.or(""),
    startsAt: number,
    endsAt: number,
    /** Here and in calendars; null: the classroom's. */
    shownTitle: text.orNull,
    /** The LMS's ids; empty for the whole course. */
    sectionIds: texts.or([]),
    counts: flag.or(true),
    /** An instructor keeps the marks of a session that was cancelled or deleted after them; left out for nothing said. */
    keepsMarks: flag.or(false).optional,
    /** Minutes count to `to` (ms), when everybody had left a session planned until `endsAt`; null or left out: to its end. */
    shortened: json<{ endsAt: number; to: number }>().orNull.optional,
    /** Planned it, and hosts it in the classroom. */
    hostPersonId: text.orNull,
    /** When it was requested (ms); null: not, or refused. */
    askedAt: number.orNull,
    attempts: number.or(0),
    /** Why it failed or is late, for people. */
    problem: text.orNull,
    /** Code of `problem`, for translation. */
    problemCode: text.orNull.optional,
    /** Grows with every change made here. */
    revision: number.or(0),
    createdAt: number,
  },
  hidden: {
    /** Of the next step (ms); never for none. */
    dueAt: number,
    ...leaseFields,
  },
  indexes: [
    index("courseId", "startsAt"),
    index("courseId", "seriesId"),
    index("dueAt", "startsAt"),
    index("spaceId", "startsAt"),
    onlyWhere({ eventId: { $type: "string" } }, unique("environment", "eventId")),
  ],
  held: {
    key: "plannedSessions",
    holds: "planned sessions, and which instructor is their host",
    kept: withCourse,
    person: [
      {
        over: "own-courses",
        find: ({ personIds }, courseIds) => ({
          courseId: anyOf(courseIds),
          hostPersonId: anyOf(personIds),
        }),
        change: () => ({ update: { $set: { hostPersonId: null } } }),
      },
    ],
    ofCourses: (_registrationId, courseIds) => ({ courseId: anyOf(courseIds) }),
  },
});
export type PlannedSession = ItemOf<typeof plannedSessionRecord>;

/** What may be changed here for every session. */
export type OwnFacts = Pick<
  PlannedSession,
  "shownTitle" | "sectionIds" | "counts" | "keepsMarks" | "shortened"
>;

/** Until when a session's minutes count (ms), where that is not its end. A session that was moved since counts as planned. */
export function countedTo(
  { startsAt, endsAt }: { startsAt: number | null; endsAt: number | null },
  plan: Pick<PlannedSession, "shortened"> | null,
): number | undefined {
  const { shortened = null } = plan ?? {};
  if (shortened === null || shortened.endsAt !== endsAt || startsAt === null) return undefined;
  return startsAt < shortened.to && shortened.to < endsAt ? shortened.to : undefined;
}

export type SeriesScope = "one" | "following" | "all";
