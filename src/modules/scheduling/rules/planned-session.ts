import type { EnvironmentName } from "../../../domain/registration.ts";

/**
 * "wanted": to be made. "made": it exists. "failed": the classroom refused it. "unknown": requested, with unknown
 * outcome. "assumed": the same, and an instructor says that it exists. "dropped": cancelled before it was made.
 */
export type PlanState = "wanted" | "made" | "failed" | "unknown" | "assumed" | "dropped";

export type PlanTask = "make" | "find" | "update" | "cancel" | null;

/**
 * A planned session, one record for each instance; or, with `origin` "found", what an instructor said about one made in
 * the classroom. The event's facts win, except `shownTitle`, `sectionIds` and `counts`, which are ours.
 */
export type PlannedSession = {
  id: string;
  registrationId: string;
  courseId: string;
  environment: EnvironmentName;
  /** Null until the course has one or, for a found session, the classroom names it. */
  spaceId: string | null;
  origin: "planned" | "found";
  /** Null for a single session and for a found one. */
  seriesId: string | null;
  /** Its place in the series, from 1, and the length of the series. */
  number: number;
  of: number;
  /** Null until it was made. */
  eventId: string | null;
  state: PlanState;
  task: PlanTask;
  /** What the classroom gets; times in milliseconds since the epoch. */
  title: string;
  startsAt: number;
  endsAt: number;
  /** The title here and in calendars; null: the classroom's. */
  shownTitle: string | null;
  /** The LMS's ids of its sections; empty for the whole course. */
  sectionIds: readonly string[];
  counts: boolean;
  /** Who planned it and hosts it in the classroom. */
  hostPersonId: string | null;
  /** When it was requested (ms); null when it was not, or was refused. */
  askedAt: number | null;
  attempts: number;
  /** Why it failed or is late, for people; null when nothing is wrong. */
  problem: string | null;
  /** Code of `problem`, for translation; earlier records lack it. */
  problemCode?: string | null;
  /** Grows with every change made here. */
  revision: number;
  createdAt: number;
};

/** What may be changed here for every session. */
export type OwnFacts = Pick<PlannedSession, "shownTitle" | "sectionIds" | "counts">;

export type SeriesScope = "one" | "following" | "all";
