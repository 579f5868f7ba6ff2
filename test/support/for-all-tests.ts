import { afterAll, beforeEach, onTestFinished } from "vitest";

/**
 * Opens something for all tests of a file and closes it after the last; what was opened last is closed first. To be awaited at the file's
 * top level.
 */
export async function forAllTests<T extends { close: () => Promise<unknown> }>(
  opening: Promise<T>,
): Promise<T> {
  const opened = await opening;
  afterAll(() => opened.close());
  return opened;
}

/** Closes what a test opened when that test is over; what was opened last is closed first. */
export function closedAfterTest<T extends { close: () => Promise<unknown> }>(opened: T): T {
  onTestFinished(async () => {
    await opened.close();
  });
  return opened;
}

/** Opens something for each test of a file, or of a `describe`, and closes it afterwards. */
export function forEachTest(open: () => Promise<{ close: () => Promise<unknown> }>): void {
  beforeEach(async () => void closedAfterTest(await open()));
}
