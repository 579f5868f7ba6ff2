import { refusalSentence } from "../../kernel/refusal.ts";
import type { ScoreOutcome } from "../../lms/scores.ts";
import type { GradebookGrade } from "./rules/compare-with-gradebook.ts";
import {
  type AcceptedScore,
  type Delivery,
  type DesiredScore,
  type ForeignScore,
  isSameGrade,
  obstacleOf,
  type SentScore,
  stateOfArrived,
} from "./rules/delivery.ts";
import type { DeliveryChange } from "./store/delivery-store.ts";

export type AttemptOutcome =
  | ScoreOutcome
  | { kind: "there" }
  /** Due again when what is in the way is gone. */
  | { kind: "blocked"; code: string; reason: string }
  /** `kept`: the LMS took ours and shows theirs. `restoredAt`: found by the comparison after that restore (ms). */
  | { kind: "held"; shown: GradebookGrade | null; kept: boolean; restoredAt?: number | null };

export type TriedOutcome = Exclude<AttemptOutcome, { kind: "paused" }>;

type Attempt = {
  delivery: Delivery;
  desired: DesiredScore;
  lineItemUrl: string | null;
  points: number | null;
};

/** What to store after an attempt. @param random Between 0 and 1; spreads retries. */
export function afterAttempt(
  { delivery, desired, lineItemUrl, points }: Attempt,
  outcome: TriedOutcome,
  { now, random }: { now: number; random: () => number },
): DeliveryChange {
  const attempts = delivery.attempts + 1;
  const { revision: _revision, ...score } = desired;
  const place = { ...placePoints(points), ...placeIn(delivery, lineItemUrl) };
  const taken = (at: number) => ({ ...score, at, ...place });
  const later = (wait: number, reason: string, lastError: string) => ({
    attempts,
    nextTryAt: now + wait,
    lastError,
    reason,
  });
  // Only scores sent before may be there.
  const notTaken: { unconfirmed: readonly SentScore[] } = { unconfirmed: delivery.unconfirmed };
  switch (outcome.kind) {
    case "accepted":
      return { ...settled, state: stateOfArrived(score), accepted: taken(now), foreign: null };
    case "there":
      return {
        ...settled,
        state: stateOfArrived(score),
        accepted: taken(sentAt(delivery, now)),
        foreign: null,
      };
    case "held":
      return heldBack(delivery, outcome, outcome.kept ? taken(now) : null, now);
    case "blocked":
    case "refused":
      return { ...notTaken, ...keptBack(outcome, delivery), attempts };
    case "unreachable":
      return later(backOff(attempts, random), outcome.code, outcome.reason);
    case "busy":
    case "gone":
    case "conflict":
      return {
        ...notTaken,
        ...later(pauseAfter(outcome, attempts, random), outcome.kind, reasons[outcome.kind]),
      };
  }
}

function sentAt({ accepted }: Delivery, now: number): number {
  return accepted === null ? now : accepted.at;
}

function placePoints(points: number | null): Pick<AcceptedScore, "points"> {
  return points === null ? {} : { points };
}

function placeIn(
  delivery: Delivery,
  lineItemUrl: string | null,
): Pick<AcceptedScore, "lineItemUrl" | "before"> {
  return lineItemUrl === null ? {} : { lineItemUrl, ...leftBehind(delivery, lineItemUrl) };
}

/** Of what is blocked only a missing right is worth an alarm: the rest is as it should be. */
function keptBack(
  { kind: state, reason, code }: Extract<TriedOutcome, { kind: "refused" | "blocked" }>,
  { waitingSince }: Delivery,
): DeliveryChange {
  const written = { lastError: reason, reason: code, refusal: code };
  const alarming = state === "blocked" && obstacleOf(code) === "launch";
  return { state, waitingSince: alarming ? waitingSince : null, ...written, restoredAt: null };
}

function leftBehind({ accepted }: Delivery, lineItemUrl: string): Pick<AcceptedScore, "before"> {
  if (accepted === null) return {};
  const { score, maximum, comment, lineItemUrl: there, before } = accepted;
  if (there !== undefined && there !== lineItemUrl) {
    return { before: { score, maximum, comment, lineItemUrl: there } };
  }
  return before === undefined ? {} : { before };
}

const reasons = {
  busy: refusalSentence("lms-busy"),
  gone: "The column was deleted in the gradebook; it is being found again or made anew.",
  conflict: "The LMS already has a newer score for this person.",
};

function pauseAfter(outcome: AttemptOutcome, attempts: number, random: () => number): number {
  if (outcome.kind === "gone") return 1_000;
  const asked = outcome.kind === "busy" ? outcome.retryAfterMs : null;
  return asked ?? backOff(attempts, random);
}

const settled = {
  attempts: 0,
  waitingSince: null,
  lastError: null,
  reason: null,
  refusal: null,
  unconfirmed: [],
  overruled: null,
  again: false,
  restoredAt: null,
};

function heldBack(
  delivery: Delivery,
  { shown, kept, restoredAt = null }: Extract<AttemptOutcome, { kind: "held" }>,
  accepted: DeliveryChange["accepted"] | null,
  now: number,
): DeliveryChange {
  const foreign = foreignOf(delivery, shown, restoredAt, now);
  const common = {
    state: "held",
    foreign,
    overruled: null,
    attempts: 0,
    waitingSince: null,
    again: false,
    reason: null,
    restoredAt: null,
  } as const;
  if (kept && shown !== null && accepted != null) {
    return { ...common, accepted, unconfirmed: [], lastError: keptReason(shown), refusal: null };
  }
  const since = foreign.restoredAt ?? null;
  return { ...common, lastError: conflictReason(delivery, shown, since), refusal: null };
}

/** A grade known to the backup stays that teacher's, with the decision about it. */
function foreignOf(
  { foreign }: Delivery,
  shown: GradebookGrade | null,
  restoredAt: number | null,
  now: number,
): ForeignScore {
  const seen = { score: shown?.score ?? null, maximum: shown?.maximum ?? 1, seenAt: now };
  if (restoredAt === null) return seen;
  return foreign !== null && isSameGrade(foreign, seen) ? foreign : { ...seen, restoredAt };
}

/** The wait before a retry (ms): 2, 4, 8 ... seconds, at most 15 minutes, spread by a quarter either way. */
export function backOff(attempts: number, random: () => number): number {
  const base = Math.min(2 ** Math.min(attempts, 10) * 1_000, 15 * 60_000);
  return Math.round(base * (0.75 + random() / 2));
}

const untilSaid = "Nothing is sent over it until an instructor says so.";

/** For instructors. @param restoredAt When the database was restored (ms), if that showed the difference. */
function conflictReason(
  sent: Pick<Delivery, "accepted" | "unconfirmed">,
  shown: GradebookGrade | null,
  restoredAt: number | null = null,
): string {
  const { accepted } = sent;
  if (restoredAt !== null) return sinceRestore(shown, restoredAt);
  if (shown === null || shown.score === null) {
    return `The grade that was sent is not in the gradebook any more: a teacher removed it, or excused this person. ${untilSaid}`;
  }
  const there = `${points(shown.score)} of ${points(shown.maximum)}`;
  if (accepted === null && sent.unconfirmed.length === 0) {
    return `The gradebook already has the grade ${there}, which did not come from here. ${untilSaid}`;
  }
  const ours = accepted?.score ?? null;
  const before =
    ours === null ? "" : ` (sent from here: ${points(ours)} of ${points(accepted?.maximum ?? 100)})`;
  return `A teacher changed the grade in the gradebook to ${there}${before}. ${untilSaid}`;
}

function sinceRestore(shown: GradebookGrade | null, restoredAt: number): string {
  const day = new Date(restoredAt).toISOString().slice(0, 10);
  const there =
    shown === null || shown.score === null
      ? "has no grade any more"
      : `has ${points(shown.score)} of ${points(shown.maximum)}`;
  return `This tool's data were restored from a backup on ${day}. The gradebook ${there}, which differs from what the backup knows: it may be a teacher's, or was sent from here after the backup. ${untilSaid}`;
}

function keptReason(shown: GradebookGrade): string {
  return `The LMS took the score, but goes on showing the teacher's grade ${points(shown.score ?? 0)} of ${points(shown.maximum)}. Take the teacher's grade away in the gradebook (in Moodle: untick "Overridden" there), or leave it as it is.`;
}

function points(value: number): string {
  return String(Math.round(value * 100) / 100);
}
