import { given, once } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import type { CodedSentence } from "../../../kernel/refusal.ts";

/** What a mail is about: the stored name, and the name of its texts. */
export const mailKinds = [
  "alarm",
  "alarm-over",
  "reminder",
  "reminder-changed",
  "digest",
  "low-attendance",
] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * waiting: to be sent · sending: the server was told to take it and hasn't answered · sent: the server took it · unneeded: when it was due,
 * there was nothing to say or nobody to say it to · refused: the server never takes it · failed: retried until its time was over · unknown:
 * the process ended, or the connection broke, while the server took it, so it's never sent again.
 */
export const mailStates = ["waiting", "sending", "sent", "unneeded", "refused", "failed", "unknown"] as const;
export type MailState = (typeof mailStates)[number];

/** One mail to one person or operator, without its text and without an address, which are read when it's sent. */
export const mailRecord = describeRecord("Mail", {
  fields: {
    /** Null for operators. */
    registrationId: field.text.orNull,
    courseId: field.text.orNull,
    personId: field.text.orNull,
    /** Which of the addresses in the configuration, by its digest. Null for people. */
    operator: field.text.orNull,
    kind: field.textOf<MailKind>(),
    /** Together with kind and person, it makes the id, so a mail about it exists once. */
    about: field.text,
    state: field.textOf<MailState>(),
    createdAt: field.number,
    /** When it's sent (ms), or retried. */
    nextAt: field.number,
    /** When it has nothing useful to say any more (ms). */
    endsAt: field.number,
    /** How often the server put it off. */
    attempts: field.number,
    /** The server's answer as a number, such as 250 or 550, or our reason in a word. Null before the first. */
    reply: field.text.orNull,
    /** When its state last changed (ms). */
    changedAt: field.number,
  },
  indexes: [
    index("registrationId", "state", "nextAt"),
    index("registrationId", "-createdAt"),
    index("registrationId", "personId"),
    index("courseId", "createdAt"),
    index("courseId", "about"),
    index("-createdAt"),
  ],
  personalData: {
    key: "mails",
    holds: "which mails went to a person, when, and with what result; neither text nor address",
    stored: "90 days, or with the course or the person",
    person: [once],
    given: given(once, "courseId kind about state createdAt changedAt"),
    purged: { days: 90, field: "createdAt" },
    names: [{ path: "personId", among: "registration" }],
  },
});
export type Mail = ItemOf<typeof mailRecord>;

/** How many mails all instances have sent in the present minute. */
export const mailRateRecord = describeRecord("MailRate", {
  id: null,
  fields: { minute: field.number, count: field.number },
  personalData: {
    key: "mailRate",
    holds: "how many mails were sent in the last minute; no person",
    stored: "always",
  },
});

/** An alarm that operators were told about. It stays until it's over, and a while longer, to prevent endless mails. */
export const mailedAlarmRecord = describeRecord("MailedAlarm", {
  fields: {
    what: field.text,
    registrationId: field.text.orNull,
    account: field.text.orNull,
    /** The LMS's name, for the mail that says it's over. */
    name: field.text.orNull,
    message: field.text,
    coded: field.json<CodedSentence>().orNull,
    openedAt: field.number,
    /** Null while it's on. */
    endedAt: field.number.orNull,
  },
  personalData: {
    key: "mailedAlarms",
    holds: "alarms that operators had a mail about; no person",
    stored: "90 days",
    purged: { days: 90, field: "openedAt" },
  },
});
export type MailedAlarm = ItemOf<typeof mailedAlarmRecord>;

/** Kinds that people may stop. */
export const stoppableKinds = ["reminder", "digest", "low-attendance"] as const;
export type StoppableKind = (typeof stoppableKinds)[number];

/** A person wants no mails of a kind, from any course of their LMS. */
export const mailStopRecord = describeRecord("MailStop", {
  fields: {
    registrationId: field.text,
    personId: field.text,
    kind: field.textOf<StoppableKind>(),
    at: field.number,
  },
  indexes: [index.unique("registrationId", "personId", "kind")],
  personalData: {
    key: "mailStops",
    holds: "which kinds of e-mail a person stopped, and when",
    stored: "until they want them again or are erased",
    person: [once],
    given: given(once, "kind at"),
    names: [{ path: "personId", among: "registration", both: "keep" }],
  },
});
export type MailStop = ItemOf<typeof mailStopRecord>;

export const mailRecords = [mailRecord, mailRateRecord, mailedAlarmRecord, mailStopRecord];
