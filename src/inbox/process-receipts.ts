import type { GradingApp } from "../modules/grading/grade-members.ts";
import type { App } from "../app.ts";
import type { Course } from "../domain/course.ts";
import { type Receipt, waitKey } from "./rules/receipt.ts";
import { inLanes } from "../kernel/async.ts";
import { countKinds, type GradedEffect, gradeGathering } from "../modules/attendance/handle-webhooks.ts";
import type { kindLabels } from "./rules/webhook.ts";
import type { ReceiptOutcome } from "./store/receipt-store.ts";
import { knownSpaces } from "../modules/spaces/space-rights.ts";
import { withFreshReads } from "../kernel/request-scope.ts";
import { leaseMs, withClaim } from "../kernel/with-claim.ts";
import {
  aboutWhom,
  eventOf,
  failedEffect,
  groupByEvent,
  groupEffects,
  groupReceipts,
  partReceipts,
  type ReceiptEffect,
  type ReceiptEffectDeps,
  type ReceiptGroup,
} from "./receipt-effect.ts";
import { countUnused } from "./webhook-arrivals.ts";

export type ProcessReceiptsDeps = ReceiptEffectDeps &
  Pick<App, "courses" | "courseLinks"> &
  GradingApp &
  Pick<App, "events" | "receipts" | "wake" | "unknownWebhooks" | "webhookArrivals" | "logger"> & {
    /** Reports settled webhooks to the metrics. */
    onKind?: (labels: ReturnType<typeof kindLabels>, count: number) => void;
  };

/** Receipts of one batch. It is large, so a learner in a burst of webhooks is graded once or twice. */
const batchSize = 500;
/** How many groups are processed at the same time; their writes share commits. */
const readyLanes = 16;
/** Receipts of one batch in which each may ask the classroom. */
const askingBatchSize = 20;
/** How many of those run at the same time; the classroom takes a few calls a second. */
const askingLanes = 4;

/**
 * Claims the receipts that have been due longest and processes them: facts first, then scores, then "done". Receipts that may ask the
 * classroom are left to `processSlowReceipts`. After a crash the claims expire, and processing again changes nothing.
 * @returns false when no fresh receipt is due.
 */
export async function processReceipts(deps: ProcessReceiptsDeps): Promise<boolean> {
  const { receipts, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const claimed = await receipts.claimDue(holder, now, now + leaseMs, batchSize);
  if (claimed.length === 0) return false;
  const ids = claimed.map(({ id }) => id);
  await withClaim(
    deps,
    { until: now + leaseMs, extend: (until) => receipts.extend(ids, holder, until) },
    () =>
      withFreshReads(async () => {
        const parted = await partReceipts(deps, await groupReceipts(deps.webhooks, claimed));
        const slow = parted.asking.flatMap((group) =>
          group.map((read) => ({ id: read.receipt.id, about: aboutWhom(read) })),
        );
        if (slow.length > 0) {
          await receipts.handOver(slow, holder, clock.now());
          deps.wake("slow-receipts");
        }
        await carryOut(deps, holder, parted.ready, readyLanes);
      }),
  );
  return true;
}

/** As `processReceipts`, for receipts that may ask the classroom, then due unmatched ones. @returns false when none is due. */
export async function processSlowReceipts(deps: ProcessReceiptsDeps): Promise<boolean> {
  const { receipts, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const claimed = await receipts.claimSlow(holder, now, now + leaseMs, askingBatchSize);
  if (claimed.length === 0) return false;
  const left = new Set(claimed.map(({ id }) => id));
  await withClaim(
    deps,
    { until: now + leaseMs, extend: (until) => receipts.extend([...left], holder, until) },
    async () => {
      const groups = groupByEvent(await groupReceipts(deps.webhooks, claimed));
      // Grouped by event, so a score doesn't wait for another event's answer.
      await inLanes(askingLanes, groups, async (some) => {
        const effects = await withFreshReads(() => carryOut(deps, holder, some, 1));
        for (const { receipt } of effects) left.delete(receipt.id);
        await retryOthers(deps, some, effects);
      });
    },
  );
  return true;
}

async function carryOut(
  deps: ProcessReceiptsDeps,
  holder: string,
  groups: readonly ReceiptGroup[],
  lanes: number,
): Promise<readonly ReceiptEffect[]> {
  const batch = { isOfCourse: knownSpaces(deps) };
  const taken = await inLanes(lanes, groups, (group) => groupEffects(deps, group, batch));
  const read = new Map(groups.flat().map((one) => [one.receipt.id, one]));
  const gathering = gradeGathering(deps, {
    asking: lanes === 1,
    aboutWhom: (receipt) => {
      const one = read.get(receipt.id);
      return one === undefined ? null : aboutWhom(one);
    },
  });
  const effects = await graded(deps, taken.flat(), gathering.grade);
  await settle(deps, holder, effects);
  await gathering.end();
  await countKinds(
    deps,
    effects.flatMap(({ receipt, outcome: { state } }) =>
      final.has(state) ? (read.get(receipt.id) ?? []) : [],
    ),
  );
  return effects;
}

const final: ReadonlySet<Receipt["state"]> = new Set(["done", "kept", "failed"]);

/** Makes other receipts due that wait for the same event, Space or user. */
async function retryOthers(
  { receipts, clock }: ProcessReceiptsDeps,
  [first]: readonly ReceiptGroup[],
  effects: readonly ReceiptEffect[],
): Promise<void> {
  const keys = new Set(effects.flatMap(({ receipt: { waitsFor } }) => waitsFor ?? []));
  const event = first === undefined ? null : eventOf(first);
  if (event !== null) keys.add(waitKey(event));
  const found = effects.some(
    ({ outcome: { state, waitsFor } }) =>
      state === "done" || (state === "unmatched" && !keys.has(waitsFor ?? "")),
  );
  if (found) for (const key of keys) await receipts.retryWaitingFor(key, clock.now());
}

/** Computes the scores. If that fails, the receipts are tried again. */
async function graded(
  deps: ReceiptEffectDeps,
  effects: readonly ReceiptEffect[],
  grade: (course: Course, effects: readonly GradedEffect[]) => Promise<void>,
): Promise<readonly ReceiptEffect[]> {
  const courses = new Map<string, { course: Course; own: GradedEffect[] }>();
  for (const { receipt, graded } of effects) {
    if (graded === null) continue;
    const { course, person } = graded;
    const known = courses.get(course.id) ?? { course, own: [] };
    known.own.push({ receipt, person });
    courses.set(course.id, known);
  }
  const failures = new Map<string, unknown>();
  for (const { course, own } of courses.values()) {
    await grade(course, own).catch((thrown: unknown) => {
      failures.set(course.id, thrown);
    });
  }
  return effects.map((effect) => {
    const courseId = effect.graded?.course.id ?? "";
    return failures.has(courseId) ? failedEffect(deps, effect.receipt, failures.get(courseId)) : effect;
  });
}

async function settle(deps: ProcessReceiptsDeps, holder: string, effects: readonly ReceiptEffect[]) {
  const alike = new Map<string, { outcome: ReceiptOutcome; ids: string[] }>();
  for (const { receipt, outcome } of effects) {
    const { state, reason, waitsFor, waitsForUser } = outcome;
    const key = JSON.stringify([
      state,
      reason,
      state === "done" || outcome.nextTryAt,
      waitsFor,
      waitsForUser,
    ]);
    const same = alike.get(key) ?? { outcome, ids: [] };
    same.ids.push(receipt.id);
    alike.set(key, same);
  }
  await countUnused(deps, effects);
  for (const { outcome, ids } of alike.values()) {
    await deps.receipts.settle(ids, holder, outcome);
    const { state, reason } = outcome;
    deps.logger.info({ count: ids.length, first: ids[0], state, reason }, "webhooks processed");
  }
}
