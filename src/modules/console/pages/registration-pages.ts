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
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { chosen } from "./fields.ts";
import { type Gate, narrowed, ofRegistration, type Visit } from "./gate.ts";
import { type SessionsView, sessionsView } from "./in-words.ts";
import type { ConsoleFrame } from "./partials.ts";

/** `setUp`: how far the institution is. */
export type RegistrationsPage = ConsoleFrame & {
  rows: readonly (RegistrationSummary & { account: string; setUp: SetUpShown })[];
};

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

const registrationsPage = defineView<RegistrationsPage>("admin/registrations");
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

export function registrationPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/registrations",
    gate.page(async ({ show, t, within, goTo }) => {
      if (within !== null) {
        goTo(`/admin/registrations/${within}`);
        return;
      }
      const listed = await listRegistrations(deps);
      const setUps = await listSetUps(deps, listed);
      const rows = listed.map((row) => ({
        ...row,
        account: accountOfLms(row.registration),
        setUp: setUpShown(t, setUps.get(row.registration.id) ?? { steps: [], done: 0 }),
      }));
      show({
        view: registrationsPage,
        title: t("console.areas.registrations"),
        area: "registrations",
        model: { rows },
      });
    }, narrowed),
  );
  router.get(
    "/registrations/:id",
    gate.page((visit) => showOne(deps, visit, null), ofRegistration),
  );
  router.post(
    "/registrations/:id/test",
    gate.action(async (visit) => {
      await showOne(deps, visit, await tryConnection({ ...deps, ...visit.by }, visit.part("id")));
    }, ofRegistration),
  );
  router.post(
    "/registrations/:id/sign-out",
    gate.action(async ({ part, field, by, goTo }) => {
      const id = part("id");
      const whom = chosen(field("whom"), ["all", "user"]);
      if (whom === "all") await endSessionsOfLms({ ...deps, ...by }, id);
      else await endSessionsOfUser({ ...deps, ...by }, id, field("user"));
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
    await switchRegistration({ ...deps, ...asOperator }, id, active);
    return active ? "switchedOn" : "switchedOff";
  });
  change("administrators", async ({ field, asOperator }, id) => {
    const enter = chosen(field("to"), ["in", "out"]) === "in";
    await letAdministratorsIn({ ...deps, ...asOperator }, id, enter);
    return enter ? "letIn" : "keptOut";
  });
  change("deployments", async ({ field, asOperator }, id) => {
    const status = chosen(field("status"), ["accepted", "refused"]);
    await decideDeployment({ ...deps, ...asOperator }, id, field("deployment"), status);
    return status;
  });
  change("new-deployments", async ({ field, asOperator }, id) => {
    await setNewDeployments({ ...deps, ...asOperator }, id, chosen(field("policy"), ["accept", "refuse"]));
    return "policy";
  });
  change("family", async ({ field, asOperator }, id) => {
    await setFamily({ ...deps, ...asOperator }, id, chosen(field("to"), familyChoices));
    return "family";
  });
  change("audiences", async ({ field, asOperator }, id) => {
    await setTrustedAudiences({ ...deps, ...asOperator }, id, audiencesIn(field("audiences")));
    return "audiences";
  });
  change("keys", async ({ field, asOperator }, id) => {
    const atOnce = field("how") === "at-once";
    await rotateKeys({ ...deps, ...asOperator }, id, { atOnce });
    return atOnce ? "replaced" : "rotated";
  });
  return router;
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
  deps: ConsoleApp,
  { request, show, part, t }: Visit,
  report: ConnectionReport | null,
): Promise<void> {
  const details = await showRegistration(deps, part("id"));
  const { id } = details.registration;
  const count = await countSessions(deps, { registrationId: id });
  const note = report === null ? request.query["note"] : undefined;
  show({
    view: registrationPage,
    title: details.registration.name,
    area: "registrations",
    model: {
      ...details,
      report: report ?? (await lastConnectionTest(deps, details.registration.id)),
      contradicting: contradictingProduct(details.registration),
      familyChoices,
      ownAdapter: hasOwnAdapter(details.registration.family),
      sessions: sessionsView(t, count, {
        of: "lms",
        action: `/admin/registrations/${id}/sign-out`,
        byUser: true,
      }),
      account: accountOfLms(details.registration),
      setUp: setUpShown(t, await showSetUp(deps, id)),
      letIn: details.registration.administratorsEnter === true,
      note: notes.find((one) => one === note) ?? null,
      values: deps.manualValues,
    },
  });
}

export type KeysPage = ConsoleFrame &
  Awaited<ReturnType<typeof listAllKeys>> & { note: (typeof keyNotes)[number] | null };

const keysPage = defineView<KeysPage>("admin/keys");

/** Messages under `console.allKeys.notes`, shown once. */
const keyNotes = ["rotated", "resealed"] as const;

export function keysPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/keys",
    gate.page(async ({ request, show, t }) => {
      const { note } = request.query;
      show({
        view: keysPage,
        title: t("console.areas.keys"),
        area: "keys",
        model: { ...(await listAllKeys(deps)), note: keyNotes.find((one) => one === note) ?? null },
      });
    }),
  );
  router.post(
    "/keys",
    gate.action(async ({ field, goTo, asOperator }) => {
      chosen(field("what"), ["reseal"]);
      await resealAll({ ...deps, ...asOperator });
      goTo("/admin/keys", "resealed");
    }),
  );
  router.post(
    "/keys/:id/rotate",
    gate.action(async ({ part, goTo, asOperator }) => {
      await rotateKeys({ ...deps, ...asOperator }, part("id"));
      goTo("/admin/keys", "rotated");
    }),
  );
  return router;
}
