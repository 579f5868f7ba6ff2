import { buildClassrooms } from "../build-classrooms.ts";
import { systemClock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { randomIds } from "../kernel/ids.ts";
import { createLogger } from "../kernel/logger.ts";
import type { Command } from "./command.ts";
import { environmentOf } from "./environment-of.ts";

/** webhooks connect: sets this tool's receiver at the service, with the current secret. */
export const connectWebhooks: Command = async (tools) => {
  const config = tools.config();
  const environment = environmentOf(tools.values.environment, config);
  const url = `${config.publicUrl}/webhooks/${environment}`;
  const [secret] = config.environments[environment]?.webhookSecrets ?? [];
  if (secret === undefined) throw new Error(`${environment} has no webhook secret`);
  const classrooms = await buildClassrooms({
    config,
    stores: await tools.stores(),
    fetch,
    clock: systemClock,
    ids: randomIds,
    logger: createLogger("silent"),
  });
  try {
    await classrooms.clientOf(environment).configureWebhook({ url, secret }, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    throw new NamedError(
      thrown.code,
      `${thrown.message}\nThe same can be set by hand: in the classroom, Settings > API & Integrations > Webhooks, address ${url}, and the secret of this environment.`,
      { cause: thrown },
    );
  }
  return {
    text: `The ${environment} classroom now sends its webhooks to ${url}, with the secret that is configured here.`,
    json: { environment, url },
  };
};
