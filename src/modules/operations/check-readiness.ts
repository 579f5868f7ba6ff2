import type { AccountId } from "../../domain/account.ts";
import type { App } from "../../app.ts";
import { inStepMs } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { inTime } from "../../kernel/async.ts";

export type CheckReadinessDeps = {
  ping: () => Promise<void>;
  storeTime: Pick<App["storeTime"], "lead">;
};

const pingTimeoutMs = 3_000;

/** For operators: what it is about, for machines, and a sentence with what to do. */
export type Trouble = {
  what: TroubleName;
  message: string;
  /** The classroom account it is about; left out: of none in particular. */
  account?: AccountId;
};

/** The first three make this process unready, the others are warnings. */
export const troubleNames = [
  "store",
  "process",
  "clock",
  "receipts",
  "scores",
  "webhooks",
  "webhooks-refused",
  "failed-webhooks",
  "refused-scores",
  "jobs",
] as const;
export type TroubleName = (typeof troubleNames)[number];

export type Readiness = { ready: boolean; problems: Trouble[] };

/**
 * Can this process read and write its store, and does its clock agree with it? Not more: a balancer would take all
 * processes out of service at once.
 */
export async function checkReadiness({ ping, storeTime }: CheckReadinessDeps): Promise<Readiness> {
  try {
    await inTime(ping(), pingTimeoutMs);
    const clock = wrongClock(storeTime.lead());
    return { ready: clock === null, problems: clock === null ? [] : [clock] };
  } catch (thrown) {
    const message = `The database cannot be read or written: ${messageOf(thrown)}. Check DATABASE_URL, the database itself and its disk; the tool goes on by itself when it is back.`;
    return { ready: false, problems: [{ what: "store", message }] };
  }
}

function wrongClock({ ms, doubtMs }: ReturnType<App["storeTime"]["lead"]>): Trouble | null {
  if (Math.abs(ms) + doubtMs <= inStepMs) return null;
  const seconds = (Math.abs(ms) / 1_000).toFixed(1);
  const doubt = doubtMs < 100 ? "" : `, give or take ${(doubtMs / 1_000).toFixed(1)} s`;
  return {
    what: "clock",
    message: `This machine's clock is ${seconds} s ${ms > 0 ? "ahead of" : "behind"} the database's time${doubt}. Set the clocks of this machine and of the database's by NTP, such as chrony or systemd-timesyncd. The tool works by the database's time meanwhile, and follows a clock that was set within a few minutes.`,
  };
}
