import type { Router } from "express";
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
import type { DoctorFinding, SetUpStep, StepState } from "../../operations/rules/set-up.ts";
import { uninstallRegistration } from "../../privacy/erase.ts";
import { knownRegistration } from "../../registration/registrations.ts";
import { type OptionalStep, optionalSteps } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { KeysUnder, Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import {
  type AccountFieldProblems,
  accountForm,
  addressesOf,
  problemWords,
  refusedField,
  type TypedAccount,
  typedIn,
} from "./account-form.ts";
import type { ConsoleApp } from "./console-session.ts";
import { findingInWords } from "./in-words.ts";
import type { AccountAddresses, ConsoleFrame, PageOf, PublicFrame } from "./partials.ts";
import { chosen } from "./requests.ts";
import { showPublicPage } from "./show-page.ts";
import { type Gate, ofRegistration, type Visit } from "./gate.ts";

export type SetUpPage = PageOf<typeof setUpModel>;

/** A part of the page, with the page's model. */
export type SetUpStepPart = SetUpPage & { state: StepState };

/** A step in which nothing has to be set. */
export type OptionalStepPart = Pick<SetUpPage, "t" | "base" | "formToken"> & {
  step: OptionalStep;
  state: StepState;
  /** An administrator answered it by hand. */
  marked: boolean;
};

export type FindingsPart = Pick<SetUpPage, "t"> & { findings: readonly DoctorFinding[] };

/** A new webhook secret of an institution's own account, shown once. */
export type SetUpSecretPage = ConsoleFrame & Omit<AccountAddresses, "t"> & { base: string };

/** Asks before an institution's own account is paused or resumed. */
export type SetUpPausePage = ConsoleFrame & { base: string; paused: boolean };

/** Shown after an LMS was removed. */
export type SetUpRemovedPage = PublicFrame;

const setUpRemovedPage = defineView<SetUpRemovedPage>("admin/set-up-removed");
const setUpPage = defineView<SetUpPage>("admin/set-up");
const setUpSecretPage = defineView<SetUpSecretPage>("admin/set-up-secret");
const setUpPausePage = defineView<SetUpPausePage>("admin/set-up-pause");

/** A message under `institution.setUp.notes`. `at`: the step it opens. `blocked`: it isn't a success. */
type SetUpNote = { note: KeysUnder<"institution.setUp.notes">; at?: SetUpStep; blocked?: true };

/** Each shown once. */
const setUpNotes: readonly SetUpNote[] = [
  { note: "connection" },
  { note: "connected" },
  { note: "unsure", at: "webhooks", blocked: true },
  { note: "byHand", at: "webhooks", blocked: true },
  { note: "notSet", at: "webhooks", blocked: true },
  { note: "ended" },
  { note: "asked", at: "doctor" },
  { note: "underWay", at: "doctor", blocked: true },
  { note: "accepted" },
  { note: "marked" },
  { note: "paused" },
  { note: "resumed" },
];

const tones = { done: "good", skipped: "free", todo: "none", wrong: "bad", running: "info" } as const;

const connectionFields = ["baseUrl", "appUrl", "apiKey"] as const;

/**
 * Lets an institution set itself up, on a page of steps that can be left and continued. Open to the LMS's administrators. They may change
 * their account here only while no other LMS uses it.
 */
export function setUpPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes(ofRegistration);
  const path = "/registrations/:id/set-up";
  const step = (name: string, act: (visit: Visit, id: string) => Promise<string | null>) =>
    action(`${path}/${name}`, async (visit) => {
      const id = visit.part("id");
      const note = await act(visit, id);
      if (note !== null) visit.goTo(baseOf(id), note);
    });
  page(path, async (visit) => {
    const note = setUpNotes.find(({ note: name }) => name === visit.request.query["note"]) ?? null;
    await showPage(app, visit, { note, opened: note?.at });
  });
  step("connection", (visit, id) => connect(app, visit, id));
  step("webhooks", async (visit, id) => {
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
  step("doctor", async (visit, id) => {
    const { account } = await ownOf(app, visit, id);
    const begun = await runDoctor({ ...app, ...visit.by }, { account, registrationId: id });
    return begun === null ? "underWay" : "asked";
  });
  step("deployments", async (visit, id) => {
    await acceptNewDeployment({ ...app, ...visit.by }, id, visit.field("deployment"));
    return "accepted";
  });
  step("steps", async ({ field }, id) => {
    const mark = chosen(field("mark"), ["done", "skipped", "open"]);
    const marked = chosen(field("step"), optionalSteps);
    await markStep(app, id, { step: marked, mark: mark === "open" ? null : mark });
    return "marked";
  });
  page(`${path}/pause`, async (visit) => {
    const id = visit.part("id");
    const registration = await knownRegistration(app.registrations, id);
    const { paused, name } = await requireOwnAccount(app, registration, visit.deployment);
    visit.show({
      view: setUpPausePage,
      title: visit.t(paused ? "accounts.resume.heading" : "accounts.pause.heading", { name }),
      area: "registrations",
      model: { base: baseOf(id), paused },
    });
  });
  step("pause", async (visit, id) => {
    const paused = chosen(visit.field("to"), ["pause", "resume"]) === "pause";
    const { of, account } = await ownOf(app, visit, id);
    await pauseAccount(of, account, paused);
    return paused ? "paused" : "resumed";
  });
  step("remove", async (visit, id) => {
    await uninstallRegistration({ ...app, ...visit.by }, id, visit.field("typed"));
    // Their session has ended with the LMS.
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

/** The LMS's own account, and what is needed to change it and log the change. @throws NamedError "account-not-own" */
async function ownOf(app: ConsoleApp, visit: Visit, id: string) {
  const registration = await knownRegistration(app.registrations, id);
  const { id: account } = await requireOwnAccount(app, registration, visit.deployment);
  return { account, of: { ...app, ...visit.by, ofRegistration: id } };
}

async function connect(app: ConsoleApp, visit: Visit, id: string): Promise<string | null> {
  const typed = typedIn(visit, connectionFields);
  // Empty: keeps the key.
  const { apiKey, ...addresses } = typed;
  const { own } = await showSetUp(app, id, visit.deployment);
  const keeps = apiKey === "" && own?.hasKey === true;
  const read = readConnection(keeps ? addresses : typed);
  let problems: AccountFieldProblems;
  if ("problems" in read) problems = problemWords(visit.t, read.problems);
  else
    try {
      const whose = { registrationId: id, deploymentId: visit.deployment };
      await giveConnection({ ...app, ...visit.by }, whose, read.value);
      return "connection";
    } catch (thrown) {
      problems = refusedConnection(app, visit, typed, thrown);
    }
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

type SetUpForm = {
  note?: SetUpNote | null;
  typed?: TypedAccount;
  problems?: AccountFieldProblems;
  opened?: SetUpStep | undefined;
};

async function showPage(app: ConsoleApp, visit: Visit, form: SetUpForm): Promise<void> {
  const model = await setUpModel(app, visit, form);
  const title = visit.t("institution.setUp.heading", { name: model.name });
  visit.show({ view: setUpPage, title, area: "registrations", model });
}

async function setUpModel(
  app: ConsoleApp,
  { t, part, deployment }: Visit,
  { note: asked = null, typed, problems = {}, opened }: SetUpForm,
) {
  const id = part("id");
  const { own, steps, done, summary, examined, lastWebhookAt } = await showSetUp(app, id, deployment);
  const { registration, deployments, lastLaunchAt } = summary;
  return {
    id,
    done,
    own,
    lastWebhookAt,
    lastLaunchAt,
    deployments,
    /** The page's address, under which its forms are sent. */
    base: baseOf(id),
    // A check that has since ended needs no note.
    note: asked?.note === "asked" && examined?.state !== "running" ? null : asked,
    examined: examined && { ...examined, findings: examined.findings.map((one) => findingInWords(t, one)) },
    /** The LMS's name, which must be typed before everything is erased. */
    name: registration.name,
    marks: registration.setUpMarks ?? {},
    steps: stepViews(t, steps, opened),
    progress: t("institution.setUp.progress", { done, all: steps.length }),
    connection: connectionForm(t, own, typed, problems),
    ...addressesOf(app.publicUrl, own?.id ?? ""),
  };
}

/** @param opened The step to open. Default: the first that isn't done. */
function stepViews(t: Translate, steps: SetUp["steps"], opened: SetUpStep | undefined) {
  const first = steps.find(({ state }) => state !== "done" && state !== "skipped")?.step;
  return steps.map(({ step, state }, index) => ({
    step,
    state,
    number: index + 1,
    tone: tones[state],
    stateText: t(`institution.setUp.states.${state}`),
    open: step === (opened ?? first),
  }));
}

/** @param typed Default: as stored. */
function connectionForm(
  t: Visit["t"],
  own: SetUp["own"],
  typed: TypedAccount | undefined,
  problems: AccountFieldProblems,
) {
  const { baseUrl, appUrl, hasKey } = own ?? { baseUrl: "", appUrl: "", hasKey: false };
  return accountForm(t, {
    names: connectionFields,
    typed: typed ?? { baseUrl, appUrl },
    problems,
    optional: hasKey ? ["apiKey"] : [],
  });
}
