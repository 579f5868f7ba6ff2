import type { AccountId } from "../../../domain/account.ts";
import { browserSessionRecord } from "../../../domain/browser-session.ts";
import {
  date,
  describeRecord,
  expiry,
  flag,
  index,
  type ItemOf,
  json,
  leaseFields,
  number,
  text,
  textOf,
} from "../../../domain/record.ts";
import { registeredSpaceRecord, spaceRightRecord } from "../../spaces/rules/space-right.ts";
import { consoleSessionRecord } from "./console-access.ts";
import type { JobRun } from "./job.ts";

export const alarmRecord = describeRecord("Alarm", {
  id: null,
  fields: { since: number.orNull },
  held: { key: "alarms", holds: "alarms that are on; no person", kept: "as long as they matter" },
});

export const jobRecord = describeRecord("Job", {
  id: null,
  fields: {
    dueAt: number,
    runs: json<JobRun[]>(),
    succeededAt: number.orNull,
    revision: number,
  },
  hidden: { ...leaseFields },
  held: { key: "jobs", holds: "the latest runs of each job; no person", kept: "the latest runs only" },
});

export const loginAttemptRecord = describeRecord("LoginAttempt", {
  id: null,
  fields: {
    revision: number,
    count: number,
    blockedUntil: number,
    forgottenAt: date,
  },
  indexes: [
    // Only tidies up; readers compare the time.
    expiry("forgottenAt"),
  ],
  held: {
    key: "loginAttempts",
    holds: "wrong passwords at the console by digest; no person",
    kept: "hours; the store deletes it by itself",
  },
});

export const unknownWebhookRecord = describeRecord("UnknownWebhook", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    /** By its `_type`. */
    family: text,
    eventType: text.or(""),
    count: number,
    firstAt: number,
    lastAt: number,
  },
  indexes: [index("-lastAt")],
  held: {
    key: "unknownWebhooks",
    holds: "how many webhooks came with names that are not known; no person",
    kept: "as long as the tool; a few hundred names at most",
  },
});

export const webhookArrivalRecord = describeRecord("WebhookArrival", {
  id: null,
  fields: {
    currentAt: number.orNull,
    previousAt: number.orNull,
    /** Bytes of webhooks without effect on a day (days since 1970), and when one was refused for them. */
    unusedDay: number.optional,
    unusedBytes: number.optional,
    refusedAt: number.optional,
  },
  held: {
    key: "webhookArrivals",
    holds: "when webhooks came last, and how much of a day's had no effect; no person",
    kept: "always",
  },
});

export const handedAnswerRecord = describeRecord("HandedAnswer", {
  id: null,
  fields: {
    /** The sealed answer; null while it is being chosen. */
    answer: text.orNull,
    expiresAt: date,
  },
  indexes: [expiry("expiresAt")],
  held: {
    key: "handedAnswers",
    holds: "links chosen in a window of their own, sealed, until the LMS's page fetches them; no person",
    kept: "an hour; the store deletes them by itself",
  },
});

export const throttleRecord = describeRecord("Throttle", {
  id: null,
  fields: { revision: number, record: text },
  held: { key: "throttle", holds: "when the classroom was called; no person", kept: "always" },
});

/** Count of a kind of record; until `counted`, only changes are known. */
export const tallyRecord = describeRecord("Tally", {
  id: null,
  fields: { count: number, counted: flag },
  held: { key: "tallies", holds: "how many webhooks and scores there are; no person", kept: "always" },
});

/** The database was put back from a backup. */
export const restoreRecord = describeRecord("Restore", {
  fields: {
    restoredAt: number,
    backupAt: number.orNull,
    /** Whether every score is on the way to be compared with its gradebook. */
    begun: flag,
  },
  held: {
    key: "restores",
    holds: "when the database was restored, and of when the backup was; no person",
    kept: "always",
  },
});
export type Restore = ItemOf<typeof restoreRecord>;

/** How long after a restore gradebooks may have scores that the backup does not know. */
const strangeTtlMs = 7 * 24 * 3_600_000;

/** Whether a grade in a cell we never filled, as far as we know, may have been sent after the backup. */
export function mayHaveBeenOurs({ restoredAt }: Pick<Restore, "restoredAt">, now: number): boolean {
  return now - restoredAt < strangeTtlMs;
}

export const operationsRecords = [
  restoreRecord,
  alarmRecord,
  jobRecord,
  loginAttemptRecord,
  consoleSessionRecord,
  unknownWebhookRecord,
  webhookArrivalRecord,
  handedAnswerRecord,
  throttleRecord,
  tallyRecord,
  browserSessionRecord,
  registeredSpaceRecord,
  spaceRightRecord,
];
