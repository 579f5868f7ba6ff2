import type { Delivery, DesiredScore } from "../../domain/delivery.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Scores, ScoreOutcome } from "../../lms/scores.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { DeliveryChange, DeliveryStore } from "../../storage/delivery-store.ts";
import { stillAdmitted, type StillAdmittedDeps } from "../registration/still-admitted.ts";
import { withClaim } from "../with-claim.ts";
import { findLineItem, type FindLineItemDeps } from "./find-line-item.ts";

export type DeliverScoreDeps = FindLineItemDeps &
  StillAdmittedDeps & {
    deliveries: DeliveryStore;
    courses: CourseStore;
    scores: Scores;
    /** Between 0 and 1; spreads retries. */
    random: () => number;
    /** Told of every attempt's end, for the metrics. */
    onOutcome: (kind: ScoreOutcome["kind"]) => void;
    logger: Logger;
  };

/** What one attempt asks of the worker: `pauseFor` ms without another call to this registration. */
export type DeliveryAttempt = { pauseFor: number };

/**
 * Makes the LMS have the score a claimed delivery wants. Sends the newest state only, with a timestamp in a later
 * second than the one before (Moodle refuses equal ones); whatever happens is written down, and a temporary
 * failure comes up again by itself.
 */
export async function deliverScore(
  deps: DeliverScoreDeps,
  delivery: Delivery,
  holder: string,
): Promise<DeliveryAttempt> {
  const { desired } = delivery;
  if (desired === null) {
    await deps.deliveries.settle(delivery.id, holder, 0, {});
    return { pauseFor: 0 };
  }
  const outcome = await withClaim(
    deps,
    (until) => deps.deliveries.extend(delivery.id, holder, until),
    () => attempt(deps, delivery, desired, holder),
  );
  if (outcome === "claim-lost") return { pauseFor: 0 };
  if (outcome === "no-column") {
    // Nobody is kept waiting for a column that an instructor may never save; `refillColumn` wakes it up again.
    await deps.deliveries.settle(delivery.id, holder, desired.revision, {
      state: "idle",
      waitingSince: null,
    });
    return { pauseFor: 0 };
  }
  deps.onOutcome(outcome.kind);
  await deps.deliveries.settle(
    delivery.id,
    holder,
    desired.revision,
    changeAfter(deps, delivery, desired, outcome),
  );
  deps.logger.info(
    {
      delivery: delivery.id,
      course: delivery.courseId,
      outcome: outcome.kind,
      attempts: delivery.attempts + 1,
    },
    "score attempted",
  );
  return { pauseFor: outcome.kind === "busy" ? (outcome.retryAfterMs ?? 2_000) : 0 };
}

async function attempt(
  deps: DeliverScoreDeps,
  delivery: Delivery,
  desired: DesiredScore,
  holder: string,
): Promise<ScoreOutcome | "claim-lost" | "no-column"> {
  try {
    return await sent(deps, delivery, desired, holder);
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "no-session-column") return "no-column";
    if (thrown instanceof NamedError && !thrown.temporary) {
      return { kind: "refused", code: thrown.code, reason: thrown.message };
    }
    if (thrown instanceof NamedError) return later(thrown);
    deps.logger.error(
      { delivery: delivery.id, error: messageOf(thrown) },
      "delivering a score failed unexpectedly",
    );
    return { kind: "unreachable", reason: `Unexpected: ${messageOf(thrown)}` };
  }
}

/** A temporary error; when the LMS said how long to wait, its other scores wait as well. */
function later({ message, details }: NamedError): ScoreOutcome {
  const wait = details["retryAfterMs"];
  if (typeof wait === "number") return { kind: "busy", retryAfterMs: wait };
  return { kind: "unreachable", reason: message };
}

async function sent(
  deps: DeliverScoreDeps,
  delivery: Delivery,
  desired: DesiredScore,
  holder: string,
): Promise<ScoreOutcome | "claim-lost"> {
  const course = await deps.courses.find(delivery.courseId);
  if (course === null) {
    return { kind: "refused", code: "course-unknown", reason: "This course is not known any more." };
  }
  const registration = await stillAdmitted(deps, course);
  if (course.policy.kind === "no-grades") {
    return { kind: "refused", code: "no-grades", reason: "This course gives no grades." };
  }
  const key = { registrationId: course.registrationId, courseId: course.id, key: delivery.columnKey };
  const column = await deps.columns.open(key, deps.ids.id("col"));
  const lineItemUrl =
    column.lineItemUrl ?? (await findLineItem(deps, registration, course, course.policy, column));

  const at = await nextTimestamp(deps, delivery.lastSentAt);
  if (!(await deps.deliveries.sending(delivery.id, holder, at))) return "claim-lost";
  const target = { registration, lineItemUrl, scopes: course.gradeScopes };
  const { score, maximum, comment } = desired;
  const lastComment = delivery.accepted?.comment ?? null;
  const outcome = await deps.scores.send(target, {
    sub: delivery.sub,
    score,
    maximum,
    comment,
    lastComment,
    at,
  });
  if (outcome.kind === "gone") await deps.columns.forget(column.id, lineItemUrl);
  return outcome.kind === "conflict" ? settledConflict(deps, target, delivery, desired) : outcome;
}

/**
 * The LMS says it has a score with this or a later timestamp (409). That is the expected answer when an earlier
 * attempt got through and its reply was lost: look before believing it.
 */
async function settledConflict(
  deps: DeliverScoreDeps,
  target: Parameters<Scores["send"]>[0],
  delivery: Delivery,
  desired: DesiredScore,
): Promise<ScoreOutcome> {
  const result = await deps.scores.readResult(target, delivery.sub).catch((thrown: unknown) => {
    // Without the right to look, the score is sent again with a later timestamp.
    if (thrown instanceof NamedError && thrown.code === "scope-not-granted") return "unknown" as const;
    throw thrown;
  });
  if (result === "unknown") return { kind: "conflict" };
  const shown =
    result === null || result.score === null ? null : (result.score / result.maximum) * desired.maximum;
  const same =
    shown === null
      ? desired.score === null
      : desired.score !== null && Math.abs(shown - desired.score) < 0.005;
  return same ? { kind: "accepted" } : { kind: "conflict" };
}

/** Now, but in a later second than `last`; waits for it when need be (at most a second in practice). */
async function nextTimestamp(deps: DeliverScoreDeps, last: number | null): Promise<number> {
  const now = deps.clock.now();
  if (last === null) return now;
  const earliest = (Math.floor(last / 1000) + 1) * 1000;
  if (now >= earliest) return now;
  // A clock that was set back by more than this is not waited for; the timestamp just goes on counting.
  if (earliest - now > 2_000) return earliest;
  await deps.clock.sleep(earliest - now);
  return deps.clock.now() >= earliest ? deps.clock.now() : earliest;
}

function changeAfter(
  deps: DeliverScoreDeps,
  delivery: Delivery,
  desired: DesiredScore,
  outcome: ScoreOutcome,
): DeliveryChange {
  const now = deps.clock.now();
  const attempts = delivery.attempts + 1;
  const { score, maximum, comment } = desired;
  switch (outcome.kind) {
    case "accepted":
      return {
        state: "delivered",
        accepted: { score, maximum, comment, at: now },
        attempts: 0,
        waitingSince: null,
        lastError: null,
      };
    case "refused":
      return { state: "refused", attempts, waitingSince: null, lastError: outcome.reason };
    case "busy":
      return {
        attempts,
        nextTryAt: now + (outcome.retryAfterMs ?? backOff(deps, attempts)),
        lastError: "The LMS asked us to wait.",
      };
    case "gone":
      return {
        attempts,
        nextTryAt: now + 1_000 * attempts,
        lastError: "The column was deleted in the gradebook; it is being found again or made anew.",
      };
    case "conflict":
      return {
        attempts,
        nextTryAt: now + backOff(deps, attempts),
        lastError: "The LMS already has a newer score for this person.",
      };
    case "unreachable":
      return { attempts, nextTryAt: now + backOff(deps, attempts), lastError: outcome.reason };
  }
}

/** 2, 4, 8 ... seconds, at most 15 minutes, spread by a quarter either way. */
function backOff(deps: DeliverScoreDeps, attempts: number): number {
  const base = Math.min(2 ** Math.min(attempts, 10) * 1_000, 15 * 60_000);
  return Math.round(base * (0.75 + deps.random() / 2));
}
