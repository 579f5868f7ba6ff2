import { Router } from "express";
import { familyChoices, hasOwnAdapter } from "../../../domain/lms-product.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { ManualValues } from "../../../lms/manual-registration.ts";
import { accountOfLms } from "../../accounts/known-accounts.ts";
import {
  decideDeployment,
  rotateKeys,
  setFamily,
  setNewDeployments,
  setTrustedAudiences,
  switchRegistration,
} from "../../operations/change-registration.ts";
import {
  lastConnectionTest,
  listAllKeys,
  listRegistrations,
  type RegistrationDetails,
  type RegistrationSummary,
  showRegistration,
  tryConnection,
} from "../../operations/registrations.ts";
import type { SetUpProgress } from "../../operations/rules/set-up.ts";
import {
  countSessions,
  endSessionsOfLms,
  endSessionsOfUser,
  letAdministratorsIn,
} from "../../operations/sessions.ts";
import { listSetUps, showSetUp } from "../../operations/set-up.ts";
import { resealAll } from "../../operations/upkeep.ts";
import { contradictingProduct } from "../../registration/rules/registration.ts";
import type { ConnectionReport } from "../../registration/test-connection.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, ofRegistration, type Visit } from "./gate.ts";
import { nameOfAccount, type SessionsView, sessionsView } from "./in-words.ts";
import { consoleList } from "./list.ts";
import { table, whenOrNever } from "./list-view.ts";
import type { ConsoleFrame } from "./partials.ts";
import { chosen } from "./requests.ts";

type SetUpShown = { text: string; tone: Tone };

export type RegistrationPage = ConsoleFrame &
  RegistrationDetails & {
    report: ConnectionReport | null;
    /** What the LMS calls its product, where we treat it as another. */
    contradicting: string | null;
    familyChoices: typeof familyChoices;
    ownAdapter: boolean;
    sessions: SessionsView;
    letIn: boolean;
    account: string;
    setUp: SetUpShown;
    note: (typeof notes)[number] | null;
    values: ManualValues;
  };

export type RegistrationValues = Pick<RegistrationPage, "t" | "registration" | "values">;

const registrationPage = defineView<RegistrationPage>("admin/registration");

/** Messages under `console.notes`, shown once. */
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
  "letIn",
  "keptOut",
  "signedOut",
  "sameLms",
  "audiences",
] as const;

export function registrationPages(app: ConsoleApp, gate: Gate): Router {
  const router = registrationsList(app, gate);
  router.get(
    "/registrations/:id",
    gate.page((visit) => showOne(app, visit, null), ofRegistration),
  );
  router.post(
    "/registrations/:id/test",
    gate.action(async (visit) => {
      await showOne(app, visit, await tryConnection({ ...app, ...visit.by }, visit.part("id")));
    }, ofRegistration),
  );
  router.post(
    "/registrations/:id/sign-out",
    gate.action(async ({ part, field, by, goTo }) => {
      const id = part("id");
      const ended = chosen(field("whom"), ["all", "user"]);
      if (ended === "all") await endSessionsOfLms({ ...app, ...by }, id);
      else await endSessionsOfUser({ ...app, ...by }, id, field("user"));
      goTo(`/admin/registrations/${id}`, "signedOut");
    }, ofRegistration),
  );

  const change = (path: string, act: (visit: Visit, id: string) => Promise<string>) =>
    router.post(
      `/registrations/:id/${path}`,
      gate.action(async (visit) => {
        const id = visit.part("id");
        visit.goTo(`/admin/registrations/${id}`, await act(visit, id));
      }),
    );
  change("switch", async ({ field, asOperator }, id) => {
    const active = chosen(field("to"), ["on", "off"]) === "on";
    await switchRegistration({ ...app, ...asOperator }, id, active);
    return active ? "switchedOn" : "switchedOff";
  });
  change("administrators", async ({ field, asOperator }, id) => {
    const enter = chosen(field("to"), ["in", "out"]) === "in";
    await letAdministratorsIn({ ...app, ...asOperator }, id, enter);
    return enter ? "letIn" : "keptOut";
  });
  change("deployments", async ({ field, asOperator }, id) => {
    const status = chosen(field("status"), ["accepted", "refused"]);
    await decideDeployment({ ...app, ...asOperator }, id, field("deployment"), status);
    return status;
  });
  change("new-deployments", async ({ field, asOperator }, id) => {
    await setNewDeployments({ ...app, ...asOperator }, id, chosen(field("policy"), ["accept", "refuse"]));
    return "policy";
  });
  change("family", async ({ field, asOperator }, id) => {
    await setFamily({ ...app, ...asOperator }, id, chosen(field("to"), familyChoices));
    return "family";
  });
  change("audiences", async ({ field, asOperator }, id) => {
    await setTrustedAudiences({ ...app, ...asOperator }, id, audiencesIn(field("audiences")));
    return "audiences";
  });
  change("keys", async ({ field, asOperator }, id) => {
    const atOnce = field("how") === "at-once";
    await rotateKeys({ ...app, ...asOperator }, id, { atOnce });
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
    show: async ({ t }) => {
      const rows = await listRegistrations(app);
      const setUps = await listSetUps(app, rows);
      return {
        tables: [registrationsTable(app, t, rows, setUps)],
        empty: t("console.registrations.none"),
        ways: [
          { text: t("console.areas.invite"), link: "/admin/invitations/new", primary: true },
          { text: t("console.areas.add"), link: "/admin/registrations/new" },
        ],
      };
    },
  });
}

function registrationsTable(
  { accounts }: ConsoleApp,
  t: Translate,
  rows: readonly RegistrationSummary[],
  setUps: ReadonlyMap<string, SetUpProgress>,
) {
  return table({ label: t("console.areas.registrations"), rows }, ({ column, plain, end }) => [
    plain(
      t("console.courses.lms"),
      ({ registration: { id, name, family, issuer, clientId, environment }, undecided, environmentOff }) => [
        { text: name, link: `/admin/registrations/${id}` },
        undecided === 0
          ? null
          : {
              text: t("console.registrations.undecided", { count: undecided }),
              link: `/admin/registrations/${id}#deployments`,
            },
        environmentOff
          ? t("console.environmentOff", { environment: nameOfAccount(t, accounts, environment) })
          : null,
        t(`console.families.${family}`),
        { text: issuer, code: true },
        { label: t("console.add.fields.clientId"), text: clientId, code: true },
      ],
    ),
    plain(t("common.state"), ({ registration: { id, active } }) => {
      const { text } = setUpShown(t, setUps.get(id) ?? { steps: [], done: 0 });
      return [
        { text: t(active ? "console.on" : "common.off"), pill: active ? "good" : "none" },
        { label: t("institution.setUp.open"), text, link: `/admin/registrations/${id}/set-up` },
      ];
    }),
    column(t("console.overview.account"), ({ registration }) => {
      const id = accountOfLms(registration);
      return { text: nameOfAccount(t, accounts, id), link: `/admin/accounts/${id}` };
    }),
    end(t("console.facts.courses"), ({ courses, deployments }) => [
      numberText(t, courses),
      { label: t("console.facts.deployments"), text: numberText(t, deployments.length) },
    ]),
    column(t("console.facts.lastLaunch"), ({ lastLaunchAt }) => whenOrNever(t, lastLaunchAt)),
  ]);
}

function setUpShown(t: Translate, { steps, done }: SetUpProgress): SetUpShown {
  const all = steps.length;
  return { text: t("institution.setUp.progress", { done, all }), tone: done === all ? "good" : "wait" };
}

/** LTI ids have 255 characters at most. */
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

async function showOne(
  app: ConsoleApp,
  { request, show, part, t }: Visit,
  report: ConnectionReport | null,
): Promise<void> {
  const details = await showRegistration(app, part("id"));
  const { id } = details.registration;
  const count = await countSessions(app, { registrationId: id });
  const note = report === null ? request.query["note"] : undefined;
  show({
    view: registrationPage,
    title: details.registration.name,
    area: "registrations",
    model: {
      ...details,
      report: report ?? (await lastConnectionTest(app, details.registration.id)),
      contradicting: contradictingProduct(details.registration),
      familyChoices,
      ownAdapter: hasOwnAdapter(details.registration.family),
      sessions: sessionsView(t, count, {
        of: "lms",
        action: `/admin/registrations/${id}/sign-out`,
        byUser: true,
      }),
      account: accountOfLms(details.registration),
      setUp: setUpShown(t, await showSetUp(app, id)),
      letIn: details.registration.administratorsEnter === true,
      note: notes.find((one) => one === note) ?? null,
      values: app.manualValues,
    },
  });
}

export type KeysPage = ConsoleFrame &
  Awaited<ReturnType<typeof listAllKeys>> & { note: (typeof keyNotes)[number] | null };

const keysPage = defineView<KeysPage>("admin/keys");

/** Messages under `console.allKeys.notes`, shown once. */
const keyNotes = ["rotated", "resealed"] as const;

export function keysPages(app: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/keys",
    gate.page(async ({ request, show, t }) => {
      const { note } = request.query;
      show({
        view: keysPage,
        title: t("console.areas.keys"),
        area: "keys",
        model: { ...(await listAllKeys(app)), note: keyNotes.find((one) => one === note) ?? null },
      });
    }),
  );
  router.post(
    "/keys",
    gate.action(async ({ field, goTo, asOperator }) => {
      chosen(field("what"), ["reseal"]);
      await resealAll({ ...app, ...asOperator });
      goTo("/admin/keys", "resealed");
    }),
  );
  router.post(
    "/keys/:id/rotate",
    gate.action(async ({ part, goTo, asOperator }) => {
      await rotateKeys({ ...app, ...asOperator }, part("id"));
      goTo("/admin/keys", "rotated");
    }),
  );
  return router;
}
