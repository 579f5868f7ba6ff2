import type { App } from "../../app.ts";

export type MendHeadsDeps = Pick<App, "registrations" | "accounts" | "dueHeads" | "clock" | "logger">;

const lanes = 20;

/**
 * Finds work of every LMS whose head is missing or late, as in a backup. A few reads for each LMS and kind.
 * @returns how many heads were missing or late.
 */
export async function mendHeads(deps: MendHeadsDeps): Promise<number> {
  const { dueHeads, clock, logger } = deps;
  const registrations = await deps.registrations.list();
  const scopes = [dueHeads.everything, ...deps.accounts.ids(), ...registrations.map(({ id }) => id)];
  let mended = 0;
  for (let at = 0; at < scopes.length; at += lanes)
    mended += await dueHeads.repair(scopes.slice(at, at + lanes), clock.now());
  if (mended > 0) logger.info({ mended }, "found work that nobody was told of");
  return mended;
}
