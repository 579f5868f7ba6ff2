import type { SessionMinutes } from "./attendance.ts";

/** How it is found what a session earns that somebody was in. */
export type SessionWorth =
  /** What their status earns. */
  | { kind: "status" }
  /** Their share of the session's planned length; what their status earns where that is not known. */
  | {
      kind: "minutes";
      /** Whole percent of the session, 1..100, from which on it earns all that "present" does. */
      fullFrom: number;
      /** So many minutes missing cost nothing; 0..60. */
      tolerance: number;
      /** Below `fullFrom` it earns in proportion, or nothing. */
      below: "share" | "nothing";
      /** Minutes with the Space hidden behind another tab count, or do not. */
      hidden: "counted" | "taken-off";
    };

export type MinutesWorth = Extract<SessionWorth, { kind: "minutes" }>;

/**
 * The whole percent that minutes earn, from the whole minutes that are shown. Below `fullFrom` it is rounded down, so that
 * full marks mean that it was reached.
 * @param full What "present" earns. @param least What "absent" earns: being there never earns less.
 */
export function earnedByMinutes(
  { fullFrom, tolerance, below, hidden }: MinutesWorth,
  minutes: SessionMinutes,
  { full, least }: { full: number; least: number },
): number {
  const away = hidden === "taken-off" ? (minutes.hidden ?? 0) : 0;
  const present = minutes.present - away;
  const counted = present === 0 ? 0 : Math.min(minutes.of, present + tolerance);
  if (100 * counted >= fullFrom * minutes.of) return full;
  const share = below === "nothing" ? 0 : Math.floor((full * 100 * counted) / (fullFrom * minutes.of));
  return Math.max(least, share);
}

export function sameWorth(one: SessionWorth, other: SessionWorth): boolean {
  if (one.kind === "status" || other.kind === "status") return one.kind === other.kind;
  return (
    one.fullFrom === other.fullFrom &&
    one.tolerance === other.tolerance &&
    one.below === other.below &&
    one.hidden === other.hidden
  );
}
