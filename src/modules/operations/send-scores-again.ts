import type { App } from "../../app.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { type DeliveryFilter, findDeliveries } from "./find-deliveries.ts";
import { inBatches, type BatchOptions, defaultBatchLimit } from "./in-batches.ts";
import { cursorOf } from "./page-cursor.ts";

export type SendScoresAgainDeps = AuditDeps &
  Pick<App, "deliveries" | "wake"> & {
    pauses: Pick<LmsPauses, "tryNow">;
  };

/** How many fit, how many of them are due now, and where to continue. */
export type SentAgain = { matched: number; sent: number; next: string | null };

/**
 * Sends one score again, also one that has arrived.
 * @param within Only one of this registration; any when null.
 * @returns false when it is held by a teacher's grade, or there is nothing to send
 * @throws NamedError score-unknown
 */
export async function sendScoreAgain(
  deps: SendScoresAgainDeps,
  id: string,
  within: string | null,
): Promise<boolean> {
  const delivery = await deps.deliveries.findById(id);
  if (delivery === null || (within !== null && delivery.registrationId !== within))
    throw refusal("score-unknown", { values: { id }, status: 404 });
  const { registrationId } = delivery;
  await deps.pauses.tryNow(registrationId);
  if ((await deps.deliveries.sendAgain([id], deps.clock.now())) === 0) return false;
  await writeAudit(deps, { what: "scores-tried-again", registrationId, on: id });
  deps.wake("deliveries");
  return true;
}

/** Sends all scores that fit again. Repeatable, also after it broke off. @throws NamedError course-without-lms */
export async function sendScoresAgain(
  deps: SendScoresAgainDeps,
  filter: DeliveryFilter,
  go: BatchOptions = {},
): Promise<SentAgain> {
  const sum: SentAgain = { matched: 0, sent: 0, next: null };
  if (filter.registrationId !== null) await deps.pauses.tryNow(filter.registrationId);
  try {
    await eachSlice(deps, filter, go, sum, async (ids) => {
      if (ids.length > 0) sum.sent += await deps.deliveries.sendAgain(ids, deps.clock.now());
      deps.wake("deliveries");
    });
  } finally {
    const { registrationId, courseId, state, reason } = filter;
    const said = Object.entries({ state, course: courseId, reason });
    const words = said.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
    const on = [`${sum.sent}:`, ...words].join(" ");
    if (sum.sent > 0) await writeAudit(deps, { what: "scores-tried-again", registrationId, on });
  }
  return sum;
}

/** Fitting scores among the first `most`. @throws NamedError course-without-lms */
export async function countDeliveries(
  deps: Pick<SendScoresAgainDeps, "deliveries">,
  filter: DeliveryFilter,
  go: BatchOptions = {},
): Promise<Pick<SentAgain, "matched" | "next">> {
  const sum = { matched: 0, next: null };
  await eachSlice(deps, filter, go, sum, () => Promise.resolve());
  return sum;
}

async function eachSlice(
  deps: Pick<SendScoresAgainDeps, "deliveries">,
  filter: DeliveryFilter,
  { most = defaultBatchLimit, from = null }: BatchOptions,
  sum: Pick<SentAgain, "matched" | "next">,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  if (filter.courseId !== null && filter.registrationId === null)
    throw refusal("course-without-lms", { status: 400 });
  await inBatches(findDeliveries(deps, filter, cursorOf(from), most), most, sum, act);
}
