import type { AccountId } from "../../../domain/account.ts";
import { anyOf, erasedId, inEnvironment } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";

/** A control-center alert, with values as they came. */
export const classroomAlertRecord = describeRecord("ClassroomAlert", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    alertId: field.text,
    /** TEACHER_DECLINED_EVENT, EVENT_NO_SHOW, or unknown. */
    alertType: field.text,
    status: field.text.orNull,
    priority: field.text.orNull,
    assigneeId: field.text.orNull,
    /** Null if the classroom names no event. */
    eventId: field.text.orNull,
    closed: field.flag,
    /** Milliseconds, as far as known. */
    raisedAt: field.number,
    /** Milliseconds. */
    changedAt: field.number,
    /** When the details were last read (ms). Null: never. */
    readAt: field.number.orNull,
    /** Earliest first. */
    history: field.json<readonly AlertStep[]>(),
    /** Who has seen the alert in its present state. */
    seen: field.json<{ personId: string; at: number }>().orNull,
    /** Grows with each change. */
    revision: field.number,
  },
  indexes: [
    index("environment", "eventId", "-changedAt"),
    index("environment", "-changedAt"),
    index("environment", "assigneeId"),
    index("environment", "history.updatedBy"),
    index("seen.personId"),
  ],
  personalData: {
    key: "alerts",
    holds: "the classroom's alerts: user ids of assignee and authors; who has seen them here",
    stored: "with the installation, since it belongs to the classroom account",
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

export type AlertStep = {
  at: number;
  /** CREATE_ALERT, UPDATE_ALERT, or unknown. */
  eventType: string;
  status: string | null;
  priority: string | null;
  /** The classroom's user id. Null for the system (interface 6.8). */
  updatedBy: string | null;
};

const knownAlertTypes = ["TEACHER_DECLINED_EVENT", "EVENT_NO_SHOW"] as const;

export function isKnownAlertType(alertType: string): alertType is (typeof knownAlertTypes)[number] {
  return knownAlertTypes.some((known) => known === alertType);
}

/** States that pages have words for. The document lists none, so any other state is shown unchanged. */
export const knownAlertStatuses = ["OPEN", "IN_PROGRESS", "RESOLVED", "CLOSED"] as const;
export const knownAlertPriorities = ["LOW", "MEDIUM", "HIGH", "CRITICAL"] as const;

/** The known value that "open", "Open" or "in progress" means, or null. */
export function knownOf<Known extends string>(known: readonly Known[], told: string): Known | null {
  const plain = told
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "_");
  return known.find((one) => one === plain) ?? null;
}

/** What an instructor sees of an alert. Reading it again, as after a repeated webhook, doesn't change this. */
export function versionOf({ status, priority, assigneeId, closed, changedAt }: ClassroomAlert): string {
  return JSON.stringify([status, priority, assigneeId, closed, changedAt]);
}

export const alertsRecords = [classroomAlertRecord];
