import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { type AccountId, isBuiltIn } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { type ChangeAccountsDeps, noteWebhooksConnected } from "./change-accounts.ts";

export type ConnectWebhooksDeps = ChangeAccountsDeps &
  Pick<App, "publicUrl"> & { classroomOf: (account: AccountId) => Pick<ClassroomClient, "configureWebhook"> };

/**
 * Sets our receiver with the current secret in the account's classroom. The reply is not shown; one that does not repeat the address is not `confirmed`.
 * @throws NamedError "account-unknown", "webhooks-not-set", "webhooks-by-hand"
 */
export async function connectWebhooks(
  deps: ConnectWebhooksDeps,
  id: AccountId,
): Promise<{ url: string; confirmed: boolean }> {
  const account = deps.accounts.find(id);
  const [secret] = account?.webhookSecrets ?? [];
  if (account === undefined || secret === undefined)
    throw refusal("account-unknown", { status: 404, values: { account: id } });
  const url = `${deps.publicUrl}/webhooks/${id}`;
  const byHand = `in the classroom, Settings > API & Integrations > Webhooks, address ${url}, and the secret of this account.`;
  const answer = await ask(deps, id, { url, secret }, byHand);
  if (answer === null) throw refusal("webhooks-by-hand", { status: 409, values: { byHand } });
  if (answer.confirmed && !isBuiltIn(id)) await noteWebhooksConnected(deps, id);
  await writeAudit(deps, { what: "webhooks-connected", registrationId: deps.ofRegistration ?? null, on: id });
  return { url, confirmed: answer.confirmed };
}

async function ask(
  { classroomOf }: ConnectWebhooksDeps,
  id: AccountId,
  webhook: { url: string; secret: string },
  byHand: string,
): Promise<{ confirmed: boolean } | null> {
  try {
    return await classroomOf(id).configureWebhook(webhook, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const { status, temporary } = thrown;
    throw refusal("webhooks-not-set", {
      ...{ status, temporary, cause: thrown },
      values: { reason: thrown.message, byHand },
    });
  }
}
