/**
 * When a Space's list is to be looked at again by itself: once recordings of its latest sessions can be expected, and once
 * more before it is said that none came. For classrooms that send no webhooks about recordings.
 * @param ends When sessions ended that have no recording yet (ms).
 * @returns Milliseconds since the epoch; null when nothing is expected.
 */
export function nextLook(
  ends: readonly number[],
  { expectedMs, givenUpMs }: { expectedMs: number; givenUpMs: number },
  now: number,
): number | null {
  const looks = ends
    .flatMap((endedAt) => [endedAt + expectedMs, endedAt + givenUpMs])
    .filter((at) => at > now);
  return looks.length === 0 ? null : Math.min(...looks);
}
