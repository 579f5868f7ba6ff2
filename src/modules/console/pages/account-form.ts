import type { App } from "../../../app.ts";
import { serviceLimits } from "../../../domain/account.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { type AccountSummary, listAccounts, showAccount } from "../../accounts/known-accounts.ts";
import {
  type AccountField,
  accountFields,
  type AccountProblem,
  type AccountProblems,
  inputLimits,
} from "../../accounts/rules/account-input.ts";
import type { AccountUse } from "../../operations/classroom-accounts.ts";
import { unwellAccounts } from "../../operations/show-overview.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Visit } from "./gate.ts";
import { nameOfAccount } from "./in-words.ts";
import { table, whenOrNever } from "./list-view.ts";
import type { ConsoleFrame, PageOf } from "./partials.ts";

/** A sentence for each field that is wrong. */
export type AccountFieldProblems = Partial<Record<AccountField, string>>;

/** A form's heading and fields. */
export type AccountForm = ReturnType<typeof accountForm>;
type Kind = { kind: "text" | "url" | "password" | "number" | "json" | "stage"; required: boolean };

const kinds = {
  id: { kind: "text", required: true },
  name: { kind: "text", required: true },
  stage: { kind: "stage", required: true },
  baseUrl: { kind: "url", required: true },
  appUrl: { kind: "url", required: true },
  apiKey: { kind: "password", required: true },
  webhookSecret: { kind: "password", required: false },
  dialect: { kind: "json", required: false },
  callsPerSecond: { kind: "number", required: false },
  analyticsSeconds: { kind: "number", required: false },
} as const satisfies Record<AccountField, Kind>;

const limitFields = ["callsPerSecond", "analyticsSeconds", "dialect"] as const;
const factFields = ["name", "stage", "baseUrl", "appUrl"] as const;
/** Fields of an existing account that can change. */
export const changeableFields = [...factFields, ...limitFields] as const satisfies readonly AccountField[];
/** In the order of the form. */
export const newAccountFields = [
  "id",
  ...factFields,
  "apiKey",
  ...limitFields,
] as const satisfies readonly AccountField[];

export type TypedAccount = Partial<Record<AccountField, string>>;

/** What was typed into these fields. */
export function typedIn({ field }: Pick<Visit, "field">, names: readonly AccountField[]): TypedAccount {
  return Object.fromEntries(names.map((name) => [name, field(name)]));
}

/** What is stored, in the form in which it would be typed. */
export function typedOf({ stored, ...account }: AccountSummary): TypedAccount {
  const { callsPerSecond, analyticsSeconds } = account.limits;
  const dialect = stored?.dialect ?? null;
  return {
    name: account.name,
    stage: account.stage,
    baseUrl: account.baseUrl,
    appUrl: account.appUrl,
    dialect: dialect === null ? "" : JSON.stringify(dialect, null, 2),
    callsPerSecond: callsPerSecond === null ? "" : String(callsPerSecond),
    analyticsSeconds: analyticsSeconds === null ? "" : String(analyticsSeconds),
  };
}

/** The form with what was typed, except secrets, which are never shown. @param optional Fields that may stay empty here. */
export function accountForm(
  t: Translate,
  form: {
    names: readonly AccountField[];
    typed: TypedAccount;
    problems: AccountFieldProblems;
    optional?: readonly AccountField[];
  },
) {
  const { names, typed, problems, optional = [] } = form;
  const fields = names.map((field) => {
    const { kind, required } = kinds[field];
    const keeps = optional.includes(field);
    return {
      field,
      kind,
      required: required && !keeps,
      label: t(`accounts.fields.${field}`),
      hint: t(keeps && field === "apiKey" ? "accounts.hints.keepKey" : `accounts.hints.${field}`, {
        calls: serviceLimits.callsPerSecond,
        seconds: serviceLimits.analyticsSeconds,
      }),
      value: kind === "password" ? "" : (typed[field] ?? ""),
      problem: problems[field] ?? null,
    };
  });
  const wrong = fields.flatMap(({ field, label, problem }) =>
    problem === null ? [] : [{ field, label, problem }],
  );
  return { fields, wrong };
}

/** The problems in the reader's language. */
export function problemWords(t: Translate, problems: AccountProblems): AccountFieldProblems {
  return Object.fromEntries(
    accountFields.flatMap((field) => {
      const code = problems[field];
      return code === undefined ? [] : [[field, problemText(t, code)]];
    }),
  );
}

function problemText(t: Translate, code: AccountProblem): string {
  return t(`accounts.problems.${code}`, {
    characters: inputLimits.nameCharacters,
    calls: serviceLimits.callsPerSecond,
    seconds: serviceLimits.analyticsSeconds,
    most: inputLimits.analyticsSeconds,
  });
}

/** The refused input, by its field. @throws everything else */
export function refusedField(
  { addressProblem }: Pick<App, "addressProblem">,
  t: Translate,
  typed: TypedAccount,
  thrown: unknown,
): AccountFieldProblems {
  if (!(thrown instanceof NamedError)) throw thrown;
  if (thrown.code === "account-exists") return { id: t("accounts.problems.exists") };
  if (thrown.code === "account-address-refused") {
    const refused = (["baseUrl", "appUrl"] as const).filter(
      (field) => addressProblem(typed[field] ?? "") !== null,
    );
    return Object.fromEntries(refused.map((field) => [field, t("accounts.problems.address-refused")]));
  }
  // Operators write dialects, so the page describes their errors in English, like the log.
  if (thrown.code.startsWith("classroom-dialect-")) return { dialect: thrown.message };
  throw thrown;
}

export type AccountPage = PageOf<typeof accountModel>;
type AccountLine = ReturnType<typeof lineOf>;

/** `id`: null for a new account. */
export type AccountFormPage = ConsoleFrame & AccountForm & { id: string | null };

/** A webhook secret, shown once. `added`: it came with a new account. */
export type AccountSecretPage = ConsoleFrame &
  ReturnType<typeof addressesOf> & { id: string; added: boolean; secret: string };

export type AccountPausePage = ConsoleFrame & { account: AccountLine };

/** `use`: why the account can't be removed, or null if it can. */
export type AccountRemovePage = ConsoleFrame & { account: AccountLine; use: AccountUse | null };

export const accountPage = defineView<AccountPage>("admin/account");
export const accountFormPage = defineView<AccountFormPage>("admin/account-change");
export const accountSecretPage = defineView<AccountSecretPage>("admin/account-secret");
export const accountPausePage = defineView<AccountPausePage>("admin/account-pause");
export const accountRemovePage = defineView<AccountRemovePage>("admin/account-remove");

/** Messages under `accounts.notes`, each shown once. */
export const accountNotes = ["changed", "bound", "key", "ended", "paused", "resumed"] as const;

/** The addresses to which the service sends its webhooks, and people after a session. */
export function addressesOf(publicUrl: string, id: string) {
  return { webhookUrl: `${publicUrl}/webhooks/${id}`, endedUrl: `${publicUrl}/ended/${id}` };
}

const tones = { incomplete: "wait", unreadable: "bad", paused: "none", on: "good" } as const;

/** The page of one account. @param wrong Why what was typed there was refused. */
export async function accountModel(
  app: ConsoleApp,
  { t, part, note, field }: Visit,
  wrong: { keyProblems?: AccountFieldProblems; bindProblem?: string } = {},
) {
  const [account, unwell, registrations] = await Promise.all([
    showAccount(app, part("account")),
    unwellAccounts(app),
    app.registrations.list(),
  ]);
  return {
    account: lineOf(app, t, account, unwell),
    note: note(accountNotes),
    ...addressesOf(app.publicUrl, account.id),
    key: accountForm(t, { names: ["apiKey"], typed: {}, problems: wrong.keyProblems ?? {} }),
    bindProblem: wrong.bindProblem ?? null,
    chosenLms: field("lms"),
    typedDeployment: field("deployment"),
    lmss: registrations.map(({ id, name }) => ({ id, name })),
  };
}

/** An account as a line of a list. */
export function lineOf(
  { accounts }: ConsoleApp,
  t: Translate,
  account: AccountSummary,
  unwell: readonly string[] = [],
) {
  const { id, state } = account;
  const check = state === "on" && unwell.includes(id);
  return {
    ...account,
    accountName: nameOfAccount(t, accounts, id),
    tone: check ? ("bad" as const) : tones[state],
    stateText: t(`accounts.states.${check ? "check" : state}`),
  };
}

export async function accountRows(app: ConsoleApp, t: Translate) {
  const [accounts, unwell] = await Promise.all([listAccounts(app), unwellAccounts(app)]);
  return {
    tables: [
      table(
        { label: t("accounts.heading"), rows: accounts.map((one) => lineOf(app, t, one, unwell)) },
        ({ column, plain }) => [
          plain(t("console.overview.account"), ({ id, accountName, stage, stored }) => [
            { text: accountName, link: `/admin/accounts/${id}` },
            { text: id, code: true },
            [t(`accounts.stages.${stage}`), ...(stored === null ? [t("accounts.fromVariables")] : [])].join(
              " · ",
            ),
          ]),
          plain(t("common.state"), ({ tone, stateText }) => ({ text: stateText, pill: tone })),
          column(t("accounts.columns.bound"), ({ bindings }) =>
            bindings.length === 0
              ? { text: t("accounts.unbound"), quiet: true }
              : bindings.map(({ registrationId, deploymentId, name }) => ({
                  text:
                    deploymentId === null
                      ? name
                      : t("accounts.ofDeployment", { lms: name, id: deploymentId }),
                  link: `/admin/registrations/${registrationId}`,
                })),
          ),
          column(t("accounts.columns.webhook"), ({ lastWebhookAt }) => whenOrNever(t, lastWebhookAt)),
        ],
      ),
    ],
  };
}
