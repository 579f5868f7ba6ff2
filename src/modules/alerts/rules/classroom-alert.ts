import { describeRecord, index, type ItemOf } from "../../../domain/record.ts";
import { textOf, text, flag, number, json } from "../../../domain/record-fields.ts";
import { anyOf, erasedId, inEnvironment } from "../../../domain/held-record.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** A control-center alert of the classroom with what was told about it; values are kept as they came. */
export const classroomAlertRecord = describeRecord("ClassroomAlert", {
  id: null,
  fields: {
    environment: textOf<EnvironmentName>(),
    alertId: text,
    /** TEACHER_DECLINED_EVENT, EVENT_NO_SHOW, or a kind that nobody knows. */
    alertType: text,
    status: text.orNull,
    priority: text.orNull,
    assigneeId: text.orNull,
    /** The scheduled event it is about; null when the classroom names none. */
    eventId: text.orNull,
    closed: flag,
    /** When it was raised (ms), as far as we know. */
    raisedAt: number,
    /** When it was changed last (ms). */
    changedAt: number,
    /** When its details were read last (ms); null when they never could be. */
    readAt: number.orNull,
    /** The earliest first. */
    history: json<readonly AlertStep[]>(),
    /** Who has seen it as it is now; null while nobody has. */
    seen: json<{ personId: string; at: number }>().orNull,
    /** Grows with everything that is told about it. */
    revision: number,
  },
  indexes: [index("environment", "eventId", "-changedAt"), index("environment", "-changedAt")],
  held: {
    key: "alerts",
    holds:
      "alerts of the classroom: user ids of the assignee and of who changed them; who has seen them here",
    kept: "as long as the tool; it belongs to the classroom's account",
    person: [
      {
        over: "once",
        find: (who) => inEnvironment(who, "assigneeId"),
        change: () => ({ update: { $set: { assigneeId: erasedId } } }),
      },
      {
        over: "once",
        find: (who) => inEnvironment(who, "history.updatedBy"),
        change: ({ soleUserIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(soleUserIds) }],
        }),
      },
      {
        over: "once",
        find: ({ environment, personIds }) => ({ environment, "seen.personId": anyOf(personIds) }),
        change: () => ({ update: { $set: { "seen.personId": erasedId } } }),
      },
    ],
    names: [{ path: "seen.personId", among: "environment" }],
  },
});
export type ClassroomAlert = ItemOf<typeof classroomAlertRecord>;

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
