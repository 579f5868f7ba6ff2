import { openClassrooms } from "../classroom/open-classrooms.ts";
import { type AccountId, isAccountId } from "../domain/account.ts";
import { countReceipts, type ReceiptFilter, replayReceipt, replayReceipts } from "../inbox/find-receipts.ts";
import { type ReceiptState, receiptStates } from "../inbox/rules/receipt.ts";
import { systemClock } from "../kernel/clock.ts";
import { createLogger } from "../kernel/logger.ts";
import { outsideLookup } from "../lms/outside-fetch.ts";
import { connectWebhooks } from "../modules/accounts/change-accounts.ts";
import { accountNamed } from "./account-commands.ts";
import {
  type Answer,
  type Command,
  type CommandTools,
  operatorParts,
  timeOf,
  UsageError,
} from "./command.ts";

export const setWebhooks: Command = async (tools) => {
  const parts = await operatorParts(tools);
  const { config, accounts, throttle: throttleStore, addresses, clock, ids } = parts;
  const { id: account, name } = accountNamed(tools.values, accounts);
  const { classroomOf } = await openClassrooms({
    config,
    accounts,
    throttleStore,
    addresses,
    clock,
    ids,
    logger: createLogger("silent"),
    outsideLookup: outsideLookup(config),
  });
  const { publicUrl } = config;
  const { url, confirmed } = await connectWebhooks({ ...parts, publicUrl, classroomOf }, account);
  const done = `The classroom of ${name} now sends its webhooks to ${url}, with the secret that is configured here.`;
  const unsure = `The classroom of ${name} took ${url} for its webhooks, but its answer does not confirm the address. Check in the classroom: Settings > API & Integrations > Webhooks, address ${url}, and the secret of this account.`;
  return { text: confirmed ? done : unsure, json: { account, url, confirmed } };
};

export const replay: Command = async (tools, ...[id, ...rest]) => {
  if (rest.length > 0) throw new UsageError("Give one id, or --state and what else narrows it down.");
  return id === undefined ? replayMany(tools) : replayOne(tools, id);
};

async function replayOne(tools: CommandTools, id: string): Promise<Answer> {
  const narrowed = ["state", "family", "account", "since", "until", "reason", "text"] as const;
  if (tools.values["dry-run"] || narrowed.some((name) => tools.values[name] !== undefined))
    throw new UsageError("An id is given alone; the other options are for many.");
  const replayed = await replayReceipt(await operatorParts(tools), id);
  const text = replayed
    ? `${id} is processed again within seconds, if the tool runs.`
    : `${id} is being processed right now and was left alone.`;
  return { text, json: { id, replayed } };
}

async function replayMany(tools: CommandTools): Promise<Answer> {
  const filter = filterOf(tools.values);
  const parts = await operatorParts(tools);
  if (tools.values["dry-run"]) {
    const { matched } = await countReceipts(parts, filter, { limit: Infinity });
    return {
      text: `${webhooks(matched)} would be processed again.`,
      json: { matched, replayed: 0, busy: 0 },
    };
  }
  const { matched, replayed, busy } = await replayReceipts(parts, filter, { limit: Infinity });
  const left = busy === 0 ? "" : ` ${webhooks(busy)} being processed right now: left alone.`;
  return {
    text: `${webhooks(replayed)} to be processed again, behind what is new.${left}`,
    json: { matched, replayed, busy },
  };
}

function webhooks(count: number): string {
  return count === 1 ? "1 webhook" : `${count} webhooks`;
}

/** @throws UsageError. A state is required, so nobody replays everything by mistake. */
function filterOf(values: CommandTools["values"]): ReceiptFilter {
  if (values.state === undefined) throw new UsageError("Which ones? Give an id, or --state failed.");
  const now = systemClock.now();
  const since = values.since === undefined ? null : timeOf(values.since, "--since", now);
  const until = values.until === undefined ? null : timeOf(values.until, "--until", now);
  return {
    states: statesOf(values.state),
    environment: accountOf(values),
    family: values.family ?? null,
    since,
    until,
    code: values.reason ?? null,
    text: values.text ?? null,
  };
}

function statesOf(text: string): ReceiptState[] {
  return text.split(",").map((word) => {
    const state = receiptStates.find((one) => one === word);
    if (state === undefined) throw new UsageError(`--state is one or more of ${receiptStates.join(", ")}.`);
    return state;
  });
}

/** It may be gone by now, though its webhooks are still stored. */
function accountOf({ account }: CommandTools["values"]): AccountId | null {
  if (account === undefined) return null;
  if (isAccountId(account)) return account;
  throw new UsageError(`--account is the id of an account, not ${account}.`);
}
