import type { App } from "../../app.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { readWebhook, type Webhook } from "../../inbox/rules/webhook.ts";
import { erasedUsers, type ErasedUsersDeps } from "./erased-users.ts";
import { withoutUsers } from "./redact-receipts.ts";

export type RedactLateDeps = ErasedUsersDeps & Pick<App, "privacyReceipts">;

/**
 * What of a webhook may take effect after an erasure: nothing of one about an erased person (null); one that only names
 * them is stored and returned without their id. Costs nothing while nobody was erased.
 */
export async function redactLate(
  deps: RedactLateDeps,
  read: { receipt: Receipt; webhook: Webhook },
): Promise<{ receipt: Receipt; webhook: Webhook } | null> {
  const { receipt, webhook } = read;
  const { environment, body } = receipt;
  const erased = await erasedUsers(deps, environment, () => textsIn(body), atOf(webhook));
  if (erased.length === 0) return read;
  // Nothing of it has an effect, so all of it may go.
  if (webhook.family === "other" || webhook.family === "unreadable") return null;
  if ("userId" in webhook && erased.includes(webhook.userId)) return null;
  const without = withoutUsers(body, erased);
  await deps.privacyReceipts.rewrite(receipt, without);
  return {
    receipt: { ...receipt, body: without },
    webhook: readWebhook(JSON.parse(without), receipt.receivedAt),
  };
}

function atOf(webhook: Webhook): number | null {
  if (webhook.family === "ATTENDANCE") return webhook.observation.at;
  return "at" in webhook ? webhook.at : null;
}

/** No id is longer; a body may hold long texts, too. */
const maxIdCharacters = 255;
/** No webhook of the document has more texts. */
const maxRows = 500;

function textsIn(body: string): string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === "string" && value.length <= maxIdCharacters && found.size < maxRows)
      found.add(value);
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
