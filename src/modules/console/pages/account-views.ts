import type { AccountSummary } from "../../accounts/known-accounts.ts";
import type { AccountUse } from "../../operations/remove-account.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { AccountForm } from "./account-form.ts";
import type { ConsoleApp } from "./console-app.ts";
import { nameOfAccount } from "./name-of-account.ts";
import type { ConsoleFrame } from "./partials.ts";

/** An account as lists show it. */
export type AccountLine = AccountSummary & { shownName: string; tone: Tone; stateText: string };

export type AccountsPage = ConsoleFrame & { accounts: readonly AccountLine[]; removed: boolean };

export type AccountPage = ConsoleFrame & {
  account: AccountLine;
  note: (typeof accountNotes)[number] | null;
  webhookUrl: string;
  endedUrl: string;
  key: AccountForm;
  /** Why what was typed there is refused. */
  bindProblem: string | null;
  chosenLms: string;
  typedDeployment: string;
  lmss: readonly { id: string; name: string }[];
};

/** `id`: null for a new account. */
export type AccountFormPage = ConsoleFrame & AccountForm & { id: string | null };

/** A webhook secret, shown once. `added`: with a new account. */
export type AccountSecretPage = ConsoleFrame & {
  id: string;
  added: boolean;
  secret: string;
  webhookUrl: string;
  endedUrl: string;
};

export type AccountPausePage = ConsoleFrame & { account: AccountLine };

/** `use`: why it cannot be removed; null when it can. */
export type AccountRemovePage = ConsoleFrame & { account: AccountLine; use: AccountUse | null };

export const accountsPage = defineView<AccountsPage>("admin/accounts");
export const accountPage = defineView<AccountPage>("admin/account");
export const accountFormPage = defineView<AccountFormPage>("admin/account-change");
export const accountSecretPage = defineView<AccountSecretPage>("admin/account-secret");
export const accountPausePage = defineView<AccountPausePage>("admin/account-pause");
export const accountRemovePage = defineView<AccountRemovePage>("admin/account-remove");

/** Messages under `accounts.notes`, shown once. */
export const accountNotes = ["changed", "bound", "key", "ended", "paused", "resumed"] as const;

/** Where the service sends its webhooks, and people after a session. */
export function addressesOf(publicUrl: string, id: string): { webhookUrl: string; endedUrl: string } {
  return { webhookUrl: `${publicUrl}/webhooks/${id}`, endedUrl: `${publicUrl}/ended/${id}` };
}

const tones = { incomplete: "wait", unreadable: "bad", paused: "none", on: "good" } as const;

export function lineOf(
  { accounts }: ConsoleApp,
  t: Translate,
  account: AccountSummary,
  unwell: readonly string[] = [],
): AccountLine {
  const { id, state } = account;
  const check = state === "on" && unwell.includes(id);
  return {
    ...account,
    shownName: nameOfAccount(t, accounts, id),
    tone: check ? "bad" : tones[state],
    stateText: t(`accounts.states.${check ? "check" : state}`),
  };
}
