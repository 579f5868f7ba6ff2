import type { AssumptionName } from "../../../sandbox/assumptions.ts";
import { dialectOfTurned, otherOriginOf } from "./dialect-of-turned.ts";

/** Whether the classroom of all stories of this run is called as public programs call it. */
export const asClients = process.env.CLASSROOM_SPELLING === "clients";

/** Their service takes nobody without an e-mail address, which an LMS may withhold, and pages its lists. */
const wantedByClients: readonly AssumptionName[] = ["usersNeedNoEmail", "listsAreWhole"];

/** What a dialect file says for a classroom that is called as public programs call it, and of which no more is known. */
export function dialectOfClients(appUrl: string, known: readonly AssumptionName[] = []): object {
  const spoken = new Set<AssumptionName>([...known, ...wantedByClients]);
  return dialectOfTurned(spoken, otherOriginOf(appUrl));
}
