import { type InstitutionDefaults, type RuleName, ruleNames } from "../../../domain/institution-defaults.ts";
import { joinQuestions } from "../../../domain/join-settings.ts";
import { sameRule } from "../../../domain/unplanned-rule.ts";
import { otherStaff, staffLevels } from "../../../domain/course-rights.ts";
import { defineView } from "../../../web/view.ts";
import type { Translate } from "../../../web/translate.ts";
import type { SettingsField } from "../../courses/pages/settings-form.ts";
import { answersTo, answerText, problemText } from "../../courses/pages/settings-view.ts";
import {
  digestOptions,
  lowOptions,
  reminderOptions,
  weeklyText,
} from "../../mail/pages/course-mail-options.ts";
import { ruleFields } from "../../unplanned/pages/unplanned-page.ts";
import {
  gradingFormView,
  type GradingFormShown,
  type NumberName,
  type SelectName,
} from "../../grading/pages/grading-form-view.ts";
import {
  type DefaultsForm,
  type DefaultsProblems,
  formOfDefaults,
  ruleStates,
  spacesRules,
} from "./defaults-form.ts";
import type { ConsoleFrame } from "./partials.ts";

type Option = { value: string; label: string; chosen: boolean };

type Choice = { name: string; problem: string | null; options: readonly Option[] };

export type DefaultsSelect = { choice: Choice; label: string };

export type DefaultsNumber = { name: string; label: string; value: string; problem: string | null };

type RuleRow = { name: RuleName; label: string; options: readonly Option[] };

export type DefaultsState = RuleRow & { t: Translate };

type FormView = {
  rule: (name: RuleName) => RuleRow;
  questions: (Choice & { name: RuleName })[];
  newSpace: (Choice & { label: string })[];
  spaces: Choice;
  opens: Choice;
  minutes: DefaultsNumber[];
  kind: Choice;
  number: (name: NumberName) => DefaultsNumber;
  credit: ReturnType<typeof gradingFormView>["credit"];
  worth: Choice;
  weighing: (Choice & { label: string })[];
  denominator: Choice;
  formula: Choice;
  completion: Choice;
  beforeCompletion: Choice & { label: string };
  comment: Choice;
  staff: (Choice & { label: string })[];
  unplanned: (Choice & { label: string })[];
  checkIn: Choice;
  reminders: (Choice & { label: string })[];
  weekly: (Choice & { label: string })[];
  wrong: { id: string; label: string }[];
};

export type DefaultsPage = ConsoleFrame &
  FormView & {
    id: string;
    /** How many follow when something is locked. */
    courses: number;
    revision: number;
    saved: boolean;
    /** Somebody else has changed the values in `changed` meanwhile. */
    late: boolean;
    changed: string[];
  };

export const defaultsPage = defineView<DefaultsPage>("admin/defaults");

export function defaultsFormView(t: Translate, form: DefaultsForm, problems: DefaultsProblems): FormView {
  const { choices, selects, comment, credit, numbers } = gradingFormView(t, form.grading, problems.grading, {
    policy: { kind: "no-grades" },
  });
  return {
    rule: (name) => ruleRow(t, form, name),
    ...settingsView(t, form, problems),
    spaces: {
      name: "spaces",
      problem: null,
      options: spacesRules.map((value) => ({
        value,
        label: t(`institution.spaces.${value}`),
        chosen: form.spaces === value,
      })),
    },
    kind: { name: "kind", problem: choices.kind.problem, options: choices.kind.answers },
    number: (name) => ({
      name,
      label: t(`grading.fields.${name}.label`),
      value: form.grading[name],
      problem: numbers[name].problem,
    }),
    credit,
    worth: { name: "worth", problem: choices.worth.problem, options: choices.worth.answers },
    weighing: [labelled(t, selects.below), labelled(t, selects.hiddenMinutes)],
    denominator: {
      name: "denominator",
      problem: choices.denominator.problem,
      options: choices.denominator.answers,
    },
    formula: { name: "formula", problem: choices.formula.problem, options: choices.formula.answers },
    completion: {
      name: "completion",
      problem: choices.completion.problem,
      options: choices.completion.answers,
    },
    beforeCompletion: labelled(t, selects.beforeCompletion),
    comment: { name: "comment", problem: comment.problem, options: comment.answers },
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
    unplanned: [
      ...ruleFields(t, form.unplanned).map(({ name, label, options }) => ({
        ...{ name: `unplanned-${name}`, label, options, problem: null },
      })),
      lockChoice(t, "unplanned-locked", form.unplanned.locked === true),
    ],
    checkIn: {
      name: "checkIn",
      problem: null,
      options: (["off", "on"] as const).map((value) => ({
        ...{ value, label: t(`checkIn.switch.${value}`), chosen: form.checkIn === value },
      })),
    },
    reminders: [
      {
        ...{ name: "reminders-minutes", label: t("common.when"), problem: null },
        options: reminderOptions(t, form.reminders.minutes),
      },
      lockChoice(t, "reminders-locked", form.reminders.locked),
    ],
    weekly: [
      {
        ...{ name: "weekly-digest", label: t("mail.course.digest"), problem: null },
        options: digestOptions(t, form.weekly.digest),
      },
      {
        ...{ name: "weekly-low", label: t("mail.course.low"), problem: null },
        options: lowOptions(t, form.weekly.low, null),
      },
      lockChoice(t, "weekly-locked", form.weekly.locked),
    ],
    wrong: wrongView(t, problems),
  };
}

function lockChoice(t: Translate, name: string, locked: boolean): Choice & { label: string } {
  return {
    ...{ name, label: t("institution.reminders.who"), problem: null },
    options: (["no", "yes"] as const).map((value) => ({
      ...{ value, label: t(`institution.reminders.locked.${value}`), chosen: (value === "yes") === locked },
    })),
  };
}

function ruleRow(t: Translate, { states }: DefaultsForm, name: RuleName): RuleRow {
  return {
    name,
    label: ruleLabel(t, name),
    options: ruleStates.map((value) => ({
      value,
      label: t(`institution.states.${value === "" ? "unset" : value}`),
      chosen: states[name] === value,
    })),
  };
}

function settingsView(
  t: Translate,
  { settings: form }: DefaultsForm,
  { settings: problems }: DefaultsProblems,
): Pick<FormView, "questions" | "newSpace" | "opens" | "minutes"> {
  const choice = <Name extends SettingsField>(name: Name, answers: readonly string[]) => ({
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
    newSpace: [
      { ...choice("newAccess", ["Public", "Private"]), label: t("settings.fields.newAccess.label") },
      { ...choice("newWaiting", ["no", "yes"]), label: t("settings.fields.newWaiting.label") },
    ],
    opens: choice("opens", ["always", "around-sessions"]),
    minutes: (["minutesBefore", "minutesAfter"] as const).map((name) => ({
      name,
      label: t(`settings.fields.${name}.label`),
      value: form[name],
      problem: problemText(t, problems[name]),
    })),
  };
}

function labelled(
  t: Translate,
  { name, problem, answers }: GradingFormShown["selects"][SelectName],
): Choice & { label: string } {
  return { name, problem, options: answers, label: t(`grading.fields.${name}.label`) };
}

const selectFields: readonly string[] = [
  "kind",
  "worth",
  "below",
  "hiddenMinutes",
  "denominator",
  "formula",
  "completion",
  "beforeCompletion",
];

function wrongView(t: Translate, problems: DefaultsProblems): FormView["wrong"] {
  const settings = Object.keys(problems.settings).map((field) => ({
    id: field,
    label: t.dynamic(`settings.fields.${field}.label`) ?? field,
  }));
  const grading = Object.keys(problems.grading).map((field) => ({
    id: selectFields.includes(field) ? `value-${field}` : field,
    label: t.dynamic([`review.statuses.${field}`, `grading.fields.${field}.label`]) ?? field,
  }));
  return [...settings, ...grading];
}

/** Rules without words of their own are labelled as on the course's pages. */
function ruleLabel(t: Translate, name: RuleName): string {
  const keys = [`institution.rules.${name}`, `settings.fields.${name}.label`, `grading.fields.${name}.label`];
  return t.dynamic(keys) ?? name;
}

/** Values that are stored otherwise than typed. */
export function changedNames(t: Translate, defaults: InstitutionDefaults, form: DefaultsForm): string[] {
  const stored = formOfDefaults(defaults);
  const rules = ruleNames
    .filter((name) => stored.states[name] !== form.states[name])
    .map((name) => ruleLabel(t, name));
  const staff = otherStaff
    .filter((role) => stored.staff[role] !== form.staff[role])
    .map((role) => t(`institution.staff.roles.${role}`));
  const spaces = stored.spaces === form.spaces ? [] : [t("institution.spaces.label")];
  const isSameRule =
    sameRule(stored.unplanned, form.unplanned) &&
    (stored.unplanned.locked === true) === (form.unplanned.locked === true);
  const unplanned = isSameRule ? [] : [t("institution.unplanned.heading")];
  const { minutes, locked } = stored.reminders;
  const isSame = minutes === form.reminders.minutes && locked === form.reminders.locked;
  const reminders = isSame ? [] : [t("mail.course.reminders")];
  const isSameWeek =
    stored.weekly.locked === form.weekly.locked &&
    weeklyText(t, stored.weekly) === weeklyText(t, form.weekly);
  const weekly = isSameWeek ? [] : [t("mail.course.weekly")];
  return [...rules, ...spaces, ...staff, ...unplanned, ...reminders, ...weekly];
}
