import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { nothingTurned } from "../../../sandbox/assumptions.ts";
import {
  type StandInClassroom,
  startStandInClassroom,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freePort } from "../../../sandbox/tool-process.ts";
import { runCli } from "./run-cli.ts";

/** An institution's own classroom, and the account that the tool has for it. */
export type OwnClassroom = {
  account: string;
  classroom: StandInClassroom;
  apiKey: string;
  webhookSecret: string;
};

/** Starts an institution's own classroom, and has an operator add its account. */
export async function addOwnClassroom(
  variables: Record<string, string>,
  account: string,
): Promise<OwnClassroom> {
  const [apiKey, webhookSecret] = [randomIds.secret(), randomIds.secret()];
  const classroom = await startStandInClassroom({
    port: await freePort(0),
    clock: systemClock,
    logger: createLogger("silent"),
    apiKey,
    webhookSecret,
    spelling: "a",
    turned: nothingTurned,
  });
  classroom.setWebhookUrl(`http://127.0.0.1:${variables["PORT"] ?? ""}/webhooks/${account}`);
  classroom.setEndRedirect({ url: `${variables["PUBLIC_URL"] ?? ""}/ended/${account}` });
  await runCli(variables, [
    "account",
    "add",
    "--id",
    account,
    "--name",
    `College ${account}`,
    "--base-url",
    classroom.apiUrl,
    "--app-url",
    classroom.appUrl,
    // With "=": a secret may begin with a hyphen.
    `--api-key=${apiKey}`,
    `--webhook-secret=${webhookSecret}`,
  ]);
  return { account, classroom, apiKey, webhookSecret };
}
