import { weekMs } from "../../../kernel/clock.ts";
import type { AccountId } from "../../../domain/account.ts";
import { browserSessionRecord } from "../../../domain/browser-session.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { registeredSpaceRecord, spaceRightRecord } from "../../spaces/rules/space-right.ts";
import { consoleSessionRecord } from "./console-access.ts";
import type { JobRun } from "./job.ts";
import type { DoctorFound } from "./set-up.ts";

export const alarmRecord = describeRecord("Alarm", {
  id: null,
  fields: { since: field.number.orNull },
  personalData: { key: "alarms", holds: "active alarms; no person", stored: "while they are active" },
});

export const jobRecord = describeRecord("Job", {
  id: null,
  fields: {
    dueAt: field.number,
    runs: field.json<JobRun[]>(),
    succeededAt: field.number.orNull,
    revision: field.number,
  },
  hidden: { ...field.lease },
  personalData: {
    key: "jobs",
    holds: "the latest runs of each job; no person",
    stored: "the latest runs only",
  },
});

export const loginAttemptRecord = describeRecord("LoginAttempt", {
  id: null,
  fields: {
    revision: field.number,
    count: field.number,
    blockedUntil: field.number,
    forgottenAt: field.date,
  },
  indexes: [
    // Only tidies up, because readers compare the time.
    index.expiry("forgottenAt"),
  ],
  personalData: {
    key: "loginAttempts",
    holds: "how many wrong passwords the console got, by browser; no person",
    stored: "hours",
  },
});

export const unknownWebhookRecord = describeRecord("UnknownWebhook", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    /** Its `_type`. */
    family: field.text,
    eventType: field.text.or(""),
    count: field.number,
    firstAt: field.number,
    lastAt: field.number,
  },
  indexes: [index("-lastAt")],
  personalData: {
    key: "unknownWebhooks",
    holds: "how many webhooks had unknown names; no person",
    stored: "with the installation; a few hundred names at most",
  },
});

export const webhookArrivalRecord = describeRecord("WebhookArrival", {
  id: null,
  fields: {
    currentAt: field.number.orNull,
    previousAt: field.number.orNull,
    /** Bytes of webhooks without effect on a day (days since 1970), and when one was refused because of them. */
    unusedDay: field.number.optional,
    unusedBytes: field.number.optional,
    refusedAt: field.number.optional,
  },
  personalData: {
    key: "webhookArrivals",
    holds: "when the latest webhooks came, and how many bytes of a day's had no effect; no person",
    stored: "always",
  },
});

export const handedAnswerRecord = describeRecord("HandedAnswer", {
  id: null,
  fields: {
    /** The sealed answer. Null while it's being chosen. */
    answer: field.text.orNull,
    expiresAt: field.date,
  },
  indexes: [index.expiry("expiresAt")],
  personalData: {
    key: "handedAnswers",
    holds: "links chosen in a separate window, sealed; no person",
    stored: "an hour",
  },
});

export const throttleRecord = describeRecord("Throttle", {
  id: null,
  fields: { revision: field.number, record: field.text },
  personalData: { key: "throttle", holds: "when the classroom was called; no person", stored: "always" },
});

/** The count of a kind of record. Until `counted`, it only has the changes. */
export const tallyRecord = describeRecord("Tally", {
  id: null,
  fields: { count: field.number, counted: field.flag },
  personalData: {
    key: "tallies",
    holds: "how many webhooks and scores there are; no person",
    stored: "always",
  },
});

/** The database was restored from a backup. */
export const restoreRecord = describeRecord("Restore", {
  fields: {
    restoredAt: field.number,
    backupAt: field.number.orNull,
    /** Whether every score is due to be compared with its gradebook. */
    begun: field.flag,
  },
  personalData: {
    key: "restores",
    holds: "when the database was restored, and from a backup of when; no person",
    stored: "always",
  },
});
export type Restore = ItemOf<typeof restoreRecord>;

/** How long after a restore gradebooks may have scores that the backup doesn't know. */
const strangeTtlMs = weekMs;

/** Whether a grade in a cell that we never filled, as far as we know, may have been sent after the backup. */
export function mayHaveBeenOurs({ restoredAt }: Pick<Restore, "restoredAt">, now: number): boolean {
  return now - restoredAt < strangeTtlMs;
}

export const doctorRunRecord = describeRecord("DoctorRun", {
  id: null,
  fields: {
    startedAt: field.number.orNull,
    /** When its claim ends (ms). */
    leaseUntil: field.number.or(0),
    /** When the latest examination ended. Null for never. */
    endedAt: field.number.orNull,
    /** Its result. While another one runs, the earlier result. Null if it failed. */
    found: field.json<DoctorFound>().orNull,
    /** Why it failed, otherwise null. */
    problem: field.text.orNull,
  },
  hidden: { leaseHolder: field.text.orNull },
  personalData: {
    key: "doctorRuns",
    holds: "the doctor's latest findings about a classroom account; no person",
    stored: "until the next run",
  },
});
export type DoctorRun = ItemOf<typeof doctorRunRecord>;

export const schemaVersionRecord = describeRecord("SchemaVersion", {
  id: null,
  fields: {
    version: field.number,
    /** "copying" while another database is being copied into this one, because half a copy is worse than nothing. */
    state: field.textOf<"ready" | "copying">(),
    /** `at` (ms): when the version was reached. */
    history: field.json<{ version: number; at: number }[]>(),
  },
  hidden: { ...field.lease },
  personalData: {
    key: "schemaVersion",
    holds: "which release wrote the records; no person",
    stored: "always",
  },
});

/** When there may be work of one kind in one scope, which is a registration or a classroom account. */
export const dueHeadRecord = describeRecord("DueHead", {
  id: null,
  fields: {
    kind: field.text,
    scope: field.text,
    /** When to check the scope (ms). */
    dueAt: field.number,
    /** Grows with every write that matters, so nobody stores what they saw before it. */
    revision: field.number,
    /** Checks that found nothing since work was last announced. */
    looks: field.number,
  },
  indexes: [index("kind", "dueAt"), index("dueAt", "kind")],
  personalData: {
    key: "dueHeads",
    holds: "when an LMS or account may have work; no person",
    stored: "with the LMS",
    ofRegistration: (registrationId) => ({ scope: registrationId }),
  },
});

/** "person": a person waits for it, so it goes first. */
export type TaskPriority = "person" | "background";

/** A code that pages translate, and a sentence for logs and as a fallback. */
export type TaskProblem = { code: string; text: string };

/** One per kind and key. It stays after it's done, with its outcome. */
export const taskRecord = describeRecord("Task", {
  fields: {
    kind: field.text,
    /** Unique within the kind. */
    key: field.text,
    /** For fairness: a registration or a classroom account. */
    scope: field.text,
    /** The LMS and course with which the task is erased. Null if it belongs to none. */
    registrationId: field.text.orNull,
    courseId: field.text.orNull,
    priority: field.textOf<TaskPriority>(),
    /** Runs since the last success or new start, including the current one, but not those given back. */
    attempts: field.number,
    /** Runs begun since the last success. More than one means that an earlier run didn't end. */
    begun: field.number,
    /** How often it was enqueued. At a run's end, this shows whether that happened during the run. */
    wishes: field.number,
    /** By the kind's schema. */
    payload: field.json<unknown>().orNull,
    /** When the latest run began. Null before the first. */
    startedAt: field.number.orNull,
    /** When the latest run ended, in any way. 0 before the first. A run that was given back doesn't count. */
    endedAt: field.number,
    /** When the latest successful run ended. Null before the first. */
    doneAt: field.number.orNull,
    /** When the task's subject was last in use. 0 if nobody notes it. */
    activeAt: field.number,
    /** Null if the latest run didn't fail, or the task was enqueued since. */
    problem: field.json<TaskProblem>().orNull,
  },
  hidden: {
    /** When to run it (ms). */
    dueAt: field.number,
    /** When it was enqueued since its claim (ms), or `never`. */
    wishedAt: field.number,
    /** Without a default, because enqueueing may write some of them. */
    facts: field.json<Record<string, unknown>>().optional,
    ...field.lease,
  },
  indexes: [
    index("kind", "scope", "priority", "dueAt"),
    index("kind", "dueAt"),
    index("kind", "endedAt"),
    index("kind", "activeAt"),
    index("registrationId", "courseId"),
  ],
  personalData: {
    key: "tasks",
    holds: "background work, waiting and done: its kind, time and result; no person",
    stored: "with the course, or with the last course of the Space",
  },
});

export const operationsRecords = [
  doctorRunRecord,
  dueHeadRecord,
  schemaVersionRecord,
  taskRecord,
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
