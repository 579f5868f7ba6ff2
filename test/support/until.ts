/**
 * Waits for a condition, which is checked repeatedly. @param every How often (ms). @throws with `what` when it is not met within `patience`
 * ms.
 */
export async function until(
  patience: number,
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  every = 100,
): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`it did not come true in ${patience} ms that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
