import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { ReceiptStore } from "../../storage/receipt-store.ts";

export type CheckReadinessDeps = {
  ping: () => Promise<void>;
  receipts: Pick<ReceiptStore, "oldestWaiting">;
  deliveries: Pick<DeliveryStore, "oldestWaiting">;
  /** Age (ms) of the oldest unsent score from which it is an alarm. */
  unsentAlarmAfter: number;
  clock: Clock;
};

/** Age (ms) of the oldest unprocessed webhook from which it is an alarm. */
const receiptAlarmAfter = 10 * 60_000;
const pingLasts = 3_000;

export type Readiness = { ready: boolean; problems: { what: string; message: string }[] };

/** Whether the tool can do its work now; every reason why not is named. */
export async function checkReadiness(deps: CheckReadinessDeps): Promise<Readiness> {
  const problems: Readiness["problems"] = [];
  try {
    await inTime(deps.ping(), pingLasts);
    const now = deps.clock.now();
    const receipt = await inTime(deps.receipts.oldestWaiting(), pingLasts);
    const score = await inTime(deps.deliveries.oldestWaiting(), pingLasts);
    if (receipt !== null && now - receipt > receiptAlarmAfter) {
      problems.push({
        what: "receipts",
        message: `The oldest unprocessed webhook waits since ${iso(receipt)}.`,
      });
    }
    if (score !== null && now - score > deps.unsentAlarmAfter) {
      problems.push({ what: "scores", message: `The oldest unsent score waits since ${iso(score)}.` });
    }
  } catch (thrown) {
    problems.push({ what: "store", message: `The database does not answer: ${messageOf(thrown)}` });
  }
  return { ready: problems.length === 0, problems };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${ms} ms`));
  }, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
