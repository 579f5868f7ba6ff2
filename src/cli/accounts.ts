import type { ClassroomAccount } from "../classroom/account.ts";
import { serviceLimits } from "../domain/account.ts";
import { type Accounts, usualAccount } from "../modules/accounts/known-accounts.ts";
import {
  type AccountField,
  accountFields,
  type AccountProblem,
  type AccountProblems,
  inputLimits,
  type ReadInput,
} from "../modules/accounts/rules/account-input.ts";
import { type CommandLine, UsageError } from "./command.ts";

/** `--account`; left out: the usual one. @throws UsageError for an unknown one */
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

/** Each completes a sentence that begins with the option. */
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
