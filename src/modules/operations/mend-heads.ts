import type { App } from "../../app.ts";

export type MendHeadsDeps = Pick<App, "registrations" | "dueHeads" | "formerQueues" | "clock" | "logger">;

/** LMSs whose heads are looked at together; others get a turn in between. */
const lanes = 20;

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
  for (let at = 0; at < scopes.length; at += lanes)
    mended += await dueHeads.repair(scopes.slice(at, at + lanes), clock.now());
  if (mended > 0) logger.info({ mended }, "found work that nobody was told of");
}
