import type { App } from "../../app.ts";
import { erasedId } from "../../domain/held-record.ts";
import type { AccountId } from "../../domain/account.ts";
import { readWebhook } from "../../inbox/rules/webhook.ts";
import type { ReceiptBody } from "./store/privacy-receipt-store.ts";
import type { EraseStep } from "./erase-step.ts";

export type RedactReceiptsDeps = Pick<App, "privacyReceipts">;

/** A body stays, goes, or loses a user's id. */
export type BodyVerdict =
  { kind: "stays" } | { kind: "goes" } | { kind: "without"; userIds: readonly string[] };

const batchSize = 500;

/**
 * Goes through all webhooks of an environment, for no index finds a user in a body.
 * @param judge Verdicts on the bodies of a batch, in their order.
 */
export function redactStep(
  { privacyReceipts }: RedactReceiptsDeps,
  environment: AccountId,
  judge: (bodies: readonly ReceiptBody[]) => Promise<BodyVerdict[]>,
): EraseStep {
  return {
    key: "webhooks",
    run: async (cursor) => {
      const bodies = await privacyReceipts.listBodies(environment, cursor, batchSize);
      const verdicts = await judge(bodies);
      const gone: string[] = [];
      let erased = 0;
      for (const [at, receipt] of bodies.entries()) {
        const verdict = verdicts[at];
        if (verdict?.kind === "goes") gone.push(receipt.id);
        if (verdict?.kind !== "without") continue;
        await privacyReceipts.rewrite(receipt, withoutUsers(receipt.body, verdict.userIds));
        erased += 1;
      }
      if (gone.length > 0) await privacyReceipts.redact(gone);
      erased += gone.length;
      return { erased, cursor: bodies.length < batchSize ? null : (bodies.at(-1)?.digest ?? null) };
    },
  };
}

/** Whether a body has one of these as a value of its own. */
export function names(body: string, ids: readonly string[]): boolean {
  return ids.some((id) => body.includes(JSON.stringify(id)));
}

/** A body about erased users goes; one that only names them loses their ids. */
export function verdictFor(body: string, userIds: readonly string[]): BodyVerdict {
  const named = userIds.filter((id) => names(body, [id]));
  if (named.length === 0) return { kind: "stays" };
  const { userId } = aboutOf(body);
  return userId === null || named.includes(userId) ? { kind: "goes" } : { kind: "without", userIds: named };
}

/** Null where it names none, or cannot be read. */
export function aboutOf(body: string): { userId: string | null; eventId: string | null } {
  // Its time plays no part.
  const webhook = readWebhook(jsonOf(body), 0);
  return {
    userId: "userId" in webhook ? webhook.userId : null,
    eventId: "eventId" in webhook ? webhook.eventId : null,
  };
}

/** Replaces users' ids by another word. */
export function withoutUsers(body: string, userIds: readonly string[]): string {
  return userIds.reduce((text, id) => text.replaceAll(JSON.stringify(id), JSON.stringify(erasedId)), body);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
