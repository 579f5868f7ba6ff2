import type { EnvironmentName } from "../../../domain/registration.ts";

/** A control-center alert of the classroom with what was told about it; values are kept as they came. */
export type ClassroomAlert = {
  environment: EnvironmentName;
  alertId: string;
  /** TEACHER_DECLINED_EVENT, EVENT_NO_SHOW, or a kind that nobody knows. */
  alertType: string;
  status: string | null;
  priority: string | null;
  assigneeId: string | null;
  /** The scheduled event it is about; null when the classroom names none. */
  eventId: string | null;
  closed: boolean;
  /** When it was raised (ms), as far as we know. */
  raisedAt: number;
  /** When it was changed last (ms). */
  changedAt: number;
  /** When its details were read last (ms); null when they never could be. */
  readAt: number | null;
  /** The earliest first. */
  history: readonly AlertStep[];
  /** Who has seen it as it is now; null while nobody has. */
  seen: { personId: string; at: number } | null;
  /** Grows with everything that is told about it. */
  revision: number;
};

/** One thing that happened to an alert, with how it stood then. */
export type AlertStep = {
  at: number;
  /** The webhook's eventType: CREATE_ALERT, UPDATE_ALERT, or one that nobody knows. */
  eventType: string;
  status: string | null;
  priority: string | null;
  /** Who did it, in the classroom's ids; null when the system did (interface 6.8). */
  updatedBy: string | null;
};

/** Kinds of alerts that we have words for. */
export const knownAlertTypes = ["TEACHER_DECLINED_EVENT", "EVENT_NO_SHOW"] as const;

/** Whether there are words for a kind of alert. */
export function isKnownAlertType(alertType: string): alertType is (typeof knownAlertTypes)[number] {
  return knownAlertTypes.some((known) => known === alertType);
}
