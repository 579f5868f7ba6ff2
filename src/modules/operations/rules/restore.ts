import { describeRecord, type ItemOf, index } from "../../../domain/record.ts";
import { number, flag, text } from "../../../domain/record-fields.ts";

/** That the database was put back from a backup. Times in ms since the epoch. */
export const restoreRecord = describeRecord("Restore", {
  fields: {
    restoredAt: number,
    /** When the backup was taken; null when nobody knows. */
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

/** A course of which scores are, or were, to be compared with the gradebook after a restore. */
export const restoredCourseRecord = describeRecord("RestoredCourse", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    restoredAt: number,
    backupAt: number.orNull,
    /** So many scores were to be compared. */
    scores: number,
    /** So many are still to be compared, or differ and nobody has decided; as last counted. */
    open: number,
  },
  indexes: [index("open"), index("registrationId", "open")],
  held: {
    key: "restoredCourses",
    holds: "how many scores were compared with the gradebook after a restore; no person",
    kept: "with the course",
  },
});
export type RestoredCourse = ItemOf<typeof restoredCourseRecord>;

/** How far the comparing of a course's scores has come. */
export type ComparedScores = {
  /** To be read in the gradebook yet. */
  waiting: number;
  /** They differ, and nobody has decided. */
  differing: number;
  /** The gradebook could not be read; they are as the backup says. */
  unread: number;
};

/** Scores that the backup does not know may be found in gradebooks for so long after a restore (ms). */
const strangeForMs = 7 * 24 * 3_600_000;

/** Whether a grade in a cell that was never filled, as far as we know, may have been sent from here after the backup. */
export function mayHaveBeenOurs({ restoredAt }: Pick<Restore, "restoredAt">, now: number): boolean {
  return now - restoredAt < strangeForMs;
}
