import { ofEach, onPage } from "../../../kernel/lists.ts";
import { dayMs, hourMs } from "../../../kernel/clock.ts";
import { searchKey } from "../../members/rules/names.ts";

/**
 * How an LMS or a classroom account is doing. down: nobody enters or no score arrives · check: a person should look · quiet: nobody has come
 * for a long time · off: switched off or paused.
 */
export type Health = "down" | "check" | "quiet" | "good" | "off";

/** Worst first. */
export const healthLevels: readonly Health[] = ["down", "check", "quiet", "good", "off"];

const quietAfterMs = 30 * dayMs;
/** Alarms of an LMS that nobody can enter, or that accepts no scores. */
const breaking: readonly string[] = ["environment-off", "lms-refused", "connection", "launches-fail"];

type LmsFacts = {
  active: boolean;
  /** Alarms about this LMS. */
  alarms: readonly { what: string }[];
  /** Milliseconds since the epoch. Null for never. */
  lastLaunchAt: number | null;
  /** Scores refused in the last day. */
  refusedScores: number;
  /** The state of the account that new courses use. */
  account: ServiceState;
  /** A deployment uses another account, which is down. */
  partDown: boolean;
};

/** An account's state. down: its secrets can't be opened, or this process's latest calls have failed. */
export type ServiceState = "down" | "paused" | "on";

export function healthOf(
  { active, alarms, lastLaunchAt, refusedScores, account, partDown }: LmsFacts,
  now: number,
): Health {
  if (!active) return alarms.length > 0 ? "check" : "off";
  if (account === "down" || alarms.some(({ what }) => breaking.includes(what))) return "down";
  if (alarms.length > 0 || refusedScores > 0 || partDown) return "check";
  return account === "paused" ? "off" : healthOfUse(lastLaunchAt, now);
}

type AccountFacts = {
  state: ServiceState;
  /** Webhooks are missing, some were given up in the last day, or the doctor found something wrong. */
  toCheck: boolean;
  /** The latest launch of its LMSs (ms). Null for never. */
  lastLaunchAt: number | null;
};

export function healthOfAccount({ state, toCheck, lastLaunchAt }: AccountFacts, now: number): Health {
  if (state === "down") return "down";
  if (state === "paused") return "off";
  return toCheck ? "check" : healthOfUse(lastLaunchAt, now);
}

function healthOfUse(lastLaunchAt: number | null, now: number): Health {
  return lastLaunchAt === null || now - lastLaunchAt > quietAfterMs ? "quiet" : "good";
}

type Ranked = { health: Health; failures: number; scoresWaiting: number };

/** For sorting: the worst health first, then the most failures, then the most waiting scores. */
export function byHealth(one: Ranked, other: Ranked): number {
  const rank = ({ health }: Ranked) => healthLevels.indexOf(health);
  return rank(one) - rank(other) || other.failures - one.failures || other.scoresWaiting - one.scoresWaiting;
}

/** Which lines of the overview are asked for. `health`: null for all. `page`: from 1. */
export type LinesQuery = { typed: string; health: Health | null; page: number; pageSize: number };

/** A page of lines, and numbers about all of them. @param nameOf The text in which the typed text is searched. */
export function linesPage<L extends { health: Health }>(
  lines: readonly L[],
  nameOf: (line: L) => string,
  { typed, health, page: asked, pageSize }: LinesQuery,
) {
  const key = searchKey(typed);
  const named = key === "" ? lines : lines.filter((line) => searchKey(nameOf(line)).includes(key));
  const fitting = health === null ? named : named.filter((line) => line.health === health);
  const { rows, page, pages } = onPage(fitting, Math.max(1, asked), pageSize);
  const from = (page - 1) * pageSize;
  return {
    rows,
    /** Counts by health, of the lines that match the typed text. */
    counts: ofEach(healthLevels, (one) => named.filter((line) => line.health === one).length),
    /** On all pages. */
    found: fitting.length,
    page,
    pages,
    /** The first and last line of the page, counted from 1. */
    first: rows.length === 0 ? 0 : from + 1,
    last: from + rows.length,
  };
}

/** Null for any other text. */
export function asHealth(text: unknown): Health | null {
  return healthLevels.find((one) => one === text) ?? null;
}

/** Refused launches of one LMS in one hour. */
type FailedHour = { registrationId: string; hour: number; count: number };

/** One person may try twice. */
const minFailed = 3;

/** The last 24 hours in whole hours of UTC, including the present one: the first and the last moment (ms). */
export function lastDay(now: number): { from: number; before: number } {
  const before = now - (now % hourMs) + hourMs;
  return { from: before - dayMs, before };
}

/** The beginning of each hour of that day (ms). */
export function hoursFrom(from: number): number[] {
  return Array.from({ length: 24 }, (_none, n) => from + n * hourMs);
}

/** How many launches were refused in these hours. */
export function refusedIn(hours: readonly Pick<FailedHour, "count">[]): number {
  return hours.reduce((sum, { count }) => sum + count, 0);
}

/**
 * How many launches of an LMS were refused since anybody last got in, and when the first of these hours began (ms). Leaves out the hour of
 * that launch, whose refusals may have come before it.
 * @param hours One LMS's hours.
 * @param lastLaunchAt Null for never.
 * @returns null while people get in.
 */
export function launchesFail(
  hours: readonly Pick<FailedHour, "hour" | "count">[],
  lastLaunchAt: number | null,
): { count: number; since: number } | null {
  const later = hours.filter(({ hour }) => hour > (lastLaunchAt ?? 0));
  const count = refusedIn(later);
  return count < minFailed ? null : { count, since: Math.min(...later.map(({ hour }) => hour)) };
}

/** Signs of whether webhooks still arrive from one account. */
type WebhookSigns = {
  /** When the last webhook came (ms), even if already known. Null for never. */
  lastAt: number | null;
  /** Ends of courses' sessions since then (ms), earliest first. A few are enough. */
  endedSince: readonly number[];
};

/** How many sessions must have ended without a webhook. A single one may have had nobody in it. */
const minSilentSessions = 3;

/**
 * Whether webhooks are missing: sessions have ended that should have caused some.
 * @param toleranceMs How long after a session's end webhooks may take (ms).
 */
export function areMissing(signs: WebhookSigns, toleranceMs: number, now: number): boolean {
  const missed = signs.endedSince.filter((end) => end > (signs.lastAt ?? 0) && now - end >= toleranceMs);
  return missed.length >= minSilentSessions;
}
