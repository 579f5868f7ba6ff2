import type { App } from "../../app.ts";
import type { UnplannedState } from "./rules/records.ts";

/** Of a page (ms). */
const waitMs = 4_000;
const pollMs = 50;

/** Waits a few seconds until an answer was carried out. @returns whether it was; else it goes on. */
export async function waitForSession(
  { unplannedClasses, clock }: Pick<App, "unplannedClasses" | "clock">,
  id: string,
  state: UnplannedState,
): Promise<boolean> {
  const began = clock.now();
  while (clock.now() - began < waitMs) {
    const found = await unplannedClasses.find(id);
    if (found === null || found.state !== state || found.settled === state) return true;
    await clock.sleep(pollMs);
  }
  return false;
}
