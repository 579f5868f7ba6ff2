import { isOfTheErased } from "../../domain/erasure.ts";
import type { Receipt } from "../../domain/receipt.ts";
import { readWebhook, type Webhook } from "../../domain/webhook.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { TombstoneStore } from "../../storage/erasure-tombstone-store.ts";
import type { PrivacyReceiptStore } from "../../storage/privacy-receipt-store.ts";
import { everybodyWithUser, type WhoAttendedDeps } from "../attendance/who-attended.ts";
import { verdictFor, withoutUsers } from "./redact-receipts.ts";

export type RedactLateDeps = WhoAttendedDeps & {
  tombstones: Pick<TombstoneStore, "buriedUsers">;
  privacyReceipts: Pick<PrivacyReceiptStore, "rewrite">;
  clock: Clock;
};

/**
 * What may take effect of a webhook that comes after somebody was erased, of whatever family it is: nothing of one that is
 * about them (null), and of one that only names them, what it says without their id; its body is written anew then. Costs
 * nothing while nobody was erased.
 */
export async function redactLate<Read extends { receipt: Receipt; webhook: Webhook }>(
  deps: RedactLateDeps,
  read: Read,
): Promise<{ receipt: Receipt; webhook: Webhook } | null> {
  const { receipt, webhook } = read;
  const { environment, body } = receipt;
  const marks = await deps.tombstones.buriedUsers(environment, () => textsIn(body), deps.clock.now());
  const erased: string[] = [];
  for (const { userId, registrationId, ...mark } of marks) {
    const people = await everybodyWithUser(deps, environment, userId);
    // Who is also somebody of another LMS was not erased there; where the course says which it is, attendance sees to it.
    if (people.some((one) => one.registrationId !== registrationId)) continue;
    const told = { known: people.length > 0, heldUntil: null, at: atOf(webhook) };
    if (isOfTheErased(mark, told)) erased.push(userId);
  }
  const verdict = verdictFor(body, erased);
  if (verdict.kind === "stays") return read;
  if (verdict.kind === "goes") return null;
  const without = withoutUsers(body, verdict.userIds);
  await deps.privacyReceipts.rewrite(receipt, without);
  return { receipt: { ...receipt, body: without }, webhook: readWebhook(JSON.parse(without)) };
}

function atOf(webhook: Webhook): number | null {
  if (webhook.family === "ATTENDANCE") return webhook.observation.at;
  return "at" in webhook ? webhook.at : null;
}

/** Ids are no longer than this; a body may hold long texts, too. */
const longestId = 255;
/** More texts than this no webhook of the document has. */
const most = 500;

/** Every text in a body that may be a user's id. */
function textsIn(body: string): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === "string" && value.length <= longestId && found.size < most) found.add(value);
    else if (Array.isArray(value)) value.forEach(look);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(look);
  };
  try {
    look(JSON.parse(body));
  } catch {
    return [];
  }
  return [...found];
}
