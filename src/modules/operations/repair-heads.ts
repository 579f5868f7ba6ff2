import type { App } from "../../app.ts";

export type RepairHeadsDeps = Pick<App, "registrations" | "accounts" | "dueHeads" | "clock" | "logger">;

const lanes = 20;

/**
 * Finds work of every LMS whose head is missing or late, as in a backup. A few reads for each LMS and kind.
 * @returns how many heads were missing or late.
 */
export async function repairHeads(deps: RepairHeadsDeps): Promise<number> {
  const { dueHeads, clock, logger } = deps;
  const registrations = await deps.registrations.list();
  const scopes = [dueHeads.everything, ...deps.accounts.ids(), ...registrations.map(({ id }) => id)];
  let repaired = 0;
  for (let at = 0; at < scopes.length; at += lanes)
    repaired += await dueHeads.repair(scopes.slice(at, at + lanes), clock.now());
  if (repaired > 0) logger.info({ repaired }, "found work that nobody was told of");
  return repaired;
}
