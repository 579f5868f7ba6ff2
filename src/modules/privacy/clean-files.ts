import type { App } from "../../app.ts";
import { messageOf } from "../../kernel/errors.ts";

export type CleanFilesDeps = Pick<App, "erasures" | "clock" | "logger">;

/**
 * Leaves no byte of what was erased in the database's files, and finishes the erasures that waited for that. At night
 * also cleans big files and what earlier releases deleted.
 * @returns false when something is left: erasures stay unfinished until it is gone.
 */
export async function cleanFiles(deps: CleanFilesDeps, when: { night: boolean }): Promise<boolean> {
  const { erasures, clock, logger } = deps;
  // Erasures that come while the files are written may have left bytes behind the writer's position.
  const waiting = await erasures.cleaning();
  if (waiting.length === 0 && !(when.night && erasures.owesScrub())) return true;
  const from = clock.now();
  try {
    if (!(await erasures.leaveNoTrace(when))) return false;
  } catch (thrown) {
    logger.warn(
      { reason: messageOf(thrown) },
      "the database's files could not be cleaned; it is tried again",
    );
    return false;
  }
  await erasures.finish(waiting, clock.now());
  logger.info(
    { erasures: waiting.length, ms: clock.now() - from },
    "the database's files hold nothing that was erased",
  );
  return true;
}
