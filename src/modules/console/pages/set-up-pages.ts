import { Router } from "express";
import {
  connectWebhooks,
  endPreviousSecret,
  pauseAccount,
  rotateWebhookSecret,
} from "../../accounts/change-accounts.ts";
import { requireOwnAccount } from "../../accounts/known-accounts.ts";
import { readConnection } from "../../accounts/rules/account-input.ts";
import { runDoctor } from "../../operations/classroom-accounts.ts";
import {
  acceptNewDeployment,
  giveConnection,
  markStep,
  type SetUp,
  showSetUp,
} from "../../operations/set-up.ts";
import type { SetUpStep } from "../../operations/rules/set-up.ts";
import { uninstallRegistration } from "../../privacy/erase.ts";
import { knownRegistration } from "../../registration/registrations.ts";
import { optionalSteps } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import {
  type AccountFieldProblems,
  accountForm,
  type AccountForm,
  addressesOf,
  problemWords,
  refusedField,
  type TypedAccount,
  typedIn,
} from "./account-form.ts";
import type { ConsoleApp } from "./console-session.ts";
import { findingInWords } from "./in-words.ts";
import { chosen } from "./requests.ts";
import { showPublicPage } from "./show-page.ts";
import { type Gate, ofRegistration, type Visit } from "./gate.ts";
import {
  type SetUpNote,
  setUpNotes,
  setUpPage,
  setUpPausePage,
  setUpRemovedPage,
  setUpSecretPage,
  stepsShown,
} from "./set-up-views.ts";

const connectionFields = ["baseUrl", "appUrl", "apiKey"] as const;

/**
 * An institution sets itself up: a page of steps, each of which can be left and taken up again. Open to the LMS's administrators; their account
 * may be changed here only while it is theirs alone.
 */
export function setUpPages(app: ConsoleApp, gate: Gate): Router {
  const router = Router();
  const path = "/registrations/:id/set-up";
  const action = (name: string, act: (visit: Visit, id: string) => Promise<string | null>) =>
    router.post(
      `${path}/${name}`,
      gate.action(async (visit) => {
        const id = visit.part("id");
        const note = await act(visit, id);
        if (note !== null) visit.goTo(baseOf(id), note);
      }, ofRegistration),
    );
  router.get(
    path,
    gate.page(async (visit) => {
      const note = setUpNotes.find(({ note: name }) => name === visit.request.query["note"]) ?? null;
      await showPage(app, visit, { note, opened: note?.at });
    }, ofRegistration),
  );
  action("connection", (visit, id) => connect(app, visit, id));
  action("webhooks", async (visit, id) => {
    const what = chosen(visit.field("what"), ["connect", "secret", "end-previous"]);
    if (what === "connect") return setWebhooks(app, visit, id);
    const { of, account } = await ownOf(app, visit, id);
    if (what === "end-previous") {
      await endPreviousSecret(of, account);
      return "ended";
    }
    const secret = app.ids.secret(24);
    await rotateWebhookSecret(of, account, secret);
    visit.show({
      view: setUpSecretPage,
      title: visit.t("accounts.newSecret"),
      area: "registrations",
      model: { base: baseOf(id), secret, ...addressesOf(app.publicUrl, account) },
    });
    return null;
  });
  action("doctor", async (visit, id) => {
    const { account } = await ownOf(app, visit, id);
    const begun = await runDoctor({ ...app, ...visit.by }, { account, registrationId: id });
    return begun === null ? "underWay" : "asked";
  });
  action("deployments", async (visit, id) => {
    await acceptNewDeployment({ ...app, ...visit.by }, id, visit.field("deployment"));
    return "accepted";
  });
  action("steps", async ({ field }, id) => {
    const mark = chosen(field("mark"), ["done", "skipped", "open"]);
    const step = chosen(field("step"), optionalSteps);
    await markStep(app, id, { step, mark: mark === "open" ? null : mark });
    return "marked";
  });
  router.get(
    `${path}/pause`,
    gate.page(async (visit) => {
      const id = visit.part("id");
      const registration = await knownRegistration(app.registrations, id);
      const { paused, name } = await requireOwnAccount(app, registration, visit.deployment);
      visit.show({
        view: setUpPausePage,
        title: visit.t(paused ? "accounts.resume.heading" : "accounts.pause.heading", { name }),
        area: "registrations",
        model: { base: baseOf(id), paused },
      });
    }, ofRegistration),
  );
  action("pause", async (visit, id) => {
    const paused = chosen(visit.field("to"), ["pause", "resume"]) === "pause";
    const { of, account } = await ownOf(app, visit, id);
    await pauseAccount(of, account, paused);
    return paused ? "paused" : "resumed";
  });
  action("remove", async (visit, id) => {
    await uninstallRegistration({ ...app, ...visit.by }, id, visit.field("typed"));
    // With the LMS their session has ended.
    showPublicPage(app, visit.response, {
      view: setUpRemovedPage,
      title: visit.t("institution.setUp.removed"),
      model: {},
    });
    return null;
  });
  return router;
}

export function baseOf(registrationId: string): string {
  return `/admin/registrations/${registrationId}/set-up`;
}

/** The LMS's own account, and what its changes are made and noted with. @throws NamedError "account-not-own" */
async function ownOf(app: ConsoleApp, visit: Visit, id: string) {
  const registration = await knownRegistration(app.registrations, id);
  const { id: account } = await requireOwnAccount(app, registration, visit.deployment);
  return { account, of: { ...app, ...visit.by, ofRegistration: id } };
}

async function connect(app: ConsoleApp, visit: Visit, id: string): Promise<string | null> {
  const { t } = visit;
  const typed = typedIn(visit, connectionFields);
  // Empty: the key is kept.
  const { apiKey, ...addresses } = typed;
  const { own } = await showSetUp(app, id, visit.deployment);
  const keeps = apiKey === "" && own?.hasKey === true;
  const read = readConnection(keeps ? addresses : typed);
  const problems = await (async (): Promise<AccountFieldProblems | null> => {
    if ("problems" in read) return problemWords(t, read.problems);
    try {
      const whose = { registrationId: id, deploymentId: visit.deployment };
      await giveConnection({ ...app, ...visit.by }, whose, read.value);
      return null;
    } catch (thrown) {
      return refusedConnection(app, visit, typed, thrown);
    }
  })();
  if (problems === null) return "connection";
  visit.response.status(422);
  await showPage(app, visit, { typed, problems, opened: "connection" });
  return null;
}

function refusedConnection(
  app: ConsoleApp,
  { t }: Visit,
  typed: TypedAccount,
  thrown: unknown,
): AccountFieldProblems {
  if (thrown instanceof NamedError && thrown.code === "account-key-refused")
    return { apiKey: t("institution.setUp.problems.keyRefused") };
  if (thrown instanceof NamedError && thrown.code === "account-key-needed")
    return { apiKey: t("institution.setUp.problems.keyNeeded") };
  return refusedField(app, t, typed, thrown);
}

async function setWebhooks(app: ConsoleApp, visit: Visit, id: string): Promise<string> {
  const { of, account } = await ownOf(app, visit, id);
  try {
    return (await connectWebhooks(of, account)).confirmed ? "connected" : "unsure";
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    if (thrown.code === "webhooks-by-hand") return "byHand";
    if (thrown.code === "webhooks-not-set") return "notSet";
    throw thrown;
  }
}

type Shown = {
  note?: SetUpNote | null;
  typed?: TypedAccount;
  problems?: AccountFieldProblems;
  opened?: SetUpStep | undefined;
};

async function showPage(
  app: ConsoleApp,
  { show, t, part, deployment }: Visit,
  { note: said = null, typed, problems = {}, opened }: Shown,
): Promise<void> {
  const id = part("id");
  const setUp: SetUp = await showSetUp(app, id, deployment);
  const { own, steps, done, summary, examined, lastWebhookAt } = setUp;
  const { registration, deployments, lastLaunchAt } = summary;
  // A check that has ended meanwhile speaks for itself.
  const note = said?.note === "asked" && examined?.state !== "running" ? null : said;
  show({
    view: setUpPage,
    title: t("institution.setUp.heading", { name: registration.name }),
    area: "registrations",
    model: {
      ...{ id, base: baseOf(id), done, own, lastWebhookAt, lastLaunchAt, deployments, note },
      examined: examined && {
        ...examined,
        findings: examined.findings.map((one) => findingInWords(t, one)),
      },
      name: registration.name,
      marks: registration.setUpMarks ?? {},
      steps: stepsShown(t, steps, opened),
      progress: t("institution.setUp.progress", { done, all: steps.length }),
      connection: connectionForm(t, own, typed, problems),
      ...addressesOf(app.publicUrl, own?.id ?? ""),
    },
  });
}

/** @param typed As it is stored when left out. */
function connectionForm(
  t: Visit["t"],
  own: SetUp["own"],
  typed: TypedAccount | undefined,
  problems: AccountFieldProblems,
): AccountForm {
  const { baseUrl, appUrl, hasKey } = own ?? { baseUrl: "", appUrl: "", hasKey: false };
  return accountForm(t, {
    names: connectionFields,
    typed: typed ?? { baseUrl, appUrl },
    problems,
    optional: hasKey ? ["apiKey"] : [],
  });
}
