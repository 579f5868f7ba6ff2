import { messageOf, NamedError } from "../../kernel/errors.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { byKey } from "../../kernel/lists.ts";
import type { ScoreResult, ScoreTarget } from "../../lms/scores.ts";
import { withFreshReads } from "../../kernel/request-scope.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { isGraded } from "../attendance/rules/attendance-summary.ts";
import { mayHaveBeenOurs } from "../operations/rules/records.ts";
import { pausedUntil } from "../registration/rules/registration.ts";
import { afterAttempt, type Attempted, type AttemptOutcome, type ClaimedScore } from "./after-attempt.ts";
import { type GradebookReading, nowhere, sendScore } from "./send-score.ts";
import type { DeliveryApp } from "./check-column.ts";
import { createDeliveryLanes, mostLanes } from "./delivery-lanes.ts";
import {
  type AcceptedScore,
  type Delivery,
  hasArrived,
  isToCompare,
  obstacleOf,
  personLeft,
  personalRefusals,
} from "./rules/delivery.ts";
import type { GradebookGrade } from "./rules/compare-with-gradebook.ts";
import type { PausedScores } from "./store/delivery-decisions.ts";

type WorkerApp = DeliveryApp & {
  pauses: Pick<LmsPauses, "ofScores">;
  onOutcome: (kind: AttemptOutcome["kind"]) => void;
};

type DeliveryAttempt = {
  /** How long calls to this registration pause (ms). */
  pauseFor: number;
  /** The LMS failed or asked to wait, so the other claimed scores are released. */
  trouble: boolean;
  paused: PausedScores | null;
};

/** Scores of one column that are sent after one reading of the gradebook. */
const stepSize = 25;

/** When to look at a paused LMS again (ms), because the process that saw it come back may have ended. */
const pausedPollMs = 60_000;

/** Claims the score that has been due longest, with others of its column. Respects each LMS's lanes and pauses. */
export function deliveryStep(app: WorkerApp): () => Promise<boolean> {
  const lanes = createDeliveryLanes({ clock: app.clock, onMore: () => app.wake("deliveries") });
  const waitsUntil = new Map<string, number>();

  const passOver = (now: number) => async (registrationId: string) => {
    const until = waitsUntil.get(registrationId) ?? 0;
    if (until > now) return { until };
    const pause = await app.pauses.ofScores(registrationId);
    if (pause !== null) return { until: Math.min(pause.nextTryAt, now + pausedPollMs) };
    if (lanes.isFull(registrationId)) return "busy";
    return (await app.deliveries.busyLanes(registrationId, now)) >= mostLanes ? "busy" : null;
  };
  return async () => {
    const now = app.clock.now();
    const holder = app.ids.id("hold");
    const delivery = await app.deliveries.claimDue(holder, now, now + leaseMs, passOver(now));
    if (delivery === null) return false;
    const { registrationId } = delivery;
    if (lanes.isFull(registrationId)) {
      await app.deliveries.release([delivery.id], holder);
      return true;
    }
    return lanes.use(registrationId, async () => {
      const until = now + leaseMs;
      const others = await app.deliveries.claimAlso(delivery, holder, now, until, stepSize - 1);
      const pauseFor = await withFreshReads(
        () => deliverScores({ ...app, lanes }, [delivery, ...others], { holder, until }),
        freshMs,
      );
      if (pauseFor > 0) waitsUntil.set(registrationId, app.clock.now() + pauseFor);
      return true;
    });
  };
}

/**
 * Sends one column's scores, one by one. If the LMS fails or asks to wait, the rest is released unchanged.
 * @returns how long calls to this registration wait (ms)
 */
async function deliverScores(
  app: WorkerApp & { lanes: ReturnType<typeof createDeliveryLanes> },
  claimed: readonly Delivery[],
  { holder, until }: { holder: string; until: number },
): Promise<number> {
  const left = new Set(claimed.map(({ id }) => id));
  const claimedAt = app.clock.now();
  const reading = readGradebook(app, claimed.length);
  return withClaim(app, { until, extend: (to) => app.deliveries.extend([...left], holder, to) }, async () => {
    for (const delivery of claimed) {
      const began = app.clock.now();
      // Another score may be wanted since the claim. In the first seconds, `sending` notices that.
      const isFresh = Math.abs(began - claimedAt) < freshMs;
      const present = isFresh ? delivery : await app.deliveries.findClaimed(delivery.id, holder);
      const { pauseFor, trouble, paused } =
        present === null ? done : await deliverScore(app, present, holder, reading);
      left.delete(delivery.id);
      if (trouble) app.lanes.trouble(delivery.registrationId, began);
      else if (paused === null) app.lanes.sent(delivery.registrationId, app.clock.now() - began);
      if (paused !== null) await app.deliveries.waitForLms([...left], holder, paused);
      else if (trouble) await app.deliveries.release([...left], holder);
      if (paused !== null || trouble) return pauseFor;
    }
    return 0;
  });
}

/**
 * How long scores, and what they are sent by, aren't read again (ms). With a slow LMS, that would cost seven more reads for each score. It
 * is short, because a teacher may be working.
 */
const freshMs = 3_000;

const done: DeliveryAttempt = { pauseFor: 0, trouble: false, paused: null };

/**
 * Sends only the newest score, never over a teacher's grade, with a timestamp in a later second than the last (Moodle refuses equal ones).
 * Temporary failures are retried.
 */
async function deliverScore(
  app: WorkerApp,
  delivery: Delivery,
  holder: string,
  reading: GradebookReading,
): Promise<DeliveryAttempt> {
  const { id, desired } = delivery;
  if (desired === null || delivery.state !== "waiting") {
    await app.deliveries.release([id], holder);
    return done;
  }
  const restoredAt = await restoreOf(app, delivery);
  const { outcome, ...target } = await attempt(app, { delivery, desired, holder, restoredAt }, reading);
  if (outcome === "not-now") {
    await app.deliveries.release([id], holder);
    return done;
  }
  if (outcome === "no-column") {
    // The link may never be saved in the LMS, so the score stops waiting. `bindColumn` makes it due again.
    const idle = { state: "idle", waitingSince: null } as const;
    await app.deliveries.settle(id, holder, desired.revision, idle);
    return done;
  }
  app.onOutcome(outcome.kind);
  if (outcome.kind === "paused") {
    const paused = { nextTryAt: outcome.until, reason: outcome.code };
    // Only scores that were sent before can be there.
    const change = { ...paused, unconfirmed: delivery.unconfirmed };
    await app.deliveries.settle(id, holder, desired.revision, change);
    return { ...done, paused };
  }
  const now = app.clock.now();
  const change = afterAttempt({ delivery, desired, ...target }, outcome, { now, random: app.random });
  await app.deliveries.settle(id, holder, desired.revision, change);
  const { courseId: course } = delivery;
  const attempts = delivery.attempts + 1;
  const code = "code" in outcome ? outcome.code : undefined;
  app.logger.info({ delivery: id, course, outcome: outcome.kind, code, attempts }, "score attempted");
  const pauseFor = outcome.kind === "busy" ? (outcome.retryAfterMs ?? 2_000) : 0;
  return { ...done, pauseFor, trouble: outcome.kind === "busy" || outcome.kind === "unreachable" };
}

async function attempt(app: WorkerApp, claimed: ClaimedScore, reading: GradebookReading): Promise<Attempted> {
  const { delivery, desired } = claimed;
  const { accepted } = delivery;
  const arrived = hasArrived(delivery, desired);
  if (accepted !== null && arrived && !delivery.again && !isToCompare(delivery)) {
    // This score became the desired one again while another one was being sent.
    return arrivedBefore(accepted);
  }
  const tried = await sentOrNot(app, claimed, reading);
  const { outcome } = tried;
  if (typeof outcome !== "object" || outcome.kind !== "refused") return tried;
  // The gradebook refuses now, but the backup says that the score arrived.
  if (accepted !== null && arrived && isToCompare(delivery)) return arrivedBefore(accepted);
  return { ...tried, outcome: await refusedOrBlocked(app, delivery, outcome) };
}

/** If a refusal's cause ends without a person's decision, it only delays the score. */
async function refusedOrBlocked(
  { members, registrations }: WorkerApp,
  { registrationId, courseId, personId }: Delivery,
  outcome: Extract<AttemptOutcome, { kind: "refused" }>,
): Promise<AttemptOutcome> {
  const { code } = outcome;
  if (obstacleOf(code) !== null) return { kind: "blocked", code };
  if (!personalRefusals.includes(code)) return outcome;
  const member = await members.find(registrationId, courseId, personId);
  const { rosterDemotesInstructors } = capabilitiesOf(await registrations.find(registrationId));
  // Listed as a learner, but never opened the activity: may be a non-editing teacher.
  const mayTeach = rosterDemotesInstructors && member?.lastLaunchAt === null;
  if (member === null || (member.active && isGraded(member) && !mayTeach)) return outcome;
  return { kind: "blocked", code: personLeft };
}

async function sentOrNot(app: WorkerApp, claimed: ClaimedScore, reading: GradebookReading) {
  try {
    return await sendScore(app, claimed, reading);
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "no-session-column") return nowhere("no-column");
    if (thrown instanceof NamedError && !thrown.temporary)
      return nowhere({ kind: "refused", code: thrown.code });
    if (thrown instanceof NamedError) return nowhere(later(thrown));
    app.logger.error(
      { delivery: claimed.delivery.id, error: messageOf(thrown) },
      "delivering a score failed unexpectedly",
    );
    return nowhere({ kind: "unreachable", code: "unexpected" });
  }
}

function arrivedBefore({ lineItemUrl, points }: AcceptedScore): Attempted {
  return { outcome: { kind: "there" }, lineItemUrl: lineItemUrl ?? null, points: points ?? null };
}

/** If the LMS names a wait, its other scores wait, too. */
function later(thrown: NamedError): AttemptOutcome {
  const { details, code } = thrown;
  const until = pausedUntil(thrown);
  if (until !== null) return { kind: "paused", code, until };
  const wait = details["retryAfterMs"];
  if (typeof wait === "number") return { kind: "busy", retryAfterMs: wait };
  return code === "lms-busy" ? { kind: "busy", retryAfterMs: null } : { kind: "unreachable", code };
}

/** When the database was restored (ms), if the score hasn't been compared since or the backup lacks it; otherwise null. */
async function restoreOf(
  { restores, clock }: WorkerApp,
  delivery: Pick<Delivery, "restoredAt" | "accepted" | "unconfirmed" | "overruled">,
): Promise<number | null> {
  const { restoredAt = null, accepted, unconfirmed, overruled } = delivery;
  if (restoredAt !== null) return restoredAt;
  if (accepted !== null || unconfirmed.length > 0 || overruled !== null) return null;
  const latest = await restores.latest();
  return latest !== null && mayHaveBeenOurs(latest, clock.now()) ? latest.restoredAt : null;
}

/**
 * Whether a retry is pointless: a right was withdrawn, a course ended. An unreadable answer may be maintenance, so it is final only after two
 * minutes.
 */
function isFinal({ temporary, code }: NamedError, { attempts }: Delivery): boolean {
  return !temporary || (code === "lms-reply-unreadable" && attempts >= 6);
}

/** Reads the whole column if that costs less than single calls. @param people How many scores will be sent. */
function readGradebook(app: DeliveryApp, people: number): GradebookReading {
  let column: { url: string; at: number; rows: Map<string, ScoreResult> } | null = null;
  let left = people;

  const inColumn = async (target: ScoreTarget, delivery: Delivery): Promise<GradebookGrade | null> => {
    const { lineItemUrl } = target;
    if (column?.url === lineItemUrl && app.clock.now() - column.at <= freshMs)
      return column.rows.get(delivery.sub) ?? null;
    if (left <= 1 || !(await isCheap(target, delivery))) return app.scores.readResult(target, delivery.sub);
    const at = app.clock.now();
    const rows = byKey(await app.scores.readResults(target), ({ sub }) => sub);
    column = { url: lineItemUrl, at, rows };
    return rows.get(delivery.sub) ?? null;
  };
  const isCheap = async ({ registration }: ScoreTarget, delivery: Delivery) => {
    const { registrationId, courseId, columnKey } = delivery;
    const rows = await app.deliveries.countOfColumn({ registrationId, courseId, columnKey });
    return 1 + rows / capabilitiesOf(registration).gradebook.resultsPerCall < left;
  };

  return {
    reportedFor: async (target, delivery) => {
      if (!app.scores.canReadResults(target.scopes)) return "unknown";
      try {
        return await inColumn(target, delivery);
      } catch (thrown) {
        if (thrown instanceof NamedError && isFinal(thrown, delivery)) return "unknown";
        throw thrown;
      } finally {
        left -= 1;
      }
    },
  };
}
