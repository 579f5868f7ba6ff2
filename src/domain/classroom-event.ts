import type { EnvironmentName } from "./registration.ts";

/** A scheduled event of the classroom as we last read it. */
export type ClassroomEvent = {
  id: string;
  environment: EnvironmentName;
  eventId: string;
  spaceId: string | null;
  title: string | null;
  /** Milliseconds since the epoch; null when the classroom did not say. */
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  /** When the classroom told us that it was cancelled or deleted (ms); left out when it did not. */
  cancelledAt?: number | null;
  /** The course whose Space it is linked to; null while no course is known. */
  courseId: string | null;
  readAt: number;
  /** Whether a webhook told it with a `recurringUpdateType`: one of a series made in the classroom (interface 6.5). */
  recurring?: boolean;
  /** Grows with every change of title, times or cancellation that we have seen. */
  revision?: number;
  /** When the last of these changes was seen (ms). */
  changedAt?: number;
};
