import type { ClassroomEvent } from "../domain/classroom-event.ts";
import type { Course, Person } from "../domain/course.ts";
import { type Matchable, type Receipt, waitKey } from "./rules/receipt.ts";
import type { Webhook } from "./rules/webhook.ts";
import { webhookKind } from "./rules/webhook-kind.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { AskedEventStore } from "../modules/scheduling/store/asked-event-store.ts";
import type { ReceiptOutcome, ReceiptStore } from "./store/receipt-store.ts";
import { noteCohort, type NoteCohortDeps, unknownCohortEvent } from "../modules/cohorts/note-cohort.ts";
import { endPresence } from "../modules/presence/end-presence.ts";
import { type NoteSignDeps, noteSigns, type ToldSign } from "../modules/presence/note-signs.ts";
import type { SeriesChangeStore } from "../modules/scheduling/store/series-change-store.ts";
import type { PresenceStore } from "../modules/presence/store/presence-store.ts";
import { redactLate, type RedactLateDeps } from "../modules/privacy/redact-late.ts";
import type { TombstoneStore } from "../modules/privacy/store/erasure-tombstone-store.ts";
import { erasedOutcome } from "../modules/members/stays-erased.ts";
import { noteEvent, type NoteEventDeps } from "../modules/scheduling/note-event.ts";
import type { ReadReceipt, ReceiptGroup } from "./group-receipts.ts";
import type { NoteTold } from "./note-told.ts";
import { noteGap, type NoteGapDeps } from "../modules/attendance/look-into-gap.ts";
import { recordObservation, type RecordAttendanceDeps } from "../modules/attendance/record-attendance.ts";

export type ReceiptEffectDeps = RecordAttendanceDeps &
  NoteEventDeps &
  NoteCohortDeps &
  NoteSignDeps &
  RedactLateDeps & {
    tombstones: Pick<TombstoneStore, "find" | "buriedUsers">;
    presences: Pick<PresenceStore, "endSession">;
    seriesChanges: Pick<SeriesChangeStore, "note">;
    receipts: Pick<ReceiptStore, "retryWaiting">;
    /** What happens with webhooks about recordings, ends of sessions and alerts. */
    noteTold: NoteTold;
    askedEvents: Pick<AskedEventStore, "hasten">;
  } & NoteGapDeps;

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

/** As `receiptEffect`, for receipts about the same: in turn, but what was told of one person in one session in one go. */
export async function groupEffects(deps: ReceiptEffectDeps, group: ReceiptGroup): Promise<ReceiptEffect[]> {
  const effects: ReceiptEffect[] = [];
  const signs: (ToldSign & { receipt: Receipt })[] = [];
  for (const read of group) {
    const { receipt, webhook } = read;
    if (webhook.family === "SPACE_USER" && (await isAsItCame(deps, read)))
      signs.push({ receipt, receivedAt: receipt.receivedAt, webhook });
    else effects.push(await receiptEffect(deps, read));
  }
  return [...effects, ...(await signEffects(deps, signs))];
}

/**
 * Whether nothing about somebody who was erased is to be taken out of a receipt. Where that cannot be told, `receiptEffect`
 * asks once more and tells why.
 */
async function isAsItCame(deps: ReceiptEffectDeps, read: ReadReceipt): Promise<boolean> {
  return (await redactLate(deps, read).catch(() => null)) === read;
}

async function signEffects(
  deps: ReceiptEffectDeps,
  signs: readonly (ToldSign & { receipt: Receipt })[],
): Promise<ReceiptEffect[]> {
  const [first] = signs;
  if (first === undefined) return [];
  try {
    const became = await noteSigns(deps, first.receipt.environment, signs);
    const nextTryAt = deps.clock.now();
    return signs.map(({ receipt, webhook }, at) => {
      const [reason = null, code = null] = whyKept(webhook);
      return settled(receipt, { state: became[at] ?? "kept", reason, code, nextTryAt });
    });
  } catch (thrown) {
    return signs.map(({ receipt }) => failedEffect(deps, receipt, thrown));
  }
}

/** Lets a claimed receipt take effect, all but the score. Never throws; repeating it changes nothing. */
export async function receiptEffect(deps: ReceiptEffectDeps, read: ReadReceipt): Promise<ReceiptEffect> {
  try {
    const told = await redactLate(deps, read);
    return told === null ? settled(read.receipt, erasedOutcome(deps.clock.now())) : await actOn(deps, told);
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
  const code = thrown instanceof NamedError ? thrown.code : "unexpected";
  if (attempts >= givesUpAfter) {
    const given = `Given up after ${attempts} attempts. The last one: ${reason}`;
    return settled(receipt, { state: "failed", reason: given, code: "given-up", nextTryAt: now });
  }
  const delay = Math.min(2 ** Math.min(attempts, 10) * 1_000, 10 * minute);
  // Who was unmatched, or had to ask the classroom, does not go before those who need not wait.
  const { state } = receipt;
  return settled(receipt, { state, reason, code, nextTryAt: now + delay, waitsFor, waitsForUser });
}

async function actOn(deps: ReceiptEffectDeps, { receipt, webhook }: ReadReceipt): Promise<ReceiptEffect> {
  const now = deps.clock.now();
  const became = (state: Receipt["state"], reason: string | null = null, code: string | null = null) =>
    settled(receipt, { state, reason, code, nextTryAt: now });
  switch (webhook.family) {
    case "unreadable":
      return became("failed", webhook.problem, "unreadable");
    case "other":
      return became("kept");
    case "SCHEDULE":
      return became(await noteSchedule(deps, receipt, webhook));
    case "SPACE_USER":
      return became(
        (await noteSigns(deps, receipt.environment, [{ ...receipt, webhook }]))[0] ?? "kept",
        ...whyKept(webhook),
      );
    case "SPACE_SESSION":
      return became(await noteSession(deps, receipt, webhook), ...whyKept(webhook));
    case "SPACE_RECORDING":
    case "CONTROL_CENTER_ALERT":
      return became(await deps.noteTold(receipt, webhook));
    case "PROGRAM_AND_COHORT": {
      const { environment, receivedAt } = receipt;
      const noted = await noteCohort(deps, { environment, receivedAt, ...webhook });
      return noted === "noted"
        ? became("done")
        : became("kept", unknownCohortEvent(webhook.eventType), "event-type-unknown");
    }
    case "ATTENDANCE":
      return noteAttendance(deps, receipt, webhook);
  }
}

type Told<Family extends Webhook["family"]> = Extract<Webhook, { family: Family }>;

/** Why a webhook of Spaces has no effect, when its eventType is the reason. */
function whyKept(webhook: Told<"SPACE_USER" | "SPACE_SESSION">): [string?, string?] {
  if (webhookKind(webhook).known) return [];
  const name = webhook.eventType.slice(0, 100);
  return [
    `The eventType "${name}" of ${webhook.family} is not known; the webhook is kept as it came.`,
    "event-type-unknown",
  ];
}

async function noteSession(
  deps: ReceiptEffectDeps,
  receipt: Receipt,
  webhook: Told<"SPACE_SESSION">,
): Promise<"done" | "kept"> {
  const noted = await deps.noteTold(receipt, webhook);
  if (webhook.eventType !== "SESSION_ENDED") return noted;
  const { spaceId, sessionId } = webhook;
  const endedAt = Math.min(webhook.at ?? receipt.receivedAt, receipt.receivedAt);
  // After the end itself was kept: a sign that comes in between finds it there.
  await endPresence(deps, { environment: receipt.environment, spaceId, sessionId }, endedAt);
  return noted;
}

async function noteSchedule(
  deps: ReceiptEffectDeps,
  { environment, receivedAt }: Receipt,
  { eventId, eventType, at, recurring, updatedBy: by }: Told<"SCHEDULE">,
): Promise<"done" | "kept"> {
  const before = await deps.events.find(environment, eventId);
  const change = { environment, eventId, eventType, at: at ?? receivedAt, recurring, by };
  const event = await noteEvent(deps, change);
  // Sessions of Spaces that are no course's are the classroom's own matter.
  if (event === null || event.courseId === null) return "kept";
  if (recurring !== null) {
    const { courseId, title } = event;
    const { at: madeAt } = change;
    await deps.seriesChanges.note({ courseId, eventType, scope: recurring, title, at: madeAt, by }, eventId);
  }
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
  if (result.kind === "erased") return settled(receipt, erasedOutcome(now));
  if (result.kind === "unmatched")
    return settled(receipt, unmatched(receipt, result.reason, result.waitsFor, now));
  const { course, person } = result;
  await noteGap(deps, result, observation);
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
    code: `${waitsFor[0]?.kind ?? "nothing"}-unknown`,
  };
  if (now - receivedAt > unmatchedFor) return { state: "failed", reason, nextTryAt: now, ...waits };
  const delay = unmatchedDelays[Math.min(attempts, unmatchedDelays.length) - 1] ?? minute;
  return { state: "unmatched", reason, nextTryAt: now + delay, ...waits };
}

function settled(receipt: Receipt, outcome: ReceiptOutcome): ReceiptEffect {
  return { receipt, outcome, graded: null };
}
