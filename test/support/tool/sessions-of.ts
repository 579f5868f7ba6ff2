import { createBackground } from "../../../src/kernel/async.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { createSessions, type SessionJudge } from "../../../src/web/session.ts";

/** Sessions of course pages as the tool on the same database takes them. */
export function sessionsOf(
  stores: Pick<Stores, "browserSessions">,
  { clock = systemClock, judge }: { clock?: Clock; judge?: SessionJudge } = {},
) {
  const background = createBackground(createLogger("silent"));
  return createSessions({ ...stores, clock, ids: randomIds, background }, judge);
}
