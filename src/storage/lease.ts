/**
 * The fields by which one process holds a document for a while. A crashed holder frees it by time: whoever
 * claims compares `leaseUntil` with its own clock, so no cleanup is needed.
 */
export type LeaseFields = { leaseHolder: string | null; leaseUntil: number };

/** Schema part of {@link LeaseFields}. */
export const leaseFields = {
  leaseHolder: { type: String, default: null },
  leaseUntil: { type: Number, required: true, default: 0 },
};

/** Update that gives a lease back. */
export const released = { leaseHolder: null, leaseUntil: 0 };
