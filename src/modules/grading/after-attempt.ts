import type { ScoreOutcome } from "../../lms/scores.ts";
import {
  type AcceptedScore,
  type Delivery,
  type DeliveryChange,
  type DesiredScore,
  type ForeignScore,
  isSameGrade,
  obstacleOf,
  stateOfArrived,
} from "./rules/delivery.ts";
import type { GradebookGrade } from "./rules/compare-with-gradebook.ts";

export type ClaimedScore = {
  delivery: Delivery;
  desired: DesiredScore;
  holder: string;
  /** When the database was restored (ms), if it matters; see `restoreOf`. */
  restoredAt: number | null;
};

type AttemptTarget = { lineItemUrl: string | null; points: number | null };

export type AttemptOutcome =
  | ScoreOutcome
  | { kind: "there" }
  /** Due again when the obstacle is gone. */
  | { kind: "blocked"; code: string }
  /** `kept`: the LMS accepted ours but shows theirs. `restoredAt`: found by the comparison after that restore (ms). */
  | { kind: "held"; reported: GradebookGrade | null; overridden: boolean; restoredAt?: number | null };

/** not-now: the claim was lost, or another score is wanted · no-column: a teacher removed it, and an instructor must decide. */
export type AttemptResult = AttemptOutcome | "not-now" | "no-column";

/** The outcome, and where the score went; null if unknown or irrelevant. */
export type Attempted = AttemptTarget & { outcome: AttemptResult };

export type TriedOutcome = Exclude<AttemptOutcome, { kind: "paused" }>;

/** What to store after an attempt. @param random Between 0 and 1; spreads retries. */
export function afterAttempt(
  { delivery, desired, ...target }: AttemptTarget & Pick<ClaimedScore, "delivery" | "desired">,
  outcome: TriedOutcome,
  { now, random }: { now: number; random: () => number },
): DeliveryChange {
  const attempts = delivery.attempts + 1;
  const { revision: _revision, ...score } = desired;
  const taken = (at: number) => ({ ...score, at, ...writtenTarget(delivery, target) });
  const arrived = (accepted: AcceptedScore): DeliveryChange => ({
    ...settled,
    state: stateOfArrived(score),
    accepted,
    nextTryAt: now,
    foreign: null,
  });
  const later = (wait: number, reason: string) => ({ attempts, nextTryAt: now + wait, reason });
  // Only scores that were sent before can be there.
  const { unconfirmed } = delivery;
  switch (outcome.kind) {
    case "accepted":
      return arrived({ ...taken(now), ...markedBefore(delivery, now) });
    case "there":
      return unlessLeft(delivery, arrived(taken((delivery.accepted ?? { at: now }).at)));
    case "held":
      return conflictChange(delivery, outcome, outcome.overridden ? taken(now) : null, now);
    case "blocked":
    case "refused":
      return { unconfirmed, ...blockedChange(outcome, delivery), attempts };
    case "unreachable":
      return later(backOff(attempts, random), outcome.code);
    case "busy":
    case "gone":
    case "conflict":
      return { unconfirmed, ...later(pauseAfter(outcome, attempts, random), outcome.kind) };
  }
}

/** If an instructor left a teacher's grade, it stays the teacher's, even if ours is the same now. */
function unlessLeft({ foreign }: Delivery, change: DeliveryChange): DeliveryChange {
  return foreign?.leftAt == null ? change : { ...settled, state: "held", foreign };
}

/** Clocks differ: a mark in the future says nothing about how long it took. */
function markedBefore({ markedAt = null }: Delivery, now: number): Pick<AcceptedScore, "markedAt"> {
  return markedAt === null || markedAt > now ? {} : { markedAt };
}

function writtenTarget(delivery: Delivery, { lineItemUrl, points }: AttemptTarget) {
  return {
    ...(points === null ? {} : { points }),
    ...(lineItemUrl === null ? {} : { lineItemUrl, ...leftBehind(delivery, lineItemUrl) }),
  };
}

/** Only a missing right deserves an alarm. Other reasons that block a score are normal. */
function blockedChange(
  { kind: state, code }: Extract<TriedOutcome, { kind: "refused" | "blocked" }>,
  { waitingSince }: Delivery,
): DeliveryChange {
  const written = { reason: code, refusal: code, markedAt: null };
  const alarming = state === "blocked" && obstacleOf(code) === "launch";
  return { state, waitingSince: alarming ? waitingSince : null, ...written, restoredAt: null };
}

function leftBehind({ accepted }: Delivery, lineItemUrl: string): Pick<AcceptedScore, "before"> {
  if (accepted === null) return {};
  const { score, maximum, comment, lineItemUrl: takenBy, before } = accepted;
  if (takenBy !== undefined && takenBy !== lineItemUrl)
    return { before: { score, maximum, comment, lineItemUrl: takenBy } };
  return before === undefined ? {} : { before };
}

function pauseAfter(outcome: AttemptOutcome, attempts: number, random: () => number): number {
  if (outcome.kind === "gone") return 1_000;
  const asked = outcome.kind === "busy" ? outcome.retryAfterMs : null;
  return asked ?? backOff(attempts, random);
}

const settled = {
  attempts: 0,
  waitingSince: null,
  reason: null,
  refusal: null,
  unconfirmed: [],
  overruled: null,
  again: false,
  restoredAt: null,
  markedAt: null,
};

function conflictChange(
  delivery: Delivery,
  { reported, overridden, restoredAt = null }: Extract<AttemptOutcome, { kind: "held" }>,
  accepted: DeliveryChange["accepted"] | null,
  now: number,
): DeliveryChange {
  const foreign = foreignOf(delivery, reported, restoredAt, now);
  const isTaken = overridden && reported !== null && accepted != null;
  const sent = isTaken ? { accepted } : { unconfirmed: delivery.unconfirmed };
  return { ...settled, state: "held", foreign, ...sent };
}

/** A grade that we knew before stays that teacher's, with the decision about it. */
function foreignOf(
  { foreign }: Delivery,
  reported: GradebookGrade | null,
  restoredAt: number | null,
  now: number,
): ForeignScore {
  const seen = { score: reported?.score ?? null, maximum: reported?.maximum ?? 1, seenAt: now };
  if (foreign !== null && isSameGrade(foreign, seen)) return foreign;
  return restoredAt === null ? seen : { ...seen, restoredAt };
}

/** The wait before a retry (ms): 2, 4, 8 ... seconds, at most 15 minutes, varied by a quarter either way. */
export function backOff(attempts: number, random: () => number): number {
  const base = Math.min(2 ** Math.min(attempts, 10) * 1_000, 15 * 60_000);
  return Math.round(base * (0.75 + random() / 2));
}
