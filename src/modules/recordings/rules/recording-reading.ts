/**
 * Of a Space's list: once recordings of its latest sessions can be expected, and before they are given up. For
 * classrooms without webhooks about recordings. @param ends Of sessions without a recording (ms). @returns milliseconds
 * since the epoch; null when nothing is expected.
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
