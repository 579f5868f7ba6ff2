import { Router } from "express";
import { NamedError } from "../../../kernel/errors.ts";
import { readForm } from "../../../kernel/read-form.ts";
import {
  addAccount,
  bindAccount,
  changeAccount,
  endPreviousSecret,
  pauseAccount,
  rotateApiKey,
  rotateWebhookSecret,
} from "../../accounts/change-accounts.ts";
import { showAccount } from "../../accounts/known-accounts.ts";
import {
  readAccountChange,
  readApiKey,
  type ReadInput,
  readNewAccount,
} from "../../accounts/rules/account-input.ts";
import {
  type AccountUse,
  accountUseOf,
  removeAccount,
  useThatRefused,
} from "../../operations/classroom-accounts.ts";
import type { Translate } from "../../../web/translate.ts";
import {
  type AccountFieldProblems,
  accountForm,
  accountFormPage,
  accountModel,
  accountPage,
  accountPausePage,
  accountRemovePage,
  accountRows,
  type AccountSecretPage,
  accountSecretPage,
  addressesOf,
  changeableFields,
  lineOf,
  newAccountFields,
  problemWords,
  refusedField,
  type TypedAccount,
  typedIn,
  typedOf,
} from "./account-form.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, operatorsOnly, type Visit } from "./gate.ts";
import { consoleList } from "./list.ts";
import { doneNote } from "./list-view.ts";
import { chosen, orNull } from "./requests.ts";

const here = "/admin/accounts";

/** Accounts, which are contracts with the classroom service. For operators only. */
export function accountsPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/accounts",
    area: "accounts",
    title: (t) => t("accounts.heading"),
    read: () => ({}),
    rows: ({ t }) => accountRows(app, t),
    around: ({ t, visit: { note, session } }) => ({
      done: doneNote(note(["removed"]) === null ? null : t("accounts.notes.removed")),
      lead: t("accounts.lead"),
      above:
        session.role === "reader"
          ? []
          : [{ text: t("accounts.add"), link: `${here}/new`, primary: true, icon: "plus" }],
      empty: t("accounts.none"),
      below: [{ text: t("accounts.doctor"), link: "/admin/classroom" }],
    }),
  });
  const { page, action } = gate.routes(operatorsOnly, router);
  page("/accounts/new", (visit) =>
    showForm(visit, { id: null, typed: { stage: "production" }, problems: {} }),
  );
  action("/accounts", (visit) => add(app, visit));
  page("/accounts/:account", (visit) => showOne(app, visit));
  page("/accounts/:account/change", async (visit) => {
    const account = await showAccount(app, visit.part("account"));
    showForm(visit, { id: account.id, typed: typedOf(account), problems: {} });
  });
  action("/accounts/:account/change", (visit) => change(app, visit));
  action("/accounts/:account/bind", (visit) => bind(app, visit));
  action("/accounts/:account/key", async (visit) => {
    const { part, field, t, goTo, asOperator } = visit;
    const read = readApiKey(field("apiKey"));
    if ("problems" in read) {
      visit.response.status(422);
      await showOne(app, visit, { keyProblems: problemWords(t, read.problems) });
      return;
    }
    await rotateApiKey({ ...app, ...asOperator }, part("account"), read.value.apiKey);
    goTo(`${here}/${part("account")}`, "key");
  });
  action("/accounts/:account/secret", async (visit) => {
    const id = visit.part("account");
    const secret = app.ids.secret(24);
    await rotateWebhookSecret({ ...app, ...visit.asOperator }, id, secret);
    showSecret(app, visit, { id, secret, added: false });
  });
  action("/accounts/:account/end-previous", async ({ part, goTo, asOperator }) => {
    await endPreviousSecret({ ...app, ...asOperator }, part("account"));
    goTo(`${here}/${part("account")}`, "ended");
  });
  page("/accounts/:account/pause", async ({ show, part, t }) => {
    const account = lineOf(app, t, await showAccount(app, part("account")));
    const what = account.state === "paused" ? "resume" : "pause";
    show({
      view: accountPausePage,
      title: t(`accounts.${what}.heading`, { name: account.accountName }),
      area: "accounts",
      model: { account },
    });
  });
  action("/accounts/:account/pause", async ({ part, field, goTo, asOperator }) => {
    const paused = chosen(field("to"), ["pause", "resume"]) === "pause";
    await pauseAccount({ ...app, ...asOperator }, part("account"), paused);
    goTo(`${here}/${part("account")}`, paused ? "paused" : "resumed");
  });
  return router;
}

/** Dialects make these forms longer than others, so their parser must come before the one for all pages. */
export function accountFormsParser(gate: Gate): Router {
  return Router().use("/accounts", gate.loggedIn, readForm({ maxBytes: 128 * 1024 }));
}

async function add(app: ConsoleApp, visit: Visit): Promise<void> {
  const typed = typedIn(visit, newAccountFields);
  const secret = app.ids.secret(24);
  const read = readNewAccount({ ...typed, webhookSecret: secret });
  const as = { ...app, ...visit.asOperator };
  const problems = await refused(app, visit.t, typed, read, (given) => addAccount(as, given));
  if (problems === null) showSecret(app, visit, { id: typed.id ?? "", secret, added: true });
  else showForm(visit, { id: null, typed, problems });
}

async function change(app: ConsoleApp, visit: Visit): Promise<void> {
  const id = visit.part("account");
  const typed = typedIn(visit, changeableFields);
  const as = { ...app, ...visit.asOperator };
  const problems = await refused(app, visit.t, typed, readAccountChange(typed), (given) =>
    changeAccount(as, id, given),
  );
  if (problems === null) visit.goTo(`${here}/${id}`, "changed");
  else showForm(visit, { id, typed, problems });
}

/** Returns what is wrong with the input, or null if it was accepted. */
async function refused<T>(
  app: ConsoleApp,
  t: Translate,
  typed: TypedAccount,
  read: ReadInput<T>,
  take: (given: T) => Promise<void>,
): Promise<AccountFieldProblems | null> {
  if ("problems" in read) return problemWords(t, read.problems);
  try {
    await take(read.value);
    return null;
  } catch (thrown) {
    return refusedField(app, t, typed, thrown);
  }
}

async function bind(app: ConsoleApp, visit: Visit): Promise<void> {
  const { part, field, goTo } = visit;
  const id = part("account");
  const deploymentId = orNull(field("deployment"));
  try {
    await bindAccount({ ...app, ...visit.asOperator }, id, { registrationId: field("lms"), deploymentId });
    goTo(`${here}/${id}`, "bound");
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const code = (["no-such-registration", "deployment-unknown"] as const).find((one) => one === thrown.code);
    if (code === undefined) throw thrown;
    visit.response.status(422);
    await showOne(app, visit, { bindProblem: visit.t(`accounts.problems.${code}`) });
  }
}

function showForm(
  { show, t, response }: Visit,
  { id, typed, problems }: { id: string | null; typed: TypedAccount; problems: AccountFieldProblems },
): void {
  if (Object.keys(problems).length > 0) response.status(422);
  show({
    view: accountFormPage,
    title: t(id === null ? "accounts.add" : "accounts.change", { id: id ?? "" }),
    area: "accounts",
    model: {
      id,
      ...accountForm(t, { names: id === null ? newAccountFields : changeableFields, typed, problems }),
    },
  });
}

/** Shows the secret only in this answer, because a page with its own address would keep it. */
function showSecret(
  { publicUrl }: ConsoleApp,
  { show, t }: Visit,
  { id, secret, added }: Pick<AccountSecretPage, "id" | "secret" | "added">,
): void {
  show({
    view: accountSecretPage,
    title: t(added ? "accounts.added" : "accounts.newSecret"),
    area: "accounts",
    model: { id, secret, added, ...addressesOf(publicUrl, id) },
  });
}

async function showOne(app: ConsoleApp, visit: Visit, wrong: Parameters<typeof accountModel>[2] = {}) {
  const model = await accountModel(app, visit, wrong);
  visit.show({ view: accountPage, title: model.account.accountName, area: "accounts", model });
}

/** Removes an account that nothing belongs to. For operators only. */
export function accountRemovalPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  const path = "/accounts/:account/remove";
  const parts = ({ asOperator }: Visit) => ({ ...app, ...asOperator });
  page(path, async (visit) => {
    await showRemoval(app, visit, await accountUseOf(parts(visit), visit.part("account")));
  });
  action(path, async (visit) => {
    try {
      await removeAccount(parts(visit), visit.part("account"));
      visit.goTo("/admin/accounts", "removed");
    } catch (thrown) {
      const use = useThatRefused(thrown);
      if (use === null) throw thrown;
      visit.response.status(409);
      await showRemoval(app, visit, use);
    }
  });
  return router;
}

async function showRemoval(app: ConsoleApp, { show, part, t }: Visit, use: AccountUse | null): Promise<void> {
  const account = lineOf(app, t, await showAccount(app, part("account")));
  show({
    view: accountRemovePage,
    title: t("accounts.remove.heading", { name: account.accountName }),
    area: "accounts",
    model: { account, use },
  });
}
