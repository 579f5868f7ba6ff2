import type { EnvironmentName } from "../../../domain/registration.ts";

/**
 * How far a planned session is. "wanted": to be made in the classroom. "made": it is there. "failed": the classroom
 * refused it. "unknown": it was asked for and nobody knows whether it was made. "assumed": as that, and an instructor says
 * that it is there. "dropped": cancelled before it was made.
 */
export type PlanState = "wanted" | "made" | "failed" | "unknown" | "assumed" | "dropped";

/** What is to be done about a planned session by itself; null: nothing. */
export type PlanTask = "make" | "find" | "update" | "cancel" | null;

/**
 * A session as it was planned here, one record for each instance; or, with `origin` "found", what an instructor said
 * here about one that was made in the classroom. What the classroom says about an event wins over it, but for what is
 * ours alone: `shownTitle`, `sectionIds` and `counts`.
 */
export type PlannedSession = {
  id: string;
  registrationId: string;
  courseId: string;
  environment: EnvironmentName;
  /** The Space it takes place in; null until the course has one, or the classroom tells it of a found one. */
  spaceId: string | null;
  origin: "planned" | "found";
  /** Null for a single session and for a found one. */
  seriesId: string | null;
  /** Its place in the series, counted from 1, and how many there are. */
  number: number;
  of: number;
  /** Null until it was made. */
  eventId: string | null;
  state: PlanState;
  task: PlanTask;
  /** What the classroom is to know; times in milliseconds since the epoch. */
  title: string;
  startsAt: number;
  endsAt: number;
  /** What it is called here and in calendars; null: as the classroom calls it. */
  shownTitle: string | null;
  /** The LMS's ids of the sections it is for; empty for the whole course. */
  sectionIds: readonly string[];
  /** Whether it counts for grades. */
  counts: boolean;
  /** Who planned it; their classroom user hosts it. */
  hostPersonId: string | null;
  /** When the classroom was asked to make it (ms); null when it was not, or when it said no. */
  askedAt: number | null;
  attempts: number;
  /** Why it failed or is late, as a sentence for people; null when nothing is wrong. */
  problem: string | null;
  /** Code of what `problem` says, to say it in other languages; earlier records lack it, and alone it means nothing. */
  problemCode?: string | null;
  /** Grows with every change that a person makes here. */
  revision: number;
  createdAt: number;
};

/** What may be said about a session here, whatever the classroom lets us do. */
export type OwnFacts = Pick<PlannedSession, "shownTitle" | "sectionIds" | "counts">;

/** Which sessions of a series a change is for. */
export type SeriesScope = "one" | "following" | "all";
