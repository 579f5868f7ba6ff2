import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { ReceiptStore } from "../../storage/receipt-store.ts";
import { inTime } from "./in-time.ts";

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

/** Something an operator must see to: what it is about, for machines, and a sentence that says what to do. */
export type Trouble = { what: TroubleName; message: string };

/** Everything that can be wrong; the first four make the tool unready, the rest are warnings. */
export const troubleNames = [
  "store",
  "receipts",
  "scores",
  "process",
  "webhooks",
  "clock",
  "failed-webhooks",
  "refused-scores",
  "jobs",
] as const;
export type TroubleName = (typeof troubleNames)[number];

export type Readiness = { ready: boolean; problems: Trouble[] };

/** Whether the tool can do its work now; every reason why not is named. */
export async function checkReadiness(deps: CheckReadinessDeps): Promise<Readiness> {
  const problems: Trouble[] = [];
  try {
    await inTime(deps.ping(), pingLasts);
    const now = deps.clock.now();
    const receipt = await inTime(deps.receipts.oldestWaiting(), pingLasts);
    const score = await inTime(deps.deliveries.oldestWaiting(), pingLasts);
    if (receipt !== null && now - receipt > receiptAlarmAfter) {
      problems.push({
        what: "receipts",
        message: `The oldest unprocessed webhook waits since ${iso(receipt)}. Look at the log for "a worker's step failed" and for failed calls to the classroom; "npm run doctor" says what to mend there.`,
      });
    }
    if (score !== null && now - score > deps.unsentAlarmAfter) {
      problems.push({
        what: "scores",
        message: `The oldest unsent score waits since ${iso(score)}. Find its LMS under /admin, or with "npm run cli -- platform test ID", and mend what it names; the scores go by themselves then.`,
      });
    }
  } catch (thrown) {
    problems.push({
      what: "store",
      message: `The database does not answer: ${messageOf(thrown)}. Check DATABASE_URL and the database itself; the tool goes on by itself when it is back.`,
    });
  }
  return { ready: problems.length === 0, problems };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
