/**
 * Maps a list, so many items at a time; results in the list's order.
 * @throws what the first failing work throws; work that has begun goes on, and no more begins.
 */
export async function inLanes<T, R>(
  lanes: number,
  list: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = list.entries();
  let failed = false;
  const lane = async () => {
    for (const [at, one] of waiting) {
      if (failed) return;
      try {
        results[at] = await work(one);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, list.length) }, lane));
  return results;
}
