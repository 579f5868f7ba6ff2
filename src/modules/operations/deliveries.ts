import type { App } from "../../app.ts";
import { byId } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import type { Delivery } from "../grading/rules/delivery.ts";
import type { DeliveryStore } from "../grading/store/delivery-store.ts";
import type { PageCursor } from "../../storage/records.ts";
import { type BatchOptions, countFound, inBatches, searchPage } from "./paging.ts";

/** `reason`: the code of why it's in its state. `person`: their name, if known. */
export type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>["rows"][number];

const pageSize = 50;
const maxLooked = 5_000;

/** Latest tried first. @param from Where the page before ended. Null for the first page. */
export async function listDeliveries(
  app: Pick<App, "deliveries" | "courses" | "people">,
  filter: DeliveryFilter,
  from: string | null,
) {
  const { rows, next } = await searchPage(foundDeliveries(app, filter), from, { pageSize, maxLooked });
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
    next,
  };
}

type ScoresApp = AuditApp & Pick<App, "deliveries" | "wake"> & { pauses: Pick<LmsPauses, "tryNow"> };

/** How many match, how many of them are due now, and where to continue. */
type SentAgain = { matched: number; sent: number; next: string | null };

/**
 * Sends one score again, even if it has arrived.
 * @param within Only a score of this registration. Null: of any.
 * @returns false if a teacher's grade holds it, or there is nothing to send
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

/** Sends all scores that match again. Repeatable, even after it broke off. @throws NamedError course-without-lms */
export async function sendScoresAgain(
  app: ScoresApp,
  filter: DeliveryFilter,
  go: BatchOptions = {},
): Promise<SentAgain> {
  refuseWithoutLms(filter);
  const sum: SentAgain = { matched: 0, sent: 0, next: null };
  if (filter.registrationId !== null) await app.pauses.tryNow(filter.registrationId);
  try {
    await inBatches(foundDeliveries(app, filter), go, sum, async (ids) => {
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

/** Counts matching scores among the first `limit`. @throws NamedError course-without-lms */
export async function countDeliveries(
  app: Pick<ScoresApp, "deliveries">,
  filter: DeliveryFilter,
  go: BatchOptions = {},
): Promise<Pick<SentAgain, "matched" | "next">> {
  refuseWithoutLms(filter);
  return countFound(foundDeliveries(app, filter), go);
}

function refuseWithoutLms({ courseId, registrationId }: DeliveryFilter): void {
  if (courseId !== null && registrationId === null) throw refusal("course-without-lms", { status: 400 });
}

/** Null doesn't filter. */
export type DeliveryFilter = {
  state: Exclude<Delivery["state"], "idle">;
  registrationId: string | null;
  /** Sending many again also needs `registrationId`. */
  courseId: string | null;
  /** The code of why it was refused, or waits. */
  reason: string | null;
};

const batchSize = 500;

/** Why a score is in its state, as a code, or null if there is nothing to say. */
function reasonOf({ state, refusal, reason }: Pick<Delivery, "state" | "refusal" | "reason">): string | null {
  if (state === "refused") return refusal;
  return state === "waiting" ? (reason ?? null) : null;
}

/** The scores of one state that match, latest tried first. */
function foundDeliveries(
  { deliveries }: { deliveries: Pick<DeliveryStore, "queue"> },
  { state, registrationId, courseId, reason }: DeliveryFilter,
) {
  const within =
    registrationId === null ? null : { registrationId, ...(courseId === null ? {} : { courseId }) };
  return {
    batch: batchSize,
    read: (after: PageCursor | null, limit: number) => deliveries.queue(state, within, after, limit),
    cursorOf: ({ nextTryAt: at, id }: Delivery) => ({ at, id }),
    fits: (one: Delivery) =>
      (courseId === null || one.courseId === courseId) && (reason === null || reasonOf(one) === reason),
  };
}
