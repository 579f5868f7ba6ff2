import { randomUUID } from "node:crypto";
import type { Receipt } from "../../../src/inbox/rules/receipt.ts";

/** A webhook as it is stored when it arrives (ms), not processed yet unless the test says so. */
export function waitingReceipt(body: object, receivedAt: number, change: Partial<Receipt> = {}): Receipt {
  return {
    id: `rcp_${randomUUID()}`,
    environment: "production",
    digest: randomUUID(),
    body: JSON.stringify(body),
    receivedAt,
    state: "waiting",
    attempts: 0,
    nextTryAt: receivedAt,
    reason: null,
    ...change,
  };
}
