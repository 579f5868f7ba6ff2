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
export type PlannedSession = {
  id: string;
  registrationId: string;
  courseId: string;
  environment: AccountId;
  /** Null until the course has one or, for a found session, the classroom names it. */
  spaceId: string | null;
  origin: "planned" | "found";
  /** Null for a single session and for a found one. */
  seriesId: string | null;
  /** In the series, from 1. */
  number: number;
  of: number;
  /** Null until it was made. */
  eventId: string | null;
  state: PlanState;
  task: PlanTask;
  /** What the classroom gets. Times in milliseconds since the epoch. */
  title: string;
  startsAt: number;
  endsAt: number;
  /** Here and in calendars; null: the classroom's. */
  shownTitle: string | null;
  /** The LMS's ids; empty for the whole course. */
  sectionIds: readonly string[];
  counts: boolean;
  /** An instructor keeps the marks of a session that was cancelled or deleted after them; left out for nothing said. */
  keepsMarks?: boolean;
  /** Minutes count to `to` (ms), when everybody had left a session planned until `endsAt`; null or left out: to its end. */
  shortened?: { endsAt: number; to: number } | null;
  /** Planned it, and hosts it in the classroom. */
  hostPersonId: string | null;
  /** When it was requested (ms); null: not, or refused. */
  askedAt: number | null;
  attempts: number;
  /** Why it failed or is late, for people. */
  problem: string | null;
  /** Code of `problem`, for translation; missing in earlier records. */
  problemCode?: string | null;
  /** Grows with every change made here. */
  revision: number;
  createdAt: number;
};

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
