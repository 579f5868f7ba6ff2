/**
 * How an LMS or a classroom account is. down: nobody enters or no score arrives · check: a person should look · quiet:
 * nobody came for long · off: switched off or paused.
 */
export type Light = "down" | "check" | "quiet" | "good" | "off";

/** Worst first. */
export const lights: readonly Light[] = ["down", "check", "quiet", "good", "off"];

const quietAfterMs = 30 * 24 * 3_600_000;
/** Alarms of an LMS that nobody enters, or that takes no scores. */
const breaking: readonly string[] = ["environment-off", "lms-refused", "connection", "launches-fail"];

type LmsFacts = {
  active: boolean;
  /** Alarms about this LMS. */
  alarms: readonly { what: string }[];
  /** Milliseconds since the epoch; null for never. */
  lastLaunchAt: number | null;
  /** Scores refused in the last day. */
  refusedScores: number;
};

export function lightOf({ active, alarms, lastLaunchAt, refusedScores }: LmsFacts, now: number): Light {
  if (!active) return alarms.length > 0 ? "check" : "off";
  if (alarms.some(({ what }) => breaking.includes(what))) return "down";
  if (alarms.length > 0 || refusedScores > 0) return "check";
  return lightOfUse(lastLaunchAt, now);
}

type AccountFacts = {
  /** Its secrets cannot be opened, so it counts as paused, too. */
  unreadable: boolean;
  paused: boolean;
  /** The latest calls of this process have failed. */
  fails: boolean;
  /** Webhooks are missing, some were given up in the last day, or the doctor found something wrong. */
  toCheck: boolean;
  /** Of its LMSs (ms); null for never. */
  lastLaunchAt: number | null;
};

export function lightOfAccount(
  { unreadable, paused, fails, toCheck, lastLaunchAt }: AccountFacts,
  now: number,
): Light {
  if (unreadable) return "down";
  if (paused) return "off";
  if (fails) return "down";
  return toCheck ? "check" : lightOfUse(lastLaunchAt, now);
}

function lightOfUse(lastLaunchAt: number | null, now: number): Light {
  return lastLaunchAt === null || now - lastLaunchAt > quietAfterMs ? "quiet" : "good";
}

type Ranked = { light: Light; failures: number; scoresWaiting: number };

/** For sorting: the worst light first, then the most failures, then the most scores that wait. */
export function byLight(one: Ranked, other: Ranked): number {
  const rank = ({ light }: Ranked) => lights.indexOf(light);
  return rank(one) - rank(other) || other.failures - one.failures || other.scoresWaiting - one.scoresWaiting;
}
