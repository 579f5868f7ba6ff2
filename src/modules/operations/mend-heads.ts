import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { FormerQueues } from "../../storage/former-queues.ts";
import type { DueHeads } from "../../storage/due-heads.ts";
import type { RegistrationStore } from "../registration/store/registration-store.ts";

export type MendHeadsDeps = {
  registrations: Pick<RegistrationStore, "list">;
  dueHeads: Pick<DueHeads, "repair" | "scopesOfNoLms">;
  formerQueues: FormerQueues;
  clock: Clock;
  logger: Logger;
};

/** LMSs whose heads are looked at together; others get a turn in between. */
const atOnce = 20;

/**
 * Looks through every LMS for work whose head is missing or late: left by an earlier release, which knows no heads, or in a
 * backup. A few reads for each LMS and kind of work, in small pieces. What such a process wrote to queues that are tasks now
 * is taken over first.
 */
export async function mendHeads(deps: MendHeadsDeps): Promise<void> {
  const { dueHeads, clock, logger } = deps;
  const moved = await deps.formerQueues.move();
  if (moved > 0) logger.info({ moved }, "took over work of a process of the release before");
  const scopes = [...dueHeads.scopesOfNoLms, ...(await deps.registrations.list()).map(({ id }) => id)];
  let mended = 0;
  for (let at = 0; at < scopes.length; at += atOnce)
    mended += await dueHeads.repair(scopes.slice(at, at + atOnce), clock.now());
  if (mended > 0) logger.info({ mended }, "found work that nobody was told of");
}
