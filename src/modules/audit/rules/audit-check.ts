import { describeRecord, type ItemOf } from "../../../domain/record.ts";
import { json, number } from "../../../domain/record-fields.ts";
import { type ChainEnd, type ChainFault, type ChainReading, noEntry } from "./audit-chain.ts";

/** What a reading of the whole audit log came to. */
export type AuditCheck = Omit<ChainReading, "first" | "last"> & {
  /** Milliseconds since the epoch. */
  at: number;
  last: ChainEnd;
  /** Entries without a place in the chain that are younger than it: of an earlier version, or put in by hand. */
  outside: number;
};

/** What is known of the log besides the log itself, so that a cut-off end shows. There is one. */
export const auditWitnessRecord = describeRecord("AuditWitness", {
  id: null,
  fields: {
    /** The last entry that stands in the tool's own log; 0 for none. */
    loggedSeq: number.or(0),
    check: json<AuditCheck>().orNull,
    /** Faults of which an operator knows; others are an alarm. */
    acceptedFaults: number.or(0),
  },
  held: { key: "auditWitness", holds: "digest of the audit log's last entry; no person", kept: "always" },
});
export type AuditWitness = ItemOf<typeof auditWitnessRecord>;

/**
 * Faults that the chain alone does not show: its end is not there any more, or is another one than when it was read last.
 * @param kept The entry with the number of the last check's last one; null when there is none.
 */
export function faultsSince(
  reading: ChainReading,
  { loggedSeq, check }: AuditWitness,
  kept: Pick<ChainEnd, "digest" | "seq"> | null,
): readonly ChainFault[] {
  const known = check?.last ?? noEntry;
  const end = Math.max(loggedSeq, known.seq);
  if (end > reading.last.seq) return [{ seq: end, id: "", why: "missing" }];
  // One that was purged tells nothing.
  if (kept !== null && kept.digest !== known.digest) return [{ seq: kept.seq, id: "", why: "changed" }];
  return [];
}
