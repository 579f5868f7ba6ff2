import { openClassrooms } from "../classroom/open-classrooms.ts";
import { createLogger } from "../kernel/logger.ts";
import { connectWebhooks } from "../modules/accounts/connect-webhooks.ts";
import { accountNamed } from "./account-named.ts";
import { type Command, operatorParts } from "./command.ts";

/** webhooks connect [--account ID] */
export const setWebhooks: Command = async (tools) => {
  const parts = await operatorParts(tools);
  const { config, accounts, throttle: throttleStore, addresses, clock, ids } = parts;
  const { id: account, name } = accountNamed(tools.values, accounts);
  const { classroomOf } = await openClassrooms({
    ...{ config, accounts, throttleStore, addresses, clock, ids, logger: createLogger("silent") },
  });
  const { publicUrl } = config;
  const { url, confirmed } = await connectWebhooks({ ...parts, publicUrl, classroomOf }, account);
  const done = `The classroom of ${name} now sends its webhooks to ${url}, with the secret that is configured here.`;
  const unsure = `The classroom of ${name} took ${url} for its webhooks, but its answer does not repeat the address, so nobody knows whether it is set. Look in the classroom: Settings > API & Integrations > Webhooks, address ${url}, and the secret of this account.`;
  return { text: confirmed ? done : unsure, json: { account, url, confirmed } };
};
