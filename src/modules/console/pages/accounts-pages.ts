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
import { listAccounts, showAccount } from "../../accounts/known-accounts.ts";
import { readAccountChange, readApiKey, readNewAccount } from "../../accounts/rules/account-input.ts";
import {
  type AccountUse,
  accountUseOf,
  removeAccount,
  useThatRefused,
} from "../../operations/classroom-accounts.ts";
import { unwellAccounts } from "../../operations/show-overview.ts";
import {
  type AccountFieldProblems,
  accountForm,
  accountFormPage,
  accountNotes,
  accountPage,
  accountPausePage,
  accountRemovePage,
  type AccountSecretPage,
  accountSecretPage,
  accountsPage,
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
import { chosen } from "./fields.ts";
import type { Gate, Visit } from "./gate.ts";

const here = "/admin/accounts";

/** Contracts with the classroom service. For operators only. */
export function accountsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/accounts",
    gate.page(async ({ show, t, request }) => {
      const [accounts, unwell] = await Promise.all([listAccounts(deps), unwellAccounts(deps)]);
      show({
        view: accountsPage,
        title: t("accounts.heading"),
        area: "accounts",
        model: {
          accounts: accounts.map((one) => lineOf(deps, t, one, unwell)),
          removed: request.query["note"] === "removed",
        },
      });
    }),
  );
  router.get(
    "/accounts/new",
    gate.page((visit) => showForm(visit, { id: null, typed: { stage: "production" }, problems: {} })),
  );
  router.post(
    "/accounts",
    gate.action((visit) => add(deps, visit)),
  );
  router.get(
    "/accounts/:account",
    gate.page((visit) => showOne(deps, visit)),
  );
  router.get(
    "/accounts/:account/change",
    gate.page(async (visit) => {
      const account = await showAccount(deps, visit.part("account"));
      showForm(visit, { id: account.id, typed: typedOf(account), problems: {} });
    }),
  );
  router.post(
    "/accounts/:account/change",
    gate.action((visit) => change(deps, visit)),
  );
  router.post(
    "/accounts/:account/bind",
    gate.action((visit) => bind(deps, visit)),
  );
  router.post(
    "/accounts/:account/key",
    gate.action(async (visit) => {
      const { part, field, t, goTo, asOperator } = visit;
      const read = readApiKey(field("apiKey"));
      if ("problems" in read) {
        visit.response.status(422);
        await showOne(deps, visit, { keyProblems: problemWords(t, read.problems) });
        return;
      }
      await rotateApiKey({ ...deps, ...asOperator }, part("account"), read.value.apiKey);
      goTo(`${here}/${part("account")}`, "key");
    }),
  );
  router.post(
    "/accounts/:account/secret",
    gate.action(async (visit) => {
      const id = visit.part("account");
      const secret = deps.ids.secret(24);
      await rotateWebhookSecret({ ...deps, ...visit.asOperator }, id, secret);
      showSecret(deps, visit, { id, secret, added: false });
    }),
  );
  router.post(
    "/accounts/:account/end-previous",
    gate.action(async ({ part, goTo, asOperator }) => {
      await endPreviousSecret({ ...deps, ...asOperator }, part("account"));
      goTo(`${here}/${part("account")}`, "ended");
    }),
  );
  router.get(
    "/accounts/:account/pause",
    gate.page(async ({ show, part, t }) => {
      const account = lineOf(deps, t, await showAccount(deps, part("account")));
      const what = account.state === "paused" ? "resume" : "pause";
      show({
        view: accountPausePage,
        title: t(`accounts.${what}.heading`, { name: account.shownName }),
        area: "accounts",
        model: { account },
      });
    }),
  );
  router.post(
    "/accounts/:account/pause",
    gate.action(async ({ part, field, goTo, asOperator }) => {
      const paused = chosen(field("to"), ["pause", "resume"]) === "pause";
      await pauseAccount({ ...deps, ...asOperator }, part("account"), paused);
      goTo(`${here}/${part("account")}`, paused ? "paused" : "resumed");
    }),
  );
  return router;
}

/** A dialect is longer than other forms: its own parser stands before that of all pages. */
export function accountFormsParser(gate: Gate): Router {
  return Router().use("/accounts", gate.loggedIn, readForm({ maxBytes: 128 * 1024 }));
}

async function add(deps: ConsoleApp, visit: Visit): Promise<void> {
  const { t } = visit;
  const typed = typedIn(visit, newAccountFields);
  const secret = deps.ids.secret(24);
  const read = readNewAccount({ ...typed, webhookSecret: secret });
  const refused = async (): Promise<AccountFieldProblems | null> => {
    if ("problems" in read) return problemWords(t, read.problems);
    try {
      await addAccount({ ...deps, ...visit.asOperator }, read.value);
      return null;
    } catch (thrown) {
      return refusedField(deps, t, typed, thrown);
    }
  };
  const problems = await refused();
  if (problems === null) {
    showSecret(deps, visit, { id: typed.id ?? "", secret, added: true });
    return;
  }
  visit.response.status(422);
  showForm(visit, { id: null, typed, problems });
}

async function change(deps: ConsoleApp, visit: Visit): Promise<void> {
  const { t } = visit;
  const id = visit.part("account");
  const typed = typedIn(visit, changeableFields);
  const read = readAccountChange(typed);
  const refused = async (): Promise<AccountFieldProblems | null> => {
    if ("problems" in read) return problemWords(t, read.problems);
    try {
      await changeAccount({ ...deps, ...visit.asOperator }, id, read.value);
      return null;
    } catch (thrown) {
      return refusedField(deps, t, typed, thrown);
    }
  };
  const problems = await refused();
  if (problems === null) {
    visit.goTo(`${here}/${id}`, "changed");
    return;
  }
  visit.response.status(422);
  showForm(visit, { id, typed, problems });
}

async function bind(deps: ConsoleApp, visit: Visit): Promise<void> {
  const { part, field, goTo } = visit;
  const id = part("account");
  const deploymentId = field("deployment") === "" ? null : field("deployment");
  try {
    await bindAccount({ ...deps, ...visit.asOperator }, id, { registrationId: field("lms"), deploymentId });
    goTo(`${here}/${id}`, "bound");
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const code = (["no-such-registration", "deployment-unknown"] as const).find((one) => one === thrown.code);
    if (code === undefined) throw thrown;
    visit.response.status(422);
    await showOne(deps, visit, { bindProblem: visit.t(`accounts.problems.${code}`) });
  }
}

function showForm(
  { show, t }: Visit,
  { id, typed, problems }: { id: string | null; typed: TypedAccount; problems: AccountFieldProblems },
): void {
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

/** Only in this answer: an address of its own would keep the secret. */
function showSecret(
  { publicUrl }: ConsoleApp,
  { show, t }: Visit,
  { id, secret, added }: Pick<AccountSecretPage, "id" | "secret" | "added">,
): void {
  show({
    view: accountSecretPage,
    title: t(added ? "accounts.added" : "accounts.newSecret"),
    area: "accounts",
    model: { ...{ id, secret, added }, ...addressesOf(publicUrl, id) },
  });
}

async function showOne(
  deps: ConsoleApp,
  visit: Visit,
  wrong: { keyProblems?: AccountFieldProblems; bindProblem?: string } = {},
): Promise<void> {
  const { show, t, part, request, field } = visit;
  const [account, unwell, registrations] = await Promise.all([
    showAccount(deps, part("account")),
    unwellAccounts(deps),
    deps.registrations.list(),
  ]);
  const line = lineOf(deps, t, account, unwell);
  show({
    view: accountPage,
    title: line.shownName,
    area: "accounts",
    model: {
      account: line,
      note: accountNotes.find((one) => one === request.query["note"]) ?? null,
      ...addressesOf(deps.publicUrl, account.id),
      key: accountForm(t, { names: ["apiKey"], typed: {}, problems: wrong.keyProblems ?? {} }),
      bindProblem: wrong.bindProblem ?? null,
      chosenLms: field("lms"),
      typedDeployment: field("deployment"),
      lmss: registrations.map(({ id, name }) => ({ id, name })),
    },
  });
}

/** Of an account that nothing belongs to. For operators only. */
export function accountRemovalPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  const path = "/accounts/:account/remove";
  const parts = ({ asOperator }: Visit) => ({ ...deps, ...asOperator });
  router.get(
    path,
    gate.page(async (visit) => {
      await showRemoval(deps, visit, await accountUseOf(parts(visit), visit.part("account")));
    }),
  );
  router.post(
    path,
    gate.action(async (visit) => {
      try {
        await removeAccount(parts(visit), visit.part("account"));
        visit.goTo("/admin/accounts", "removed");
      } catch (thrown) {
        const use = useThatRefused(thrown);
        if (use === null) throw thrown;
        visit.response.status(409);
        await showRemoval(deps, visit, use);
      }
    }),
  );
  return router;
}

async function showRemoval(
  deps: ConsoleApp,
  { show, part, t }: Visit,
  use: AccountUse | null,
): Promise<void> {
  const account = lineOf(deps, t, await showAccount(deps, part("account")));
  show({
    view: accountRemovePage,
    title: t("accounts.remove.heading", { name: account.shownName }),
    area: "accounts",
    model: { account, use },
  });
}
