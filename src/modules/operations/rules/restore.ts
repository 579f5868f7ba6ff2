import { describeRecord, flag, type ItemOf, number } from "../../../domain/record.ts";

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
