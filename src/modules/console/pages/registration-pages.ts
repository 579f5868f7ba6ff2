import type { Router } from "express";
import { familyChoices, hasOwnAdapter, type LmsWording } from "../../../domain/lms-product.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { accountOfLms } from "../../accounts/known-accounts.ts";
import {
  decideDeployment,
  endSessionsOfLms,
  endSessionsOfUser,
  letAdministratorsIn,
  rotateKeys,
  sendDescription,
  setFamily,
  setNewDeployments,
  setTrustedAudiences,
  switchRegistration,
} from "../../operations/change-registration.ts";
import {
  listAllKeys,
  listRegistrations,
  type RegistrationSummary,
  showRegistration,
  tryConnection,
} from "../../operations/registrations.ts";
import type { SetUpProgress } from "../../operations/rules/set-up.ts";
import { listSetUps, showSetUp } from "../../operations/set-up.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import type { DescriptionGap } from "../../../lms/tool-description.ts";
import { resealAll } from "../../operations/upkeep.ts";
import { askDescription, knownRegistration } from "../../registration/registrations.ts";
import { type ConnectionReport, contradictingProduct } from "../../registration/rules/registration.ts";
import { agoText } from "../../../web/course-times.ts";
import { adviceText, numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, ofRegistration, operatorsOnly, type Visit } from "./gate.ts";
import { nameOfAccount, sessionsView } from "./in-words.ts";
import { consoleList } from "./list.ts";
import { table } from "./list-view.ts";
import type { ConsoleFrame, PageOf } from "./partials.ts";
import { addressWith, chosen } from "./requests.ts";

export type RegistrationPage = PageOf<typeof registrationModel>;

/** The latest test's outcome and time. */
export type ReportPart = Pick<RegistrationPage, "t" | "time"> & { report: ConnectionReport };
/** How the LMS's description of the tool differs from today's. */
export type DescriptionPart = RegistrationPage & { gap: DescriptionGap };
export type RegistrationValues = Pick<RegistrationPage, "t" | "registration" | "values">;

const registrationPage = defineView<RegistrationPage>("admin/registration");

/** Messages under `console.notes`, each shown once. */
const notes = [
  "added",
  "switchedOn",
  "switchedOff",
  "accepted",
  "refused",
  "policy",
  "family",
  "rotated",
  "replaced",
  "replacedUnseen",
  "letIn",
  "keptOut",
  "signedOut",
  "sameLms",
  "audiences",
  "described",
  "describedLater",
  "describedAsBefore",
] as const;

/** Parts of the page, each with its address. Administrators of the LMS see the first three. */
const tabs = ["overview", "connection", "access", "keys", "off"] as const;
type Tab = (typeof tabs)[number];

function tabAddress(id: string, tab: Tab): string {
  return addressWith(`/admin/registrations/${id}`, { tab: tab === "overview" ? "" : tab });
}

export function registrationPages(app: ConsoleApp, gate: Gate): Router {
  const router = registrationsList(app, gate);
  const { page, action } = gate.routes(ofRegistration, router);
  page("/registrations/:id", async (visit) => {
    const model = await registrationModel(app, visit);
    const title = model.registration.name;
    visit.show({ view: registrationPage, title, area: "registrations", model });
  });
  action("/registrations/:id/test", async ({ part, by, goTo }) => {
    await tryConnection({ ...app, ...by }, part("id"));
    goTo(tabAddress(part("id"), "connection"));
  });
  action("/registrations/:id/sign-out", async ({ part, field, by, goTo }) => {
    const id = part("id");
    const scope = chosen(field("whom"), ["all", "user"]);
    if (scope === "all") await endSessionsOfLms({ ...app, ...by }, id);
    else await endSessionsOfUser({ ...app, ...by }, id, field("user"));
    goTo(tabAddress(id, "access"), "signedOut");
  });
  action("/registrations/:id/description", async ({ part, field, by, goTo }) => {
    const how = chosen(field("how"), ["look", "send"]);
    const id = part("id");
    const gap =
      how === "send"
        ? await sendDescription({ ...app, ...by }, id)
        : await askDescription(app, await knownRegistration(app.registrations, id), "read");
    const later = how === "send" ? "describedLater" : "describedAsBefore";
    goTo(tabAddress(id, "overview"), gap === null ? "described" : later);
  });

  const forOperators = gate.routes(operatorsOnly, router);
  const change = (path: string, tab: Tab, act: (visit: Visit, id: string) => Promise<string>) =>
    forOperators.action(`/registrations/:id/${path}`, async (visit) => {
      const id = visit.part("id");
      visit.goTo(tabAddress(id, tab), await act(visit, id));
    });
  change("switch", "off", async ({ field, asOperator }, id) => {
    const active = chosen(field("to"), ["on", "off"]) === "on";
    await switchRegistration({ ...app, ...asOperator }, id, active);
    return active ? "switchedOn" : "switchedOff";
  });
  change("administrators", "access", async ({ field, asOperator }, id) => {
    const enter = chosen(field("to"), ["in", "out"]) === "in";
    await letAdministratorsIn({ ...app, ...asOperator }, id, enter);
    return enter ? "letIn" : "keptOut";
  });
  change("deployments", "connection", async ({ field, asOperator }, id) => {
    const status = chosen(field("status"), ["accepted", "refused"]);
    await decideDeployment({ ...app, ...asOperator }, id, field("deployment"), status);
    return status;
  });
  change("new-deployments", "connection", async ({ field, asOperator }, id) => {
    await setNewDeployments({ ...app, ...asOperator }, id, chosen(field("policy"), ["accept", "refuse"]));
    return "policy";
  });
  change("family", "overview", async ({ field, asOperator }, id) => {
    await setFamily({ ...app, ...asOperator }, id, chosen(field("to"), familyChoices));
    return "family";
  });
  change("audiences", "keys", async ({ field, asOperator }, id) => {
    await setTrustedAudiences({ ...app, ...asOperator }, id, audiencesIn(field("audiences")));
    return "audiences";
  });
  change("keys", "keys", async ({ field, asOperator }, id) => {
    const atOnce = field("how") === "at-once";
    const { unseen } = await rotateKeys({ ...app, ...asOperator }, id, { atOnce });
    if (unseen !== null) return "replacedUnseen";
    return atOnce ? "replaced" : "rotated";
  });
  return router;
}

function registrationsList(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/registrations",
    area: "registrations",
    openTo: narrowed,
    instead: ({ within }) => (within === null ? null : `/admin/registrations/${within}`),
    read: () => ({}),
    rows: async ({ t }) => {
      const rows = await listRegistrations(app);
      return { tables: [registrationsTable(app, t, rows, await listSetUps(app, rows))] };
    },
    around: ({ t }) => ({
      empty: t("console.registrations.none"),
      ways: [
        { text: t("console.areas.invite"), link: "/admin/invitations/new", primary: true },
        { text: t("console.areas.add"), link: "/admin/registrations/new" },
      ],
    }),
  });
}

function registrationsTable(
  { accounts, clock }: ConsoleApp,
  t: Translate,
  rows: readonly RegistrationSummary[],
  setUps: ReadonlyMap<string, SetUpProgress>,
) {
  return table({ label: t("console.areas.registrations"), rows }, ({ column, plain, end }) => [
    plain(
      t("console.courses.lms"),
      ({ registration: { id, name, family, issuer, clientId }, undecided, missingAccount }) => [
        { text: name, link: `/admin/registrations/${id}` },
        undecided === 0
          ? null
          : {
              text: t("console.registrations.undecided", { count: undecided }),
              link: `${tabAddress(id, "connection")}#deployments`,
            },
        missingAccount === null
          ? null
          : t("console.environmentOff", { environment: nameOfAccount(t, accounts, missingAccount) }),
        t(`console.families.${family}`),
        { text: issuer, code: true },
        { label: t("console.add.fields.clientId"), text: clientId, code: true },
      ],
    ),
    plain(t("common.state"), ({ registration: { id, active } }) => {
      const { text } = setUpProgressOf(t, setUps.get(id) ?? { steps: [], done: 0 });
      return [
        { text: t(active ? "console.on" : "common.off"), pill: active ? "good" : "none" },
        { label: t("institution.setUp.open"), text, link: `/admin/registrations/${id}/set-up` },
      ];
    }),
    column(t("console.overview.account"), ({ registration }) => {
      const id = accountOfLms(registration);
      return { text: nameOfAccount(t, accounts, id), link: `/admin/accounts/${id}` };
    }),
    end(t("console.facts.courses"), ({ courses }) => numberText(t, courses)),
    column(t("console.facts.lastLaunch"), ({ lastLaunchAt }) =>
      lastLaunchAt === null ? t("console.never") : agoText(t, lastLaunchAt, clock.now()),
    ),
  ]);
}

function setUpProgressOf(t: Translate, { steps, done }: SetUpProgress): { text: string; tone: Tone } {
  const all = steps.length;
  return { text: t("institution.setUp.progress", { done, all }), tone: done === all ? "good" : "wait" };
}

/** LTI ids have at most 255 characters. */
const limits = { audiences: 20, characters: 255 };

/** @throws NamedError "audiences-unreadable" */
function audiencesIn(typed: string): string[] {
  const lines = typed.split(/\r?\n/).map((line) => line.trim());
  const audiences = [...new Set(lines.filter((line) => line !== ""))];
  const tooMuch =
    audiences.length > limits.audiences || audiences.some((one) => one.length > limits.characters);
  if (!tooMuch) return audiences;
  throw refusal("audiences-unreadable", { values: limits, status: 422 });
}

/** The English message also names the LMS's setting. */
function checkText(t: Translate, wording: LmsWording, check: ConnectionReport["checks"][number]): string {
  const { message, coded, outcome, missingScope, step } = check;
  if (coded === undefined || t("language.code") === "en") return message;
  // Otherwise the LMS failed, which no setting explains.
  const isWithheld = outcome === "fails" && (missingScope !== null || step === "launch");
  const where = isWithheld ? t(`institution.readiness.do.services.${wording}`) : "";
  return `${adviceText(t, message, coded)} ${where}`;
}

async function registrationModel(app: ConsoleApp, { request, note, part, t, within, deployment }: Visit) {
  const came = note(notes);
  const details = await showRegistration(app, part("id"));
  const { registration } = details;
  const { id } = registration;
  const report = await app.connectionTests.find(id);
  const { wording } = capabilitiesOf(registration);
  const open = within === null ? tabs : tabs.slice(0, 3);
  const current = open.find((one) => one === request.query["tab"]) ?? "overview";
  const count = await app.browserSessions.countLive({ registrationId: id }, app.clock.now());
  return {
    ...details,
    tab: current,
    tabs: open.map((tab) => ({
      text: t(`console.registration.tabs.${tab}`),
      link: tabAddress(id, tab),
      current: tab === current,
    })),
    offLink: tabAddress(id, "off"),
    report,
    checks: report?.checks.map((check) => ({ ...check, text: checkText(t, wording, check) })) ?? [],
    /** How the LMS's description of the tool differs from today's. */
    gap: app.toolDescriptions.gap(registration),
    /** The LMS's name for its product, if we treat it as another product. */
    contradicting: contradictingProduct(registration),
    familyChoices,
    ownAdapter: hasOwnAdapter(registration.family),
    sessions: sessionsView(t, count, {
      of: "lms",
      byUser: true,
      action: `/admin/registrations/${id}/sign-out`,
    }),
    account: accountOfLms(registration),
    setUp: setUpProgressOf(t, await showSetUp(app, id, deployment)),
    letIn: registration.administratorsEnter === true,
    note: came,
    noteTone: came === "replacedUnseen" ? "wait" : "good",
    values: app.manualValues,
  };
}

export type KeysPage = ConsoleFrame &
  Awaited<ReturnType<typeof listAllKeys>> & { note: (typeof keyNotes)[number] | null };

const keysPage = defineView<KeysPage>("admin/keys");

/** Messages under `console.allKeys.notes`, each shown once. */
const keyNotes = ["rotated", "resealed"] as const;

export function keysPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  page("/keys", async ({ note, show, t }) => {
    show({
      view: keysPage,
      title: t("console.areas.keys"),
      area: "keys",
      model: { ...(await listAllKeys(app)), note: note(keyNotes) },
    });
  });
  action("/keys", async ({ field, goTo, asOperator }) => {
    chosen(field("what"), ["reseal"]);
    await resealAll({ ...app, ...asOperator });
    goTo("/admin/keys", "resealed");
  });
  action("/keys/:id/rotate", async ({ part, goTo, asOperator }) => {
    await rotateKeys({ ...app, ...asOperator }, part("id"));
    goTo("/admin/keys", "rotated");
  });
  return router;
}
