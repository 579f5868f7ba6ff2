import type { AccountId } from "../../../domain/account.ts";
import type { PersonalData, PersonReference, PersonSubject } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import type { SameAs } from "../../../domain/registration.ts";
import { inboxRecords } from "../../../inbox/rules/receipt.ts";
import { accountsRecords } from "../../accounts/rules/account-input.ts";
import { alertsRecords } from "../../alerts/rules/classroom-alert.ts";
import { analyticsRecords } from "../../analytics/rules/session-figures.ts";
import { apiKeyRecord } from "../../api/rules/api-key.ts";
import { attendanceRecords } from "../../attendance/rules/records.ts";
import { auditRecords } from "../../audit/rules/audit.ts";
import { checkInRecords } from "../../check-in/rules/check-in.ts";
import { cohortsRecords } from "../../cohorts/rules/cohort.ts";
import { coursesRecords } from "../../courses/rules/records.ts";
import { feedbackRecords } from "../../feedback/rules/feedback.ts";
import { gradingRecords } from "../../grading/rules/records.ts";
import { joiningRecords } from "../../joining/rules/queue-position.ts";
import { linksRecords } from "../../links/rules/link-offer.ts";
import { mailRecords } from "../../mail/rules/records.ts";
import { matchingRecords } from "../../matching/rules/records.ts";
import { membersRecords } from "../../members/rules/provisioning.ts";
import { operationsRecords } from "../../operations/rules/records.ts";
import { presenceRecords } from "../../presence/rules/presence.ts";
import { recordingsRecords } from "../../recordings/rules/recording.ts";
import { registrationRecords } from "../../registration/rules/registration.ts";
import { schedulingRecords } from "../../scheduling/rules/records.ts";
import { spacesRecords } from "../../spaces/rules/space-right.ts";
import { unplannedRecords } from "../../unplanned/rules/compare-classes.ts";
import { usageRecords } from "../../usage/rules/usage.ts";

/** A course, with what is needed to find all of it after its own record is gone. */
type CourseSubject = {
  registrationId: string;
  courseId: string;
  environment: AccountId;
  /** Its Spaces now and before, and those its links open. */
  spaceIds: readonly string[];
  eventIds: readonly string[];
  /** For retention: the course stays if it was opened after this (ms). Left out if somebody asked. */
  unopenedSince?: number;
};

/** An LMS, with what is found by its courses and Spaces after those are gone. */
export type RegistrationSubject = {
  registrationId: string;
  /** The accounts of the LMS, its courses and its people. */
  accounts: readonly AccountId[];
  /** Left out until the work has looked for them at its start. */
  courseIds?: readonly string[];
  /** Spaces of its courses, now and before, and those that its links open. */
  spaceIds?: readonly string[];
};

/** Only kept during the work. */
export type ErasureSubject =
  | ({ kind: "person" } & PersonSubject)
  | ({ kind: "course" } & CourseSubject)
  | ({ kind: "registration" } & RegistrationSubject);

/** The erasure of a person, a course or an LMS, in batches, which any process can continue. */
export const erasureRecord = describeRecord("Erasure", {
  fields: {
    kind: field.textOf<ErasureSubject["kind"]>(),
    registrationId: field.text,
    /** A course's title or an LMS's name, for operators. Null for a person, who must be forgotten. */
    label: field.text.orNull,
    /** Who asked. "retention": nobody, the time was over. */
    who: field.textOf<"console" | "command-line" | "lms-administrator" | "retention">(),
    /** Null once everything is deleted. */
    subject: field.json<ErasureSubject>().orNull,
    /** checking: a round looks for what running work wrote. cleaning: bytes may still be in files. */
    state: field.textOf<"erasing" | "checking" | "cleaning" | "done">(),
    rounds: field.number,
    /** The number of the step in this round, and where in it. */
    step: field.number,
    cursor: field.text.or(""),
    found: field.number,
    /** Records deleted or changed, by their key in the table of records. */
    erased: field.json<Readonly<Record<string, number>>>(),
    askedAt: field.number,
    doneAt: field.number.orNull,
  },
  hidden: { dueAt: field.number, ...field.lease },
  indexes: [
    index("dueAt"),
    index("registrationId", "-askedAt"),
    index("-askedAt"),
    index("who", "-askedAt"),
    index("doneAt"),
  ],
  personalData: {
    key: "erasures",
    holds: "what was erased, when and how much; the person only while it is under way",
    stored: "730 days; the person until it is complete",
    ofRegistration: null,
    purged: { days: 730, field: "doneAt" },
  },
});
export type Erasure = ItemOf<typeof erasureRecord>;

/** Replaces a webhook's body that named an erased person. It has no family, so processing it again does nothing. */
export const redactedBody = '{"_type":"ERASED"}';

/** The pause before the next round (ms). Work that was running has ended by then. */
export const recheckMs = 120_000;
/** The pause before cleaning (ms), which erasures that end together share. Many of retention end in one night. */
export const cleansAfter = (who: Erasure["who"]): number => (who === "retention" ? 300_000 : 15_000);
export const cleanAgainMs = 30_000;
/** After this many rounds, everything counts as deleted. */
const maxRounds = 10;

export function afterRound(rounds: number, found: number): "checking" | "cleaning" {
  return rounds >= maxRounds || (rounds >= 2 && found === 0) ? "cleaning" : "checking";
}

/**
 * Whether a report about a user belongs to what was erased: for a person who came back, sessions that were over and statuses set before the
 * erasure. For others, everything.
 * @param facts.known Whether the user is a person here now.
 * @param facts.heldUntil End of the session (ms). Null if unknown.
 * @param facts.at When the status was set (ms). Null if not reported.
 */
export function isOfTheErased(
  { erasedAt, risenAt }: { erasedAt: number; risenAt: number | null },
  facts: { known: boolean; heldUntil: number | null; at: number | null },
): boolean {
  if (!facts.known && risenAt === null) return true;
  if (facts.heldUntil !== null && facts.heldUntil <= erasedAt) return true;
  return facts.at !== null && facts.at <= erasedAt;
}

export const erasureSaltRecord = describeRecord("ErasureSalt", {
  id: null,
  fields: {
    salt: field.text,
    /** The registration that this one has become. Left out for none. */
    as: field.json<SameAs>().orNull.optional,
  },
  personalData: {
    key: "salts",
    holds: "a random number for an LMS's digests; no person",
    stored: "with the LMS",
    ofRegistration: (registrationId) => ({
      $or: [{ _id: registrationId }, { "as.registrationId": registrationId }],
    }),
  },
});

export const tombstoneRecord = describeRecord("Tombstone", {
  id: null,
  fields: {
    registrationId: field.text,
    erasureId: field.text,
    erasedAt: field.number,
    risenAt: field.number.orNull,
  },
  indexes: [index("registrationId", "erasureId"), index("erasedAt")],
  personalData: {
    key: "tombstones",
    holds: "digests of erased people's ids, so that nothing brings them back",
    stored: "730 days, or with the LMS",
    purged: { days: 730, field: "erasedAt" },
  },
});

const privacyRecords = [erasureRecord, erasureSaltRecord, tombstoneRecord];

/** What each kind of record stores about people, for export, erasure and purge. A test fails if a kind is missing. */
export const personalRecords: readonly PersonalData[] = [
  ...membersRecords,
  ...attendanceRecords,
  ...gradingRecords,
  ...accountsRecords,
  ...auditRecords,
  ...feedbackRecords,
  ...joiningRecords,
  ...coursesRecords,
  ...linksRecords,
  ...schedulingRecords,
  ...spacesRecords,
  ...cohortsRecords,
  ...recordingsRecords,
  ...presenceRecords,
  ...analyticsRecords,
  ...unplannedRecords,
  ...checkInRecords,
  ...matchingRecords,
  ...alertsRecords,
  ...inboxRecords,
  ...registrationRecords,
  ...privacyRecords,
  ...operationsRecords,
  ...usageRecords,
  apiKeyRecord,
  ...mailRecords,
].map(({ personalData }) => personalData);

export type KindReference = PersonReference & { model: string };

const references: readonly KindReference[] = [
  ...personalRecords.flatMap(({ model, names = [] }) => names.map((reference) => ({ model, ...reference }))),
  { model: "AttendanceMark", path: "rows.personId", list: "of-each", among: "courses" },
  { model: "AttendanceMark", path: "by.personId", among: "courses" },
  { model: "UserMatch", path: "personId", among: "registration" },
  { model: "UserMatch", path: "by", among: "courses" },
  { model: "OwedGrading", path: "personIds", list: "each", among: "courses" },
  { model: "StrayEvent", path: "by", among: "courses" },
  { model: "SessionPlan", path: "hostPersonId", among: "courses" },
];

/** For merging two records of one human being. Members come last, because they say which courses have the others. */
export const personReferences = references.toSorted(
  (one, other) => Number(one.model === "Member") - Number(other.model === "Member"),
);

/** Records about a person, with the person's id in their own key, that are made again when needed. */
export const passingPersonRecords: readonly string[] = [
  ...personalRecords.flatMap(({ model, isPassing }) => (isPassing ? [model] : [])),
  "Provisioning",
];
