import type { Receipt } from "../../domain/receipt.ts";
import { readWebhook, type Webhook } from "../../domain/webhook.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ReceiptOutcome, ReceiptStore } from "../../storage/receipt-store.ts";
import { claimLasts, withClaim } from "../with-claim.ts";
import { noteEvent, type NoteEventDeps } from "../scheduling/note-event.ts";
import { recordAttendance, type RecordAttendanceDeps } from "./record-attendance.ts";

export type ProcessReceiptDeps = RecordAttendanceDeps &
  NoteEventDeps & { receipts: ReceiptStore; logger: Logger };

const minute = 60_000;
/** An unmatched receipt is looked at again after these delays (the last one repeats), for two weeks. */
const unmatchedDelays = [5_000, 30_000, 5 * minute, 30 * minute, 360 * minute];
const unmatchedFor = 14 * 24 * 60 * minute;
const givesUpAfter = 200;

/**
 * Claims the receipt that is due longest and lets it take effect. A crash leaves the claim to run out and the
 * receipt to be processed again, which changes nothing when it had taken effect already.
 * @returns false when no receipt is due.
 */
export async function processReceipt(deps: ProcessReceiptDeps): Promise<boolean> {
  const holder = deps.ids.id("hold");
  const now = deps.clock.now();
  const receipt = await deps.receipts.claimDue(holder, now, now + claimLasts);
  if (receipt === null) return false;
  const outcome = await withClaim(
    deps,
    (until) => deps.receipts.extend(receipt.id, holder, until),
    () => effectOf(deps, receipt),
  );
  await deps.receipts.settle(receipt.id, holder, outcome);
  deps.logger.info(
    { receipt: receipt.id, state: outcome.state, reason: outcome.reason },
    "webhook processed",
  );
  return true;
}

async function effectOf(deps: ProcessReceiptDeps, receipt: Receipt): Promise<ReceiptOutcome> {
  const now = deps.clock.now();
  try {
    return await actOn(deps, receipt, readWebhook(JSON.parse(receipt.body)));
  } catch (thrown) {
    const reason = thrown instanceof NamedError ? thrown.message : `Unexpected: ${messageOf(thrown)}`;
    if (receipt.attempts >= givesUpAfter) return { state: "failed", reason, nextTryAt: now };
    const delay = Math.min(2 ** Math.min(receipt.attempts, 10) * 1_000, 10 * minute);
    return { state: "waiting", reason, nextTryAt: now + delay };
  }
}

async function actOn(deps: ProcessReceiptDeps, receipt: Receipt, webhook: Webhook): Promise<ReceiptOutcome> {
  const now = deps.clock.now();
  switch (webhook.family) {
    case "unreadable":
      return { state: "failed", reason: webhook.problem, nextTryAt: now };
    case "SCHEDULE": {
      const { environment, receivedAt } = receipt;
      const { eventId, eventType, at } = webhook;
      const event = await noteEvent(deps, { environment, eventId, eventType, at: at ?? receivedAt });
      // Sessions of Spaces that are no course's are the classroom's own matter.
      return { state: event?.courseId == null ? "kept" : "done", reason: null, nextTryAt: now };
    }
    case "other":
      return { state: "kept", reason: null, nextTryAt: now };
    case "ATTENDANCE": {
      const { eventId, userId, observation } = webhook;
      const result = await recordAttendance(deps, {
        environment: receipt.environment,
        eventId,
        userId,
        observation,
      });
      if (result.kind === "recorded") return { state: "done", reason: null, nextTryAt: now };
      if (now - receipt.receivedAt > unmatchedFor)
        return { state: "failed", reason: result.reason, nextTryAt: now };
      const delay = unmatchedDelays[Math.min(receipt.attempts, unmatchedDelays.length) - 1] ?? minute;
      return { state: "unmatched", reason: result.reason, nextTryAt: now + delay };
    }
  }
}
