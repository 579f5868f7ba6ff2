import type { KnownStatus, SeenPresence } from "../../../domain/attendance.ts";
import type { UnplannedRule } from "../../../domain/unplanned-rule.ts";
import { seenOf } from "../../presence/rules/presence.ts";
import { byPerson, type FoundClass, type Visit, withPlausibleEnds } from "./found-class.ts";
import { minVisitMs } from "./limits.ts";

export type Suggestion = { status: KnownStatus; seen: SeenPresence };

type Class = { startsAt: number; endsAt: number };

/**
 * What each person's time in a class suggests, by person id; who is missing was not there.
 * @param visits All of the Space, as in `classesAmong`.
 */
export function suggestionsFrom(
  visits: readonly Visit[],
  { startsAt, endsAt }: Class,
  rule: Pick<UnplannedRule, "presentFrom" | "lateAfter">,
): Map<string, Suggestion> {
  const stays = withPlausibleEnds(visits);
  const vague = new Set(
    stays
      .filter(({ open, from, to }) => open !== null && from < endsAt && to > startsAt)
      .map(({ who }) => who),
  );
  const suggestions = new Map<string, Suggestion>();
  for (const [who, own] of byPerson(stays.filter(({ role }) => role === "learner"))) {
    const within = seenOf(own, { startsAt, endsAt });
    const [first] = within.stays;
    if (first === undefined) continue;
    const seen: SeenPresence = { ...within, ...(vague.has(who) ? { leftUnknown: true } : {}) };
    suggestions.set(who, { status: statusOf(seen, first.from, rule), seen });
  }
  return suggestions;
}

/** Of somebody who was not there. */
export function absent({ startsAt, endsAt }: Class): Suggestion {
  return { status: "ABSENT", seen: { startsAt, endsAt, ms: 0, stays: [] } };
}

/**
 * Whether a class is clear enough for the rule "always": staff that we know held it for more than one learner, most of the register
 * attended, and of those who were there two in three came in time and stayed. Whatever differs more is asked.
 * @param register How many learners it would be for.
 */
export function isClear(
  { led, learners }: Pick<FoundClass, "learners"> & { led: FoundClass["led"] | null },
  suggestions: Iterable<Suggestion>,
  register: number,
): boolean {
  const there = [...suggestions].filter(({ seen }) => seen.ms > minVisitMs);
  const attended = there.filter(({ status }) => status !== "ABSENT");
  const present = there.filter(({ status }) => status === "PRESENT");
  const fits = 2 * attended.length > register && 3 * present.length >= 2 * there.length;
  return led === "staff" && learners > 1 && fits;
}

/** Exact at the limits: "from 50 %" holds at 50 %, "late after 10 minutes" does not at 10:00. */
function statusOf(
  { ms, startsAt, endsAt }: SeenPresence,
  cameAt: number,
  { presentFrom, lateAfter }: Pick<UnplannedRule, "presentFrom" | "lateAfter">,
): KnownStatus {
  if (100 * ms < presentFrom * (endsAt - startsAt)) return "ABSENT";
  return cameAt - startsAt > lateAfter * 60_000 ? "LATE" : "PRESENT";
}
