/** One process holds a document for a while; claims compare `leaseUntil` with their own clock (record 0010). */
export const released = { leaseHolder: null, leaseUntil: 0 };

/** Far beyond any clock: the `dueAt` of what has been done. */
export const never = Number.MAX_SAFE_INTEGER;

/**
 * Takes the document that is due longest: `records.take(...dueClaim(holder, now, until))`.
 * @param until When the claim runs out (ms), unless `longerLease` extends it.
 */
export function dueClaim(holder: string, now: number, until: number) {
  return [
    { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
    { $set: { leaseHolder: holder, leaseUntil: until } },
    { sort: { dueAt: 1 } },
  ] as const;
}

/** Extends a claim, without effect when it was lost: `records.change(...longerLease(id, holder, until))`. */
export function longerLease(id: string, holder: string, until: number) {
  return [{ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } }] as const;
}

export function stillDue(registrationId: string, courseId: string) {
  return { registrationId, courseId, dueAt: { $lt: never } };
}
