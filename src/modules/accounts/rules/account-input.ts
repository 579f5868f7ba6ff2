import { z } from "zod";
import { isAccountId, isBuiltIn } from "../../../domain/account.ts";
import { headerSecret, webAddress } from "../../../domain/account-fields.ts";

const accountId = z
  .string()
  .refine(isAccountId, "must be lower-case letters, digits and hyphens, such as north-college")
  .refine((id) => !isBuiltIn(id), "is the name of an account that variables make");
const name = z.string().trim().min(1, "is missing").max(80, "must have at most 80 characters");
/** Webhooks come to an open address: a secret that can be guessed lets anybody write attendance. */
const webhookSecret = headerSecret.refine(
  (text) => text.length >= 16,
  "must have at least 16 characters; make one with: openssl rand -hex 24",
);

const fields = {
  name,
  stage: z.enum(["production", "staging"], { error: "must be production or staging" }),
  baseUrl: webAddress,
  appUrl: webAddress,
  apiKey: headerSecret,
  webhookSecret,
};

export type AccountField = "id" | keyof typeof fields;
export type NewAccount = z.output<typeof newAccount>;
export type AccountChange = z.output<typeof accountChange>;

const newAccount = z.object({ id: accountId, ...fields });
const accountChange = newAccount.pick({ name: true, stage: true, baseUrl: true, appUrl: true }).partial();

/** What is wrong, by field; each text completes a sentence that begins with the field's name. */
export type AccountProblems = Partial<Record<AccountField, string>>;
export type ReadInput<T> = { value: T } | { problems: AccountProblems };

/** @param given What was typed, by field. */
export function readNewAccount(given: Partial<Record<AccountField, unknown>>): ReadInput<NewAccount> {
  return readBy(newAccount, given);
}

/** Fields left out stay. */
export function readAccountChange(given: Partial<Record<AccountField, unknown>>): ReadInput<AccountChange> {
  return readBy(accountChange, given);
}

/** @returns the key, or what is wrong with it */
export function readApiKey(given: unknown): ReadInput<{ apiKey: string }> {
  return readBy(newAccount.pick({ apiKey: true }), { apiKey: given });
}

export function readWebhookSecret(given: unknown): ReadInput<{ webhookSecret: string }> {
  return readBy(newAccount.pick({ webhookSecret: true }), { webhookSecret: given });
}

function readBy<T>(schema: z.ZodType<T>, given: object): ReadInput<T> {
  const read = schema.safeParse(given);
  if (read.success) return { value: read.data };
  const problems: Record<string, string> = {};
  for (const { path, message } of read.error.issues) problems[String(path[0])] ??= message;
  return { problems };
}
