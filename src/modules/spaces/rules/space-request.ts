import type { SpaceDecider, SpaceName } from "./space-right.ts";

/** That an instructor wanted a Space for a course which has no right to it; somebody else decides. */
export type SpaceRequest = SpaceName & {
  id: string;
  registrationId: string;
  courseId: string;
  /** Who asked first. */
  personId: string;
  /** Milliseconds since the epoch. */
  askedAt: number;
  state: "open" | "approved" | "refused";
  decidedAt: number | null;
  decidedBy: SpaceDecider | null;
};

/** So many requests of one course wait at most: ids can be typed without end. */
export const mostOpenRequests = 20;
