import type { AccountId } from "../../domain/account.ts";
import { messageOf } from "../../kernel/errors.ts";
import { inTime } from "../../kernel/in-time.ts";

export type CheckReadinessDeps = {
  ping: () => Promise<void>;
};

const pingTimeoutMs = 3_000;

/** For operators: what it is about, for machines, and a sentence with what to do. */
export type Trouble = {
  what: TroubleName;
  message: string;
  /** The classroom account it is about; left out: of none in particular. */
  account?: AccountId;
};

/** The first two make this process unready, the others are warnings. */
export const troubleNames = [
  "store",
  "process",
  "receipts",
  "scores",
  "webhooks",
  "webhooks-refused",
  "clock",
  "failed-webhooks",
  "refused-scores",
  "jobs",
  "restored",
  "audit-log",
] as const;
export type TroubleName = (typeof troubleNames)[number];

export type Readiness = { ready: boolean; problems: Trouble[] };

/** Can this process read and write its store? Not more: a balancer would take all processes out of service at once. */
export async function checkReadiness({ ping }: CheckReadinessDeps): Promise<Readiness> {
  try {
    await inTime(ping(), pingTimeoutMs);
    return { ready: true, problems: [] };
  } catch (thrown) {
    const message = `The database cannot be read or written: ${messageOf(thrown)}. Check DATABASE_URL, the database itself and its disk; the tool goes on by itself when it is back.`;
    return { ready: false, problems: [{ what: "store", message }] };
  }
}
