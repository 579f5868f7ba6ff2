/** `most` at once, `perSecond` in the long run. */
export type Allowance = { most: number; perSecond: number };

/** As of a moment (ms). */
export type Bucket = { left: number; at: number };

/** An unused bucket is full. A clock that was set back refills nothing. */
export function leftOf(bucket: Bucket | undefined, { most, perSecond }: Allowance, now: number): number {
  if (bucket === undefined) return most;
  return Math.min(most, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond);
}

/** A negative amount gives back; limited to empty and full. */
export function after(bucket: Bucket | undefined, allowance: Allowance, amount: number, now: number): Bucket {
  const left = leftOf(bucket, allowance, now) - amount;
  return { left: Math.min(allowance.most, Math.max(0, left)), at: Math.max(now, bucket?.at ?? now) };
}

/** Milliseconds until one can be taken again. */
export function waitFor(left: number, { perSecond }: Allowance): number {
  return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
}
