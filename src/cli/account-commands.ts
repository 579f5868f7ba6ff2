import { readFile } from "node:fs/promises";
import {
  addAccount,
  bindAccount,
  changeAccount,
  endPreviousSecret,
  pauseAccount,
  rotateApiKey,
  rotateWebhookSecret,
} from "../modules/accounts/change-accounts.ts";
import { removeAccount } from "../modules/operations/classroom-accounts.ts";
import { isBuiltIn, serviceLimits } from "../domain/account.ts";
import {
  readAccountChange,
  readApiKey,
  readNewAccount,
  readWebhookSecret,
  type AccountField,
  accountFields,
  type AccountProblem,
  type AccountProblems,
  inputLimits,
  type ReadInput,
} from "../modules/accounts/rules/account-input.ts";
import { type Command, type CommandTools, operatorParts, UsageError, type CommandLine } from "./command.ts";
import type { ClassroomAccount } from "../classroom/account.ts";
import { type Accounts, usualAccount } from "../modules/accounts/known-accounts.ts";

export const listAccounts: Command = async (tools) => {
  const { accounts } = await operatorParts(tools);
  const list = accounts
    .list()
    .map(({ webhookSecrets, dialect, apiKey: _key, ...account }) => ({
      ...account,
      ownDialect: dialect !== null,
      from: isBuiltIn(account.id) ? "variables" : "store",
      webhookSecrets: webhookSecrets.length,
    }));
  const lines = list.map(({ id, name, stage, baseUrl, paused, lacks }) => {
    const working = paused ? "paused" : "on    ";
    return [id, lacks === undefined ? working : `lacks ${lacks}`, stage, baseUrl, name].join("  ");
  });
  const none = "There is no classroom account. Make one with: account add";
  return { text: lines.length === 0 ? none : lines.join("\n"), json: list };
};

export const addOne: Command = async (tools) => {
  const { values } = tools;
  const apiKey = await secretOf(tools, "api-key");
  const given = await secretOf(tools, "webhook-secret");
  const parts = await operatorParts(tools);
  const webhookSecret = given ?? parts.ids.secret(24);
  const input = readOrExplain(
    readNewAccount({
      id: values.id,
      name: values.name ?? values.id,
      stage: values.stage ?? "production",
      baseUrl: values["base-url"],
      appUrl: values["app-url"],
      apiKey,
      webhookSecret,
      ...(await settingsOf(tools)),
    }),
  );
  await addAccount(parts, input);
  const { publicUrl } = parts.config;
  const webhooks = `${publicUrl}/webhooks/${input.id}`;
  const ended = `${publicUrl}/ended/${input.id}`;
  const secret =
    given === undefined ? `\n  with the secret  ${webhookSecret}  (shown only now)` : " with that secret";
  return {
    text: `Account ${input.id} is added.\nIn its classroom, set:\n  webhooks to  ${webhooks}${secret}\n  the page after a session to  ${ended}\nThen say who uses it: account bind ${input.id} --registration ID [--deployment ID]`,
    json: { id: input.id, webhooks, ended, ...(given === undefined ? { webhookSecret } : {}) },
  };
};

export const changeOne: Command = async (tools, id) => {
  const { name, stage, "base-url": baseUrl, "app-url": appUrl } = tools.values;
  const settings = await settingsOf(tools);
  const given = Object.fromEntries(
    Object.entries({ name, stage, baseUrl, appUrl, ...settings }).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(given).length === 0)
    throw new UsageError(
      "Give what is to change: --name, --stage, --base-url, --app-url, --dialect-file, --calls-per-second or --analytics-seconds.",
    );
  await changeAccount(await operatorParts(tools), id, readOrExplain(readAccountChange(given)));
  return { text: `Account ${id} is changed.`, json: { id, changed: Object.keys(given) } };
};

export const rotateOne: Command = async (tools, id) => {
  const apiKey = await secretOf(tools, "api-key");
  const webhookSecret = await secretOf(tools, "webhook-secret");
  const ends = tools.values["end-previous"];
  if ([apiKey !== undefined, webhookSecret !== undefined, ends].filter(Boolean).length !== 1)
    throw new UsageError("Give one of --api-key, --webhook-secret and --end-previous.");
  const parts = await operatorParts(tools);
  if (apiKey !== undefined) {
    await rotateApiKey(parts, id, readOrExplain(readApiKey(apiKey)).apiKey);
    return { text: `Account ${id} uses the new key within seconds.`, json: { id, rotated: "api-key" } };
  }
  if (ends) {
    await endPreviousSecret(parts, id);
    return {
      text: `Account ${id} takes its current webhook secret only.`,
      json: { id, ended: "webhook-secret" },
    };
  }
  await rotateWebhookSecret(parts, id, readOrExplain(readWebhookSecret(webhookSecret)).webhookSecret);
  return {
    text: `Account ${id} takes the new webhook secret, and the one before until: account rotate ${id} --end-previous`,
    json: { id, rotated: "webhook-secret" },
  };
};

/** @param paused False resumes it. */
export function pauseOne(paused: boolean): Command {
  return async (tools, id) => {
    await pauseAccount(await operatorParts(tools), id, paused);
    const text = paused
      ? `Account ${id} is paused: nobody enters its Spaces, and its service is asked nothing. Webhooks are kept. Continue with: account resume ${id}`
      : `Account ${id} is no longer paused.`;
    return { text, json: { id, paused } };
  };
}

export const removeOne: Command = async (tools, id) => {
  await removeAccount(await operatorParts(tools), id);
  return {
    text: `Account ${id} is removed, and open invitations to it have ended.`,
    json: { id, removed: true },
  };
};

export const bindOne: Command = async (tools, id) => {
  const { registration: registrationId, deployment } = tools.values;
  if (registrationId === undefined)
    throw new UsageError("--registration is missing. See: npm run cli -- platform list");
  const deploymentId = deployment ?? null;
  await bindAccount(await operatorParts(tools), id, { registrationId, deploymentId });
  const whose = deploymentId === null ? registrationId : `deployment ${deploymentId} of ${registrationId}`;
  return {
    text: `New courses of ${whose} use the account ${id}. Courses that are there keep theirs.`,
    json: { id, registrationId, deploymentId },
  };
};

/** Dialect and limits as one types them on the page: empty for the usual one. */
async function settingsOf({ values }: CommandTools) {
  const file = values["dialect-file"];
  const usual = (given: string | undefined) => (given === "usual" ? "" : given);
  return {
    dialect: file === undefined || file === "usual" ? usual(file) : await contentOf("dialect-file", file),
    callsPerSecond: usual(values["calls-per-second"]),
    analyticsSeconds: usual(values["analytics-seconds"]),
  };
}

async function contentOf(option: string, file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new UsageError(`--${option}: ${file} cannot be read.`);
  }
}

/** Reads a secret from the option, from the file that `--…-file` names, or for "-" from the next line of standard input. */
export async function secretOf(
  { values, line }: CommandTools,
  name: "api-key" | "webhook-secret",
): Promise<string | undefined> {
  const file = values[`${name}-file`];
  const value = values[name];
  if (file !== undefined && value !== undefined)
    throw new UsageError(`Give --${name} or --${name}-file, not both.`);
  if (value === "-") return line();
  return file === undefined ? value : contentOf(`${name}-file`, file);
}

/** The account that `--account` names. Default: the usual one. @throws UsageError if it's unknown */
export function accountNamed(
  { account }: CommandLine["values"],
  accounts: Pick<Accounts, "ids" | "find">,
): ClassroomAccount {
  const id = account ?? usualAccount(accounts.ids());
  if (id === undefined) throw new UsageError("There is no classroom account. Make one with: account add");
  const found = accounts.find(id);
  if (found === undefined)
    throw new UsageError(`There is no classroom account ${id}. There are: ${accounts.ids().join(", ")}.`);
  return found;
}

const optionOf: Readonly<Record<AccountField, string>> = {
  id: "--id",
  name: "--name",
  stage: "--stage",
  baseUrl: "--base-url",
  appUrl: "--app-url",
  apiKey: "--api-key",
  webhookSecret: "--webhook-secret",
  dialect: "--dialect-file",
  callsPerSecond: "--calls-per-second",
  analyticsSeconds: "--analytics-seconds",
};

const makeOne = "make one with: openssl rand -hex 24";

/** Each one completes a sentence that begins with the option. */
const sentences: Readonly<Record<AccountProblem, string>> = {
  missing: "is missing",
  "not-an-id": "must be lower-case letters, digits and hyphens, such as north-college",
  "id-of-variables": "is the name of an account that variables make",
  "too-long": `must have at most ${inputLimits.nameCharacters} characters`,
  "not-a-stage": "must be production or staging",
  "not-an-address": "must be a full http(s) address",
  "address-parts": "must have no user name, query or fragment",
  "short-secret": "must have at least 8 characters",
  "not-ascii": "must be ASCII without spaces or line breaks",
  "short-webhook-secret": `must have at least 16 characters; ${makeOne}`,
  "weak-secret": `is easily guessed; ${makeOne}`,
  "bad-dialect": "must be a file of JSON that nests no deeper than 32 levels",
  "too-many-calls": `must be a whole number from 1 to ${serviceLimits.callsPerSecond}, or "usual"`,
  "too-much-analytics": `must be a number of seconds from ${serviceLimits.analyticsSeconds} to ${inputLimits.analyticsSeconds}, or "usual"`,
};

/** @throws UsageError with every problem */
export function readOrExplain<T>(read: ReadInput<T>): T {
  if ("value" in read) return read.value;
  throw new UsageError(linesOf(read.problems).join("\n"));
}

function linesOf(problems: AccountProblems): string[] {
  return accountFields.flatMap((field) => {
    const problem = problems[field];
    return problem === undefined ? [] : [`${optionOf[field]} ${sentences[problem]}.`];
  });
}
