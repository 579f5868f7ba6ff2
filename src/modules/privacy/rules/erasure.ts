import type { PersonSubject } from "../../../domain/held-record.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** A course as everything of it can be found after it is gone itself. */
export type CourseSubject = {
  registrationId: string;
  courseId: string;
  environment: EnvironmentName;
  /** The Spaces that are or were the course's own, or that a link of it opens. */
  spaceIds: readonly string[];
  /** Sessions of the course in the classroom. */
  eventIds: readonly string[];
  /** Erased because nobody has opened it since then (ms): opened meanwhile, it stays. Left out when somebody asked. */
  unopenedSince?: number;
};

/** An LMS; what is found by its courses and Spaces is found again when those are gone. */
export type RegistrationSubject = {
  registrationId: string;
  environment: EnvironmentName;
  /** Left out until they were looked for, which the work begins with. */
  courseIds?: readonly string[];
  /** The Spaces that are or were its courses' own, or that links of it open. */
  spaceIds?: readonly string[];
};

/** What is to be erased. Kept only while the work is under way. */
export type ErasureSubject =
  | ({ kind: "person" } & PersonSubject)
  | ({ kind: "course" } & CourseSubject)
  | ({ kind: "registration" } & RegistrationSubject);

/** Work that erases a person, a course or an LMS, in slices, and is gone on with by any process. */
export type Erasure = {
  id: string;
  kind: ErasureSubject["kind"];
  registrationId: string;
  /** What operators recognise it by: a course's title or an LMS's name; null for a person, who is to be forgotten. */
  label: string | null;
  /** Who asked: an operator at the console or the command line, or nobody: it was kept long enough. */
  who: "console" | "command-line" | "retention";
  /** Null once everything is deleted. */
  subject: ErasureSubject | null;
  /**
   * checking: all is deleted; after a pause it is looked whether something under way meanwhile wrote some of it again.
   * cleaning: nothing was; bytes of it may still lie in the database's files.
   */
  state: "erasing" | "checking" | "cleaning" | "done";
  /** How often everything has been gone through. */
  rounds: number;
  /** Where this round is: number of the step, and where in it. */
  step: number;
  cursor: string;
  /** What this round has found so far. */
  found: number;
  /** How many records were deleted or changed, by their key in the table of records. */
  erased: Readonly<Record<string, number>>;
  askedAt: number;
  doneAt: number | null;
};

/** What stands in the place of a webhook's body that named an erased person. Of no family, so a replay does nothing. */
export const redactedBody = '{"_type":"ERASED"}';

/** So long after a round it is looked again (ms): whatever was under way has ended by then. */
export const looksAgainAfterMs = 120_000;
/**
 * So long (ms) after the last round the files are cleaned: erasures that end about the same time share it. Where nobody asked,
 * many end in one night.
 */
export const cleansAfter = (who: Erasure["who"]): number => (who === "retention" ? 300_000 : 15_000);
/** So long (ms) after the files could not be cleaned it is tried again. */
export const cleansAgainAfterMs = 30_000;
/** Rounds after which everything counts as deleted in any case. */
const maxRounds = 10;

/** What follows a round that has come to its end. */
export function afterRound(rounds: number, found: number): "checking" | "cleaning" {
  return rounds >= maxRounds || (rounds >= 2 && found === 0) ? "cleaning" : "checking";
}

/**
 * Whether something the classroom tells of a user belongs to the time that was erased. Of somebody who came anew since, it is
 * what was before the erasure: sessions that were over and statuses that were set. Of somebody who did not, it is everything.
 * @param told.known Whether the user is somebody here now.
 * @param told.heldUntil When the session ended (ms); null when its time is not known.
 * @param told.at When the status was set (ms); null when that is not told.
 */
export function isOfTheErased(
  { erasedAt, risenAt }: { erasedAt: number; risenAt: number | null },
  told: { known: boolean; heldUntil: number | null; at: number | null },
): boolean {
  if (!told.known && risenAt === null) return true;
  if (told.heldUntil !== null && told.heldUntil <= erasedAt) return true;
  return told.at !== null && told.at <= erasedAt;
}
