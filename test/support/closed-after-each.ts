import { afterEach } from "vitest";

/** For what tests of a file open: it is closed after each of them. */
export function closedAfterEach(): { close: () => Promise<void> }[] {
  const opened: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  return opened;
}
