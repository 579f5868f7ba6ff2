import { Router } from "express";
import { type InstitutionDefaults, type RuleName, ruleNames } from "../../../domain/institution-defaults.ts";
import { otherStaff, staffLevels } from "../../../domain/staff-rights.ts";
import { joinQuestions } from "../../../domain/join-settings.ts";
import {
  changeInstitutionDefaults,
  type ChangeInstitutionDeps,
  showInstitutionDefaults,
} from "../../courses/institution-change.ts";
import type { Translate } from "../../../web/translate.ts";
import { gradingFormView } from "../../grading/pages/grading-view.ts";
import type { SettingsField } from "../../courses/pages/settings-form.ts";
import { answersTo, answerText, problemText } from "../../courses/pages/settings-view.ts";
import {
  defaultsOfForm,
  type DefaultsForm,
  defaultsPosted,
  type DefaultsProblems,
  formOfDefaults,
  ruleStates,
  spacesRules,
} from "./defaults-form.ts";
import { type Gate, ofRegistration, type Visit } from "./gate.ts";

export type DefaultsPagesDeps = ChangeInstitutionDeps;

/** What an institution sets for the courses of its LMS. */
export function defaultsPages(deps: DefaultsPagesDeps, gate: Gate): Router {
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

async function showDefaults(deps: DefaultsPagesDeps, visit: Visit, shown: Shown): Promise<void> {
  const { registration, defaults, courses } = await showInstitutionDefaults(deps, visit.part("id"));
  const { t } = visit;
  const { form = formOfDefaults(defaults), problems = { settings: {}, grading: {} }, late = false } = shown;
  visit.show({
    view: "defaults",
    title: t("institution.heading", { name: registration.name }),
    area: "registrations",
    values: {
      id: registration.id,
      courses,
      revision: shown.revision ?? defaults.revision,
      saved: visit.request.query["note"] === "saved",
      late,
      changed: late ? changedNames(t, defaults, form) : [],
      states: statesView(t, form),
      ruleLabels: Object.fromEntries(ruleNames.map((name) => [name, ruleLabel(t, name)])),
      spaces: {
        name: "spaces",
        problem: null,
        options: spacesRules.map((value) => ({
          value,
          label: t(`institution.spaces.${value}`),
          chosen: form.spaces === value,
        })),
      },
      staff: otherStaff.map((role) => ({
        name: `staff-${role}`,
        label: t(`institution.staff.roles.${role}`),
        problem: null,
        options: staffLevels.map((value) => ({
          value,
          label: t(`institution.staff.levels.${value}`),
          chosen: form.staff[role] === value,
        })),
      })),
      ...settingsView(t, form, problems),
      ...gradingFormView(t, form.grading, problems.grading, { policy: { kind: "no-grades" } }),
      wrong: wrongView(t, problems),
    },
  });
}

/** How each value stands, as a list to choose from. */
function statesView(t: Translate, { states }: DefaultsForm) {
  return Object.fromEntries(
    ruleNames.map((name) => [
      name,
      ruleStates.map((value) => ({
        value,
        label: t(`institution.states.${value === "" ? "unset" : value}`),
        chosen: states[name] === value,
      })),
    ]),
  );
}

function settingsView(
  t: Translate,
  { settings: form }: DefaultsForm,
  { settings: problems }: DefaultsProblems,
) {
  const choice = (name: SettingsField, answers: readonly string[]) => ({
    name,
    options: answers.map((value) => ({
      value,
      label: answerText(t, name, value),
      chosen: form[name] === value,
    })),
    problem: problemText(t, problems[name]),
  });
  return {
    questions: joinQuestions.map((name) => choice(name, answersTo(t, name))),
    newSpace: [choice("newAccess", ["Public", "Private"]), choice("newWaiting", ["no", "yes"])],
    opens: choice("opens", ["always", "around-sessions"]),
    minutes: (["minutesBefore", "minutesAfter"] as const).map((name) => ({
      name,
      value: form[name],
      problem: problemText(t, problems[name]),
    })),
  };
}

/** What is wrong, each with the field that it is about. */
function wrongView(t: Translate, problems: DefaultsProblems) {
  const settings = Object.keys(problems.settings).map((field) => ({
    id: field,
    label: t.dynamic(`settings.fields.${field}.label`) ?? field,
  }));
  const grading = Object.keys(problems.grading).map((field) => ({
    id: field === "kind" || field === "denominator" ? `value-${field}` : field,
    label: t.dynamic([`grading.statuses.${field}`, `grading.fields.${field}.label`]) ?? field,
  }));
  return [...settings, ...grading];
}

/** What a rule is called; a setting of the course's page has its label there. */
function ruleLabel(t: Translate, name: RuleName): string {
  return t.dynamic([`institution.rules.${name}`, `settings.fields.${name}.label`]) ?? name;
}

/** The values that are stored otherwise than typed. */
function changedNames(t: Translate, defaults: InstitutionDefaults, form: DefaultsForm): string[] {
  const stored = formOfDefaults(defaults);
  const rules = ruleNames
    .filter((name) => stored.states[name] !== form.states[name])
    .map((name) => ruleLabel(t, name));
  const staff = otherStaff
    .filter((role) => stored.staff[role] !== form.staff[role])
    .map((role) => t(`institution.staff.roles.${role}`));
  const spaces = stored.spaces === form.spaces ? [] : [t("institution.spaces.label")];
  return [...rules, ...spaces, ...staff];
}
