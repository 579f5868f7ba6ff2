import type { App } from "../../app.ts";
import { pausedUntil } from "../registration/rules/lms-pause.ts";
import {
  type AcceptedScore,
  type Delivery,
  hasArrived,
  isToCompare,
  obstacleOf,
  personalRefusals,
} from "./rules/delivery.ts";
import { isGraded } from "../attendance/rules/attendance-summary.ts";
import { refusalSentence } from "../../kernel/refusal.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { PausedScores } from "./store/delivery-decisions.ts";
import { afterAttempt, type AttemptOutcome } from "./after-attempt.ts";
import type { GradebookReading } from "./read-gradebook.ts";
import { restoreOf, type RestoreOfDeps } from "./restored-scores.ts";
import { type AttemptPlace, type ClaimedScore, sendScore, type SendScoreDeps } from "./send-score.ts";

export type DeliverScoreDeps = SendScoreDeps &
  RestoreOfDeps &
  Pick<App, "random" | "logger" | "members"> & {
    onOutcome: (kind: AttemptOutcome["kind"]) => void;
  };

export type DeliveryAttempt = {
  /** Of calls to this registration (ms). */
  pauseFor: number;
  /** The LMS failed or asked to wait: the other claimed scores are released. */
  trouble: boolean;
  paused: PausedScores | null;
};

const done: DeliveryAttempt = { pauseFor: 0, trouble: false, paused: null };

/**
 * Sends the newest score only, never over a teacher's grade, with a timestamp in a later second than the last (Moodle
 * refuses equal ones). Temporary failures are retried.
 */
export async function deliverScore(
  deps: DeliverScoreDeps,
  { id }: Delivery,
  holder: string,
  reading: GradebookReading,
): Promise<DeliveryAttempt> {
  // Another score may be wanted since the claim.
  const delivery = await deps.deliveries.findClaimed(id, holder);
  if (delivery === null) return done;
  const { desired } = delivery;
  if (desired === null || delivery.state !== "waiting") {
    await deps.deliveries.release([id], holder);
    return done;
  }
  const place: AttemptPlace = { lineItemUrl: null, points: null };
  const restoredAt = await restoreOf(deps, delivery);
  const outcome = await attempt(deps, { delivery, desired, holder, restoredAt }, reading, place);
  if (outcome === "not-now") {
    await deps.deliveries.release([id], holder);
    return done;
  }
  if (outcome === "no-column") {
    // The column may never be saved in the LMS; `bindColumn` wakes the score up.
    const idle = { state: "idle", waitingSince: null } as const;
    await deps.deliveries.settle(id, holder, desired.revision, idle);
    return done;
  }
  deps.onOutcome(outcome.kind);
  if (outcome.kind === "paused") {
    const { until: nextTryAt, code: reason, reason: lastError } = outcome;
    const paused = { nextTryAt, reason, lastError };
    // Only scores sent before may be there.
    const change = { ...paused, unconfirmed: delivery.unconfirmed };
    await deps.deliveries.settle(id, holder, desired.revision, change);
    return { ...done, paused };
  }
  const now = deps.clock.now();
  const change = afterAttempt({ delivery, desired, ...place }, outcome, { now, random: deps.random });
  await deps.deliveries.settle(id, holder, desired.revision, change);
  const { courseId: course } = delivery;
  const attempts = delivery.attempts + 1;
  deps.logger.info({ delivery: id, course, outcome: outcome.kind, attempts }, "score attempted");
  const pauseFor = outcome.kind === "busy" ? (outcome.retryAfterMs ?? 2_000) : 0;
  return { ...done, pauseFor, trouble: outcome.kind === "busy" || outcome.kind === "unreachable" };
}

async function attempt(
  deps: DeliverScoreDeps,
  claimed: ClaimedScore,
  reading: GradebookReading,
  place: AttemptPlace,
): Promise<AttemptOutcome | "not-now" | "no-column"> {
  const { delivery, desired } = claimed;
  const { accepted } = delivery;
  const arrived = hasArrived(delivery, desired);
  if (accepted !== null && arrived && !delivery.again && !isToCompare(delivery)) {
    // It was wanted again while another score was on its way.
    Object.assign(place, placeOf(accepted));
    return { kind: "there" };
  }
  const outcome = await sentOrNot(deps, claimed, reading, place);
  if (typeof outcome !== "object" || outcome.kind !== "refused") return outcome;
  if (accepted !== null && arrived && isToCompare(delivery)) {
    // The gradebook refuses now, but the backup says that the score arrived.
    Object.assign(place, placeOf(accepted));
    return { kind: "there" };
  }
  return refusedOrBlocked(deps, delivery, outcome);
}

/** A refusal whose cause ends without anybody looking at the score only holds it up. */
async function refusedOrBlocked(
  { members }: Pick<DeliverScoreDeps, "members">,
  { registrationId, courseId, personId }: Delivery,
  outcome: Extract<AttemptOutcome, { kind: "refused" }>,
): Promise<AttemptOutcome> {
  const { code, reason } = outcome;
  if (obstacleOf(code) !== null) return { kind: "blocked", code, reason };
  if (!personalRefusals.includes(code)) return outcome;
  const member = await members.find(registrationId, courseId, personId);
  if (member === null || (member.active && isGraded(member))) return outcome;
  return { kind: "blocked", code: "person-left", reason: refusalSentence("person-left") };
}

async function sentOrNot(
  deps: DeliverScoreDeps,
  claimed: ClaimedScore,
  reading: GradebookReading,
  place: AttemptPlace,
): Promise<AttemptOutcome | "not-now" | "no-column"> {
  try {
    return await sendScore(deps, claimed, reading, place);
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "no-session-column") return "no-column";
    if (thrown instanceof NamedError && !thrown.temporary)
      return { kind: "refused", code: thrown.code, reason: thrown.message };
    if (thrown instanceof NamedError) return later(thrown);
    deps.logger.error(
      { delivery: claimed.delivery.id, error: messageOf(thrown) },
      "delivering a score failed unexpectedly",
    );
    return { kind: "unreachable", code: "unexpected", reason: `Unexpected: ${messageOf(thrown)}` };
  }
}

function placeOf({ lineItemUrl, points }: AcceptedScore): AttemptPlace {
  return { lineItemUrl: lineItemUrl ?? null, points: points ?? null };
}

/** With a wait named by the LMS, its other scores wait, too. */
function later(thrown: NamedError): AttemptOutcome {
  const { message, details, code } = thrown;
  const until = pausedUntil(thrown);
  if (until !== null) return { kind: "paused", code, reason: message, until };
  const wait = details["retryAfterMs"];
  if (typeof wait === "number") return { kind: "busy", retryAfterMs: wait };
  return code === "lms-busy"
    ? { kind: "busy", retryAfterMs: null }
    : { kind: "unreachable", code, reason: message };
}
