import type { UnknownWebhooks, UnknownWebhookStore } from "../../storage/unknown-webhook-store.ts";

/**
 * Names of webhooks that the document does not list, with how many of each were kept and when the first and the last one came;
 * the one that came last first. A few hundred at most.
 */
export async function listUnknownWebhooks(deps: {
  unknownWebhooks: Pick<UnknownWebhookStore, "list">;
}): Promise<UnknownWebhooks[]> {
  return deps.unknownWebhooks.list();
}
