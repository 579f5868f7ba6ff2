import type { App } from "../../app.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusalSentence } from "../../kernel/refusal.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { isGraded } from "../attendance/rules/attendance-summary.ts";
import { mayHaveBeenOurs } from "../operations/rules/records.ts";
import { pausedUntil } from "../registration/rules/lms-pause.ts";
import { afterAttempt, type AttemptOutcome } from "./after-attempt.ts";
import { type GradebookReading, readGradebook } from "./read-gradebook.ts";
import {
  type AcceptedScore,
  type Delivery,
  hasArrived,
  isToCompare,
  obstacleOf,
  personalRefusals,
} from "./rules/delivery.ts";
import { type AttemptPlace, type ClaimedScore, sendScore, type SendScoreDeps } from "./send-score.ts";
import type { PausedScores } from "./store/delivery-decisions.ts";

type DeliveryStepDeps = DeliverScoreDeps & { pauses: Pick<LmsPauses, "ofScores"> };

type DeliverScoreDeps = SendScoreDeps &
  Pick<App, "random" | "logger" | "members" | "restores"> & {
    onOutcome: (kind: AttemptOutcome["kind"]) => void;
  };

type DeliveryAttempt = {
  /** Of calls to this registration (ms). */
  pauseFor: number;
  /** The LMS failed or asked to wait: the other claimed scores are released. */
  trouble: boolean;
  paused: PausedScores | null;
};

/**
 * Scores sent to one LMS at a time. With more, Canvas throttles (about twelve calls fill its bucket) and Moodle is no
 * faster. Processes that begin together may exceed `overall` by a few.
 */
const perRegistration = { inProcess: 3, overall: 6 };

/** Scores of a column, after one reading of the gradebook. */
const stepSize = 25;

/** When a paused LMS is looked up again (ms): the process that saw it come back may have ended. */
const pausedPollMs = 60_000;

/** Claims the score due longest with others of its column, within each LMS's lanes and not during its pause. */
export function deliveryStep(deps: DeliveryStepDeps): () => Promise<boolean> {
  const inFlight = new Map<string, number>();
  const waitsUntil = new Map<string, number>();

  const passOver = (now: number) => async (registrationId: string) => {
    const until = waitsUntil.get(registrationId) ?? 0;
    if (until > now) return { until };
    const pause = await deps.pauses.ofScores(registrationId);
    if (pause !== null) return { until: Math.min(pause.nextTryAt, now + pausedPollMs) };
    if ((inFlight.get(registrationId) ?? 0) >= perRegistration.inProcess) return "busy";
    return (await deps.deliveries.busyLanes(registrationId, now)) >= perRegistration.overall ? "busy" : null;
  };
  return async () => {
    const now = deps.clock.now();
    const holder = deps.ids.id("hold");
    const delivery = await deps.deliveries.claimDue(holder, now, now + leaseMs, passOver(now));
    if (delivery === null) return false;
    const { registrationId } = delivery;
    if ((inFlight.get(registrationId) ?? 0) >= perRegistration.inProcess) {
      await deps.deliveries.release([delivery.id], holder);
      return true;
    }
    inFlight.set(registrationId, (inFlight.get(registrationId) ?? 0) + 1);
    try {
      const until = now + leaseMs;
      const others = await deps.deliveries.claimAlso(delivery, holder, now, until, stepSize - 1);
      const { pauseFor } = await deliverScores(deps, [delivery, ...others], holder);
      if (pauseFor > 0) waitsUntil.set(registrationId, deps.clock.now() + pauseFor);
      return true;
    } finally {
      inFlight.set(registrationId, (inFlight.get(registrationId) ?? 1) - 1);
    }
  };
}

/** Of one column, one by one. When the LMS fails or asks to wait, the rest is released unchanged. */
async function deliverScores(
  deps: DeliverScoreDeps,
  claimed: readonly Delivery[],
  holder: string,
): Promise<Pick<DeliveryAttempt, "pauseFor">> {
  const left = new Set(claimed.map(({ id }) => id));
  const reading = readGradebook(deps, claimed.length);
  return withClaim(
    deps,
    { until: 0, extend: (until) => deps.deliveries.extend([...left], holder, until) },
    async () => {
      for (const delivery of claimed) {
        const { pauseFor, trouble, paused } = await deliverScore(deps, delivery, holder, reading);
        left.delete(delivery.id);
        if (paused !== null) {
          await deps.deliveries.waitForLms([...left], holder, paused);
          return { pauseFor };
        }
        if (!trouble) continue;
        await deps.deliveries.release([...left], holder);
        return { pauseFor };
      }
      return { pauseFor: 0 };
    },
  );
}

const done: DeliveryAttempt = { pauseFor: 0, trouble: false, paused: null };

/**
 * Sends the newest score only, never over a teacher's grade, with a timestamp in a later second than the last (Moodle
 * refuses equal ones). Temporary failures are retried.
 */
async function deliverScore(
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

/** When the database was restored (ms), if the score was not compared since or the backup lacks it; else null. */
async function restoreOf(
  { restores, clock }: Pick<DeliverScoreDeps, "restores" | "clock">,
  delivery: Pick<Delivery, "restoredAt" | "accepted" | "unconfirmed" | "overruled">,
): Promise<number | null> {
  const { restoredAt = null, accepted, unconfirmed, overruled } = delivery;
  if (restoredAt !== null) return restoredAt;
  if (accepted !== null || unconfirmed.length > 0 || overruled !== null) return null;
  const latest = await restores.latest();
  return latest !== null && mayHaveBeenOurs(latest, clock.now()) ? latest.restoredAt : null;
}
