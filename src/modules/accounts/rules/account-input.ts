import { z } from "zod";
import {
  type AccountStage,
  addressFault,
  headerSecretFault,
  isAccountId,
  isBuiltIn,
  plainAddress,
  serviceLimits,
} from "../../../domain/account.ts";
import { describeRecord, field, type ItemOf } from "../../../domain/record.ts";
import { parseJson } from "../../../kernel/outside-reply.ts";
import { plainDigits } from "../../../kernel/text.ts";
import { weaknessOf } from "../../operations/rules/console-access.ts";

/** An institution's contract with the classroom service, with sealed secrets. Built-in accounts aren't stored. */
export const accountRecord = describeRecord("ClassroomAccount", {
  fields: {
    name: field.text,
    stage: field.textOf<AccountStage>(),
    /** Empty until the institution has given them. */
    baseUrl: field.text.or(""),
    appUrl: field.text.or(""),
    /** Null until the institution has given one. */
    sealedKey: field.text.orNull,
    /** The current secret first. Two during a rotation. */
    sealedWebhookSecrets: field.texts,
    /** JSON that overrides the dialect that CLASSROOM_DIALECT names. Null: that dialect. */
    dialect: field.json<unknown>().orNull,
    /** Its own limits below the service's. Null: the service's. */
    callsPerSecond: field.number.orNull,
    analyticsSeconds: field.number.orNull,
    paused: field.flag.or(false),
    /** When addresses, key or dialect last changed. What was found out before then may not be true any more. */
    connectionChangedAt: field.number.or(0),
    /** When the service confirmed that it sends its webhooks to us. Null until then. */
    webhooksConnectedAt: field.number.orNull,
    /** Grows with every change, so processes notice it. */
    revision: field.number,
    createdAt: field.number,
    changedAt: field.number,
  },
  personalData: {
    key: "accounts",
    holds: "classroom accounts: addresses and sealed keys; no person",
    stored: "always",
  },
});
export type StoredAccount = ItemOf<typeof accountRecord>;

/** What a secret of an account is sealed for. It can't be opened in another account or place. */
export function sealPurpose(id: string, what: "key" | "webhook-secret"): string {
  return `account ${id} ${what}`;
}

/** Whether its institution hasn't given addresses and key yet. */
export function isIncomplete({
  baseUrl,
  appUrl,
  sealedKey,
}: Pick<StoredAccount, "baseUrl" | "appUrl" | "sealedKey">): boolean {
  return baseUrl === "" || appUrl === "" || sealedKey === null;
}

export const accountsRecords = [accountRecord];

/** What can be wrong with a field. The command line and the pages have a sentence for each. */
const problemCodes = [
  "missing",
  "not-an-id",
  "id-of-variables",
  "too-long",
  "not-a-stage",
  "not-an-address",
  "address-parts",
  "short-secret",
  "not-ascii",
  "short-webhook-secret",
  "weak-secret",
  "bad-dialect",
  "too-many-calls",
  "too-much-analytics",
] as const;
export type AccountProblem = (typeof problemCodes)[number];

/** The longest name, and the longest pause between two analytics calls (seconds). */
export const inputLimits = { nameCharacters: 80, analyticsSeconds: 3_600 } as const;

const problem = (code: AccountProblem) => ({ error: code });
const given = z.string(problem("missing")).min(1, problem("missing"));
const unless = (fault: (text: string) => AccountProblem | null) =>
  given.superRefine((text, context) => {
    const code = fault(text);
    if (text !== "" && code !== null) context.addIssue({ code: "custom", message: code });
  });

const accountId = unless((id) => {
  if (!isAccountId(id)) return "not-an-id";
  return isBuiltIn(id) ? "id-of-variables" : null;
});
const name = z
  .string(problem("missing"))
  .trim()
  .min(1, problem("missing"))
  .max(inputLimits.nameCharacters, problem("too-long"));
const address = unless(addressFault).transform(plainAddress);
const apiKey = unless(headerSecretFault);

/** As for CLASSROOM_WEBHOOK_SECRET. The webhooks' address is open, so with a guessed secret a stranger could write attendance. */
const webhookSecretRule = { length: 16, different: 8 };
const webhookSecret = unless((text) => {
  const fault = headerSecretFault(text);
  if (fault === "not-ascii") return fault;
  if (text.length < webhookSecretRule.length) return "short-webhook-secret";
  return weaknessOf(text, webhookSecretRule) === null ? null : "weak-secret";
});
/** A number as typed. Empty: the default. */
const numberOrNone = (code: AccountProblem, fits: (value: number) => boolean) =>
  z
    .string()
    .trim()
    .transform((text) => (text === "" ? null : Number(plainDigits(text))))
    .refine((value) => value === null || fits(value), problem(code));
/** JSON as typed. Empty: the usual dialect. The module `classroom` validates its content. */
const dialect = z.string().transform((text, context): unknown => {
  if (text.trim() === "") return null;
  try {
    return parseJson(text);
  } catch {
    context.addIssue({ code: "custom", message: "bad-dialect" satisfies AccountProblem });
    return z.NEVER;
  }
});

const fields = {
  name,
  stage: z.enum(["production", "staging"], problem("not-a-stage")),
  baseUrl: address,
  appUrl: address,
  apiKey,
  webhookSecret,
};
const settings = {
  dialect,
  callsPerSecond: numberOrNone(
    "too-many-calls",
    (calls) => Number.isInteger(calls) && calls >= 1 && calls <= serviceLimits.callsPerSecond,
  ),
  analyticsSeconds: numberOrNone(
    "too-much-analytics",
    (seconds) => seconds >= serviceLimits.analyticsSeconds && seconds <= inputLimits.analyticsSeconds,
  ),
};

export type AccountField = "id" | keyof typeof fields | keyof typeof settings;
export type NewAccount = z.output<typeof newAccount>;
export type AccountChange = z.output<typeof accountChange>;
export type AccountConnection = z.output<typeof connection>;

const newAccount = z.object({ id: accountId, ...fields, ...z.object(settings).partial().shape });
const accountChange = newAccount
  .pick({ name: true, stage: true, baseUrl: true, appUrl: true })
  .extend(settings)
  .partial();
/** What an institution gives. The key may stay as it is. */
const connection = newAccount.pick({ baseUrl: true, appUrl: true }).extend({ apiKey: apiKey.optional() });

export type AccountProblems = Partial<Record<AccountField, AccountProblem>>;
export type ReadInput<T> = { value: T } | { problems: AccountProblems };
type Given = Partial<Record<AccountField, unknown>>;

/** @param typed What was typed, by field. */
export function readNewAccount(typed: Given): ReadInput<NewAccount> {
  return readBy(newAccount, typed);
}

/** Fields that are left out stay. */
export function readAccountChange(typed: Given): ReadInput<AccountChange> {
  return readBy(accountChange, typed);
}

/** Addresses, and a key if one is given. */
export function readConnection(typed: Given): ReadInput<AccountConnection> {
  return readBy(connection, typed);
}

/** @returns the key, or what is wrong with it */
export function readApiKey(typed: unknown): ReadInput<{ apiKey: string }> {
  return readBy(newAccount.pick({ apiKey: true }), { apiKey: typed });
}

export function readWebhookSecret(typed: unknown): ReadInput<{ webhookSecret: string }> {
  return readBy(newAccount.pick({ webhookSecret: true }), { webhookSecret: typed });
}

/** Id and name of an account whose institution gives the rest. */
export function readAccountName(typed: Given): ReadInput<{ id: string; name: string }> {
  return readBy(newAccount.pick({ id: true, name: true }), typed);
}

function readBy<T>(schema: z.ZodType<T>, typed: object): ReadInput<T> {
  const read = schema.safeParse(typed);
  if (read.success) return { value: read.data };
  const problems: AccountProblems = {};
  for (const { path, message } of read.error.issues) {
    const [field, code] = [
      accountFields.find((one) => one === path[0]),
      problemCodes.find((one) => one === message),
    ];
    if (field !== undefined) problems[field] ??= code ?? "missing";
  }
  return { problems };
}

/** In the order of forms and commands. */
export const accountFields: readonly AccountField[] = [
  "id",
  "name",
  "stage",
  "baseUrl",
  "appUrl",
  "apiKey",
  "webhookSecret",
  "dialect",
  "callsPerSecond",
  "analyticsSeconds",
];
