import type { Alarm } from "./list-alarms.ts";

/** How an LMS is: down: nobody enters or no score arrives · check: a person should look · quiet: nobody came for long · off: switched off. */
export type LmsLight = "down" | "check" | "quiet" | "good" | "off";

const quietAfterMs = 30 * 24 * 3_600_000;
const breaking: readonly Alarm["what"][] = ["environment-off", "lms-refused", "connection"];
const worstFirst: readonly LmsLight[] = ["down", "check", "quiet", "good", "off"];

type LmsFacts = {
  active: boolean;
  /** Alarms about this LMS. */
  alarms: readonly Pick<Alarm, "what">[];
  /** Milliseconds since the epoch; null for never. */
  lastLaunchAt: number | null;
};

export function lightOf({ active, alarms, lastLaunchAt }: LmsFacts, now: number): LmsLight {
  if (!active) return alarms.length > 0 ? "check" : "off";
  if (alarms.some(({ what }) => breaking.includes(what))) return "down";
  if (alarms.length > 0) return "check";
  return lastLaunchAt === null || now - lastLaunchAt > quietAfterMs ? "quiet" : "good";
}

type Ranked = { light: LmsLight; scoresWaiting: number };

/** For sorting: the worst light first, then the most scores that wait. */
export function byLight(one: Ranked, other: Ranked): number {
  const rank = ({ light }: Ranked) => worstFirst.indexOf(light);
  return rank(one) - rank(other) || other.scoresWaiting - one.scoresWaiting;
}
