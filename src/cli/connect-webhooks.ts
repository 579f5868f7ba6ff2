import { openClassrooms } from "../classroom/open-classrooms.ts";
import { systemClock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { randomIds } from "../kernel/ids.ts";
import { createLogger } from "../kernel/logger.ts";
import type { Command } from "./command.ts";
import { accountNamed } from "./account-named.ts";
import { openAccounts } from "./open-accounts.ts";

/**
 * webhooks connect: sets our receiver with the current secret. The reply is not shown; one that does not repeat the address is unsure.
 */
export const connectWebhooks: Command = async (tools) => {
  const config = tools.config();
  const stores = await tools.stores();
  const accounts = await openAccounts(config, stores);
  const { id: account, name, webhookSecrets } = accountNamed(tools.values, accounts);
  const url = `${config.publicUrl}/webhooks/${account}`;
  const [secret] = webhookSecrets;
  if (secret === undefined) throw new Error(`${account} has no webhook secret`);
  const classrooms = await openClassrooms({
    ...{ config, accounts },
    throttleStore: stores.throttle,
    addresses: stores.addresses,
    clock: systemClock,
    ids: randomIds,
    logger: createLogger("silent"),
  });
  const byHand = `in the classroom, Settings > API & Integrations > Webhooks, address ${url}, and the secret of this account.`;
  let answer: { confirmed: boolean } | null;
  try {
    const client = classrooms.classroomOf(account);
    answer = await client.configureWebhook({ url, secret }, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    throw refusal("webhooks-not-set", { values: { reason: thrown.message, byHand }, cause: thrown });
  }
  if (answer === null) {
    throw refusal("webhooks-by-hand", { values: { byHand } });
  }
  const done = `The classroom of ${name} now sends its webhooks to ${url}, with the secret that is configured here.`;
  const unsure = `The classroom of ${name} took ${url} for its webhooks, but its answer does not repeat the address, so nobody knows whether it is set. Look in the classroom: ${byHand}`;
  return {
    text: answer.confirmed ? done : unsure,
    json: { account, url, confirmed: answer.confirmed },
  };
};
