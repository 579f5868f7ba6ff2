import { describeRecord, type ItemOf, index } from "../../../domain/record.ts";
import { number, flag, text } from "../../../domain/record-fields.ts";

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

/** A course with scores to compare with the gradebook after a restore. */
export const restoredCourseRecord = describeRecord("RestoredCourse", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    restoredAt: number,
    backupAt: number.orNull,
    scores: number,
    /** Not compared yet, or different and undecided; as last counted. */
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

export type ComparedScores = {
  /** Not read in the gradebook yet. */
  waiting: number;
  /** Different and undecided. */
  differing: number;
  /** The gradebook could not be read; they are as in the backup. */
  unread: number;
};

/** How long after a restore gradebooks may have scores that the backup does not know. */
const strangeTtlMs = 7 * 24 * 3_600_000;

/** Whether a grade in a cell we never filled, as far as we know, may have been sent after the backup. */
export function mayHaveBeenOurs({ restoredAt }: Pick<Restore, "restoredAt">, now: number): boolean {
  return now - restoredAt < strangeTtlMs;
}
