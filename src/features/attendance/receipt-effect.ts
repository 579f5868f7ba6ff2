import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Person } from "../../domain/course.ts";
import { type Matchable, type Receipt, waitKey } from "../../domain/receipt.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { AskedEventStore } from "../../storage/asked-event-store.ts";
import type { ReceiptOutcome, ReceiptStore } from "../../storage/receipt-store.ts";
import { noteCohort, type NoteCohortDeps, unknownCohortEvent } from "../cohorts/note-cohort.ts";
import { noteEvent, type NoteEventDeps } from "../scheduling/note-event.ts";
import type { ReadReceipt } from "./group-receipts.ts";
import type { NoteTold } from "../recordings/note-told.ts";
import { recordObservation, type RecordAttendanceDeps } from "./record-attendance.ts";

export type ReceiptEffectDeps = RecordAttendanceDeps &
  NoteEventDeps &
  NoteCohortDeps & {
    receipts: Pick<ReceiptStore, "retryWaiting">;
    /** What happens with webhooks about recordings, ends of sessions and alerts. */
    noteTold: NoteTold;
    askedEvents: Pick<AskedEventStore, "hasten">;
  };

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
  const { attempts, waitsFor = null, waitsForUser = null } = receipt;
  if (attempts >= givesUpAfter) return settled(receipt, { state: "failed", reason, nextTryAt: now });
  const delay = Math.min(2 ** Math.min(attempts, 10) * 1_000, 10 * minute);
  // Who was unmatched, or had to ask the classroom, does not go before those who need not wait.
  const { state } = receipt;
  return settled(receipt, { state, reason, nextTryAt: now + delay, waitsFor, waitsForUser });
}

async function actOn(deps: ReceiptEffectDeps, { receipt, webhook }: ReadReceipt): Promise<ReceiptEffect> {
  const now = deps.clock.now();
  const became = (state: Receipt["state"], reason: string | null = null) =>
    settled(receipt, { state, reason, nextTryAt: now });
  switch (webhook.family) {
    case "unreadable":
      return became("failed", webhook.problem);
    case "other":
      return became("kept");
    case "SCHEDULE":
      return became(await noteSchedule(deps, receipt, webhook));
    case "SPACE_RECORDING":
    case "SPACE_SESSION":
    case "CONTROL_CENTER_ALERT":
      return became(await deps.noteTold(receipt, webhook));
    case "PROGRAM_AND_COHORT": {
      const { environment, receivedAt } = receipt;
      const noted = await noteCohort(deps, { environment, receivedAt, ...webhook });
      return noted === "noted" ? became("done") : became("kept", unknownCohortEvent(webhook.eventType));
    }
    case "ATTENDANCE":
      return noteAttendance(deps, receipt, webhook);
  }
}

type Told<Family extends Webhook["family"]> = Extract<Webhook, { family: Family }>;

async function noteSchedule(
  deps: ReceiptEffectDeps,
  { environment, receivedAt }: Receipt,
  { eventId, eventType, at, recurring }: Told<"SCHEDULE">,
): Promise<"done" | "kept"> {
  const before = await deps.events.find(environment, eventId);
  const change = { environment, eventId, eventType, at: at ?? receivedAt, recurring };
  const event = await noteEvent(deps, change);
  // Sessions of Spaces that are no course's are the classroom's own matter.
  if (event === null || event.courseId === null) return "kept";
  await retryWaitingFor(deps, event, before);
  return "done";
}

async function noteAttendance(
  deps: ReceiptEffectDeps,
  receipt: Receipt,
  { eventId, userId, observation }: Told<"ATTENDANCE">,
): Promise<ReceiptEffect> {
  const now = deps.clock.now();
  const { environment } = receipt;
  // The classroom speaks of it just now: it may know the event meanwhile.
  if (receipt.state !== "unmatched") await deps.askedEvents.hasten(environment, eventId, now);
  const result = await recordObservation(deps, { environment, eventId, userId, observation });
  if (result.kind === "unmatched")
    return settled(receipt, unmatched(receipt, result.reason, result.waitsFor, now));
  const { course, person } = result;
  return { receipt, outcome: { state: "done", reason: null, nextTryAt: now }, graded: { course, person } };
}

/** The event has become a course's: whatever waited for that is due. */
async function retryWaitingFor(
  { receipts, clock }: Pick<ReceiptEffectDeps, "receipts" | "clock">,
  { environment, eventId }: ClassroomEvent,
  before: ClassroomEvent | null,
): Promise<void> {
  if (before !== null && before.courseId !== null) return;
  const now = clock.now();
  await receipts.retryWaiting({ kind: "event", environment, id: eventId }, now);
  const spaceId = before?.spaceId ?? null;
  if (spaceId !== null) await receipts.retryWaiting({ kind: "space", environment, id: spaceId }, now);
}

function unmatched(
  { receivedAt, attempts }: Receipt,
  reason: string,
  waitsFor: readonly Matchable[],
  now: number,
): ReceiptOutcome {
  const keyOf = (what: Matchable | undefined) => (what === undefined ? null : waitKey(what));
  const waits = {
    waitsFor: keyOf(waitsFor.find(({ kind }) => kind !== "user")),
    waitsForUser: keyOf(waitsFor.find(({ kind }) => kind === "user")),
  };
  if (now - receivedAt > unmatchedFor) return { state: "failed", reason, nextTryAt: now, ...waits };
  const delay = unmatchedDelays[Math.min(attempts, unmatchedDelays.length) - 1] ?? minute;
  return { state: "unmatched", reason, nextTryAt: now + delay, ...waits };
}

function settled(receipt: Receipt, outcome: ReceiptOutcome): ReceiptEffect {
  return { receipt, outcome, graded: null };
}
