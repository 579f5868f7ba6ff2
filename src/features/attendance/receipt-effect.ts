import type { Course, Person } from "../../domain/course.ts";
import type { Receipt } from "../../domain/receipt.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { ReceiptOutcome } from "../../storage/receipt-store.ts";
import { noteEvent, type NoteEventDeps } from "../scheduling/note-event.ts";
import type { ReadReceipt } from "./group-receipts.ts";
import { recordObservation, type RecordAttendanceDeps } from "./record-attendance.ts";

export type ReceiptEffectDeps = RecordAttendanceDeps & NoteEventDeps;

/** What became of a receipt, and whose score is to be computed before that may be written down. */
export type ReceiptEffect = {
  receipt: Receipt;
  outcome: ReceiptOutcome;
  graded: { course: Course; person: Person } | null;
};

const minute = 60_000;
/** An unmatched receipt is looked at again after these delays (the last one repeats), for two weeks. */
const unmatchedDelays = [5_000, 30_000, 5 * minute, 30 * minute, 360 * minute];
const unmatchedFor = 14 * 24 * 60 * minute;
const givesUpAfter = 200;

/** Lets a claimed receipt take effect, all but the score. Never throws; repeating it changes nothing. */
export async function receiptEffect(deps: ReceiptEffectDeps, read: ReadReceipt): Promise<ReceiptEffect> {
  try {
    return await actOn(deps, read);
  } catch (thrown) {
    return failedEffect(deps, read.receipt, thrown);
  }
}

/** What becomes of a receipt whose processing failed: it is tried again, ever more rarely. */
export function failedEffect(
  { clock }: Pick<ReceiptEffectDeps, "clock">,
  receipt: Receipt,
  thrown: unknown,
): ReceiptEffect {
  const now = clock.now();
  const reason = thrown instanceof NamedError ? thrown.message : `Unexpected: ${messageOf(thrown)}`;
  if (receipt.attempts >= givesUpAfter) return settled(receipt, { state: "failed", reason, nextTryAt: now });
  const delay = Math.min(2 ** Math.min(receipt.attempts, 10) * 1_000, 10 * minute);
  return settled(receipt, { state: "waiting", reason, nextTryAt: now + delay });
}

async function actOn(deps: ReceiptEffectDeps, { receipt, webhook }: ReadReceipt): Promise<ReceiptEffect> {
  const now = deps.clock.now();
  switch (webhook.family) {
    case "unreadable":
      return settled(receipt, { state: "failed", reason: webhook.problem, nextTryAt: now });
    case "SCHEDULE": {
      const { environment, receivedAt } = receipt;
      const { eventId, eventType, at, recurring } = webhook;
      const event = await noteEvent(deps, {
        environment,
        eventId,
        eventType,
        at: at ?? receivedAt,
        recurring,
      });
      // Sessions of Spaces that are no course's are the classroom's own matter.
      const state = event?.courseId == null ? "kept" : "done";
      return settled(receipt, { state, reason: null, nextTryAt: now });
    }
    case "other":
      return settled(receipt, { state: "kept", reason: null, nextTryAt: now });
    case "ATTENDANCE": {
      const { eventId, userId, observation } = webhook;
      const { environment } = receipt;
      const result = await recordObservation(deps, { environment, eventId, userId, observation });
      if (result.kind === "unmatched") return settled(receipt, unmatched(receipt, result.reason, now));
      const { course, person } = result;
      const outcome = { state: "done", reason: null, nextTryAt: now } as const;
      return { receipt, outcome, graded: { course, person } };
    }
  }
}

function unmatched({ receivedAt, attempts }: Receipt, reason: string, now: number): ReceiptOutcome {
  if (now - receivedAt > unmatchedFor) return { state: "failed", reason, nextTryAt: now };
  const delay = unmatchedDelays[Math.min(attempts, unmatchedDelays.length) - 1] ?? minute;
  return { state: "unmatched", reason, nextTryAt: now + delay };
}

function settled(receipt: Receipt, outcome: ReceiptOutcome): ReceiptEffect {
  return { receipt, outcome, graded: null };
}
