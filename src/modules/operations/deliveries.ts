import type { App } from "../../app.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import type { DeliveryStore } from "../grading/store/delivery-store.ts";
import type { PageCursor } from "../../storage/records.ts";
import { type BatchOptions, cursorOf, cursorText, defaultBatchLimit, inBatches } from "./paging.ts";

/** `reason`: the code of why it is in its state. `person`: their name, where it is known. */
export type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>["rows"][number];

const pageSize = 50;
const maxLooked = 5_000;

/** Latest tried first. @param from Where the page before ended; null for the first one. */
export async function listDeliveries(
  app: Pick<App, "deliveries" | "courses" | "people">,
  filter: DeliveryFilter,
  from: string | null,
) {
  const listed: Delivery[] = [];
  let looked = 0;
  let next: PageCursor | null = null;
  for await (const { found, looked: some, cursor } of findDeliveries(app, filter, cursorOf(from))) {
    listed.push(...found);
    looked += some;
    const last = listed.length > pageSize ? listed[pageSize - 1] : undefined;
    if (last !== undefined) next = { at: last.nextTryAt, id: last.id };
    else if (looked >= maxLooked) next = cursor;
    if (next !== null) break;
  }
  const rows = listed.slice(0, pageSize);
  const courses = byId(
    (await app.courses.listMany([...new Set(rows.map(({ courseId }) => courseId))])).map(
      ({ course }) => course,
    ),
  );
  const people = byId(await app.people.findMany([...new Set(rows.map(({ personId }) => personId))]));
  return {
    rows: rows.map((delivery) => ({
      delivery,
      course: courses.get(delivery.courseId) ?? null,
      person: people.get(delivery.personId)?.name ?? null,
      reason: reasonOf(delivery),
    })),
    next: next === null ? null : cursorText(next),
  };
}

type ScoresApp = AuditApp & Pick<App, "deliveries" | "wake"> & { pauses: Pick<LmsPauses, "tryNow"> };

/** How many fit, how many of them are due now, and where to continue. */
type SentAgain = { matched: number; sent: number; next: string | null };

/**
 * Sends one score again, also one that has arrived.
 * @param within Only one of this registration; any when null.
 * @returns false when it is held by a teacher's grade, or there is nothing to send
 * @throws NamedError score-unknown
 */
export async function sendScoreAgain(app: ScoresApp, id: string, within: string | null): Promise<boolean> {
  const delivery = await app.deliveries.findById(id);
  if (delivery === null || (within !== null && delivery.registrationId !== within))
    throw refusal("score-unknown", { values: { id }, status: 404 });
  const { registrationId } = delivery;
  await app.pauses.tryNow(registrationId);
  if ((await app.deliveries.sendAgain([id], app.clock.now())) === 0) return false;
  await writeAudit(app, { what: "scores-tried-again", registrationId, on: id });
  app.wake("deliveries");
  return true;
}

/** Sends all scores that fit again. Repeatable, also after it broke off. @throws NamedError course-without-lms */
export async function sendScoresAgain(
  app: ScoresApp,
  filter: DeliveryFilter,
  go: BatchOptions = {},
): Promise<SentAgain> {
  const sum: SentAgain = { matched: 0, sent: 0, next: null };
  if (filter.registrationId !== null) await app.pauses.tryNow(filter.registrationId);
  try {
    await eachSlice(app, filter, go, sum, async (ids) => {
      if (ids.length > 0) sum.sent += await app.deliveries.sendAgain(ids, app.clock.now());
      app.wake("deliveries");
    });
  } finally {
    const { registrationId, courseId, state, reason } = filter;
    const criteria = Object.entries({ state, course: courseId, reason });
    const words = criteria.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
    const on = [`${sum.sent}:`, ...words].join(" ");
    if (sum.sent > 0) await writeAudit(app, { what: "scores-tried-again", registrationId, on });
  }
  return sum;
}

/** Fitting scores among the first `limit`. @throws NamedError course-without-lms */
export async function countDeliveries(
  app: Pick<ScoresApp, "deliveries">,
  filter: DeliveryFilter,
  go: BatchOptions = {},
): Promise<Pick<SentAgain, "matched" | "next">> {
  const sum = { matched: 0, next: null };
  await eachSlice(app, filter, go, sum, () => Promise.resolve());
  return sum;
}

async function eachSlice(
  app: Pick<ScoresApp, "deliveries">,
  filter: DeliveryFilter,
  { limit = defaultBatchLimit, from = null }: BatchOptions,
  sum: Pick<SentAgain, "matched" | "next">,
  act: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  if (filter.courseId !== null && filter.registrationId === null)
    throw refusal("course-without-lms", { status: 400 });
  await inBatches(findDeliveries(app, filter, cursorOf(from), limit), limit, sum, act);
}

/** Null leaves everything in. */
export type DeliveryFilter = {
  state: Exclude<Delivery["state"], "idle">;
  registrationId: string | null;
  /** Sending many again needs `registrationId`, too. */
  courseId: string | null;
  /** The code of why it was refused, or waits. */
  reason: string | null;
};

/** `looked`: rows read; `found`: those that fit; `cursor`: where the next page begins. */
type DeliveriesLookedAt = { found: Delivery[]; looked: number; cursor: PageCursor };

const batchSize = 500;

/** Why a score is in its state, as a code; null for nothing to say. */
function reasonOf({ state, refusal, reason }: Pick<Delivery, "state" | "refusal" | "reason">): string | null {
  return state === "refused" ? refusal : state === "waiting" ? (reason ?? null) : null;
}

/**
 * The scores of one state in batches of at most `batch`, latest tried first.
 * @param after Where to continue; null for the beginning.
 */
async function* findDeliveries(
  { deliveries }: { deliveries: Pick<DeliveryStore, "queue"> },
  { state, registrationId, courseId, reason }: DeliveryFilter,
  after: PageCursor | null = null,
  batch = batchSize,
): AsyncGenerator<DeliveriesLookedAt> {
  const within =
    registrationId === null ? null : { registrationId, ...(courseId === null ? {} : { courseId }) };
  const fits = (one: Delivery) =>
    (courseId === null || one.courseId === courseId) && (reason === null || reasonOf(one) === reason);
  const limit = Math.min(batchSize, batch);
  for (let cursor = after; ;) {
    const some = await deliveries.queue(state, within, cursor, limit);
    const last = some.at(-1);
    if (last === undefined) return;
    cursor = { at: last.nextTryAt, id: last.id };
    yield { found: some.filter(fits), looked: some.length, cursor };
    if (some.length < limit) return;
    await letOthersRun();
  }
}
