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
  /** Whether the cancelled event is not there any more: deleted, and not only called off; left out when it is not. */
  deleted?: boolean;
  /** The latest change that a webhook told; left out when none did. */
  told?: ToldChange;
  /** The course whose Space it is linked to; null while no course is known. */
  courseId: string | null;
  readAt: number;
  /** The cohorts it is for, as the classroom says; null or left out when it does not. */
  cohortIds?: readonly string[] | null;
  /** The sections of its course that are linked to these cohorts (the LMS's ids). */
  sectionIds?: readonly string[];
  /** Whether a webhook told it with a `recurringUpdateType`: one of a series made in the classroom (interface 6.5). */
  recurring?: boolean;
  /** Grows with every change of title, times or cancellation that we have seen. */
  revision?: number;
  /** When the last of these changes was seen (ms). */
  changedAt?: number;
};

/** A change as a SCHEDULE webhook told it (interface 6.5). */
export type ToldChange = {
  /** EVENT_CREATED, EVENT_UPDATED, EVENT_DELETED, EVENT_CANCELLED, or what nobody knows. */
  eventType: string;
  /** Who made it, in the classroom's ids; null when not told. */
  by: string | null;
  /** When it was made (ms). */
  at: number;
};

/** The later of two changes; of two at the same moment the one that ends more. */
export function laterChange(one: ToldChange | null, other: ToldChange | null): ToldChange | null {
  if (one === null || other === null) return one ?? other;
  const byTime = one.at - other.at || endings.indexOf(one.eventType) - endings.indexOf(other.eventType);
  return byTime >= 0 ? one : other;
}

const endings: readonly string[] = ["EVENT_CANCELLED", "EVENT_DELETED"];
