import { Router } from "express";
import { changeInstitutionDefaults, showInstitutionDefaults } from "../../courses/institution-change.ts";
import type { ConsoleApp } from "./console-app.ts";
import {
  defaultsOfForm,
  type DefaultsForm,
  defaultsPosted,
  type DefaultsProblems,
  formOfDefaults,
} from "./defaults-form.ts";
import { changedNames, defaultsFormView, defaultsPage } from "./defaults-view.ts";
import { type Gate, ofRegistration, type Visit } from "./gate.ts";

export function defaultsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/registrations/:id/defaults",
    gate.page((visit) => showDefaults(deps, visit, {}), ofRegistration),
  );
  router.post(
    "/registrations/:id/defaults",
    gate.action(async (visit) => {
      const registrationId = visit.part("id");
      const form = defaultsPosted(visit.request.body);
      const revision = /^\d{1,9}$/.test(visit.field("revision")) ? Number(visit.field("revision")) : -1;
      const read = defaultsOfForm(form, { registrationId, revision });
      if (read.defaults === null) {
        visit.response.status(422);
        await showDefaults(deps, visit, { form, problems: read.problems, revision });
      } else if (await changeInstitutionDefaults({ ...deps, ...visit.by }, read.defaults)) {
        visit.goTo(`/admin/registrations/${registrationId}/defaults`, "saved");
      } else {
        visit.response.status(409);
        await showDefaults(deps, visit, { form, late: true });
      }
    }, ofRegistration),
  );
  return router;
}

type Shown = {
  /** As typed; as stored when left out. */
  form?: DefaultsForm;
  problems?: DefaultsProblems;
  /** Somebody else has changed the values meanwhile. */
  late?: boolean;
  /** Of what is typed; that of what is stored when left out. */
  revision?: number;
};

async function showDefaults(deps: ConsoleApp, visit: Visit, shown: Shown): Promise<void> {
  const { registration, defaults, courses } = await showInstitutionDefaults(deps, visit.part("id"));
  const { t } = visit;
  const { form = formOfDefaults(defaults), problems = { settings: {}, grading: {} }, late = false } = shown;
  visit.show({
    view: defaultsPage,
    title: t("institution.heading", { name: registration.name }),
    area: "registrations",
    model: {
      ...defaultsFormView(t, form, problems),
      id: registration.id,
      courses,
      revision: shown.revision ?? defaults.revision,
      saved: visit.request.query["note"] === "saved",
      late,
      changed: late ? changedNames(t, defaults, form) : [],
    },
  });
}
