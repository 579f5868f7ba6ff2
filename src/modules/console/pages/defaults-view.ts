import {
  firstValues,
  type InstitutionDefaults,
  nothingSet,
  type OptionName,
  optionNames,
} from "../../../settings/in-effect.ts";
import { fieldsOfOption, readCourseOptions } from "../../../settings/forms.ts";
import { joinNames, type JoinOptionName, type LimitField, limitRows } from "../../../settings/options.ts";
import { policyChoices } from "../../../settings/policy-options.ts";
import { otherStaff, staffLevels } from "../../../domain/course-rights.ts";
import { limitKinds } from "../../../domain/course.ts";
import { defaultGradePolicy } from "../../../domain/grade-policy.ts";
import { defineView } from "../../../web/view.ts";
import type { Translate } from "../../../web/translate.ts";
import { answersTo, answerText, problemText } from "../../courses/pages/settings-view.ts";
import { digestOptions, lowOptions, reminderOptions } from "../../mail/pages/course-mail-options.ts";
import { ruleFields } from "../../unplanned/pages/unplanned-page.ts";
import { creditView, partViews } from "../../grading/pages/grading-form-view.ts";
import { creditWords } from "../../grading/pages/grading-words.ts";
import { releaseOptions } from "../../grading/pages/sending-words.ts";
import {
  type DefaultsField,
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

/** `as`: the field of a number is short and has a keypad of digits. */
export type DefaultsInput = {
  name: string;
  label: string;
  value: string;
  problem: string | null;
  as: "number" | "text" | "date";
};

type Field = (Choice & { label: string }) | DefaultsInput;

export type DefaultsState = ReturnType<typeof ruleRow> & { t: Translate };

export type DefaultsPage = ConsoleFrame &
  ReturnType<typeof defaultsFormView> & {
    id: string;
    /** How many courses follow if something is locked. */
    courses: number;
    revision: number;
    saved: boolean;
    /** Another person has since changed the values in `changed`. */
    late: boolean;
    changed: string[];
  };

export const defaultsPage = defineView<DefaultsPage>("admin/defaults");

/** Each rule with the tool's own value, which counts if nothing is set. */
export function defaultsFormView(t: Translate, form: DefaultsForm, problems: DefaultsProblems) {
  const own = toolsOwn(t);
  return {
    ...fieldsView(t, form, problems),
    rule: (name: OptionName) => ruleRow(t, form, name, own.get(name) ?? ""),
    wrong: wrongView(t, problems),
  };
}

/** What courses start with if an institution sets nothing, as the form would show it. */
function toolsOwn(t: Translate): ReadonlyMap<OptionName, string> {
  const first = formOfDefaults(nothingSet(""));
  const { questions, newSpace, opens, parts, others } = fieldsView(t, first, nothingWrong);
  const text = (fields: readonly (Choice | DefaultsInput)[]) =>
    fields
      .flatMap((field) => ("options" in field ? field.options : []))
      .flatMap(({ chosen, label }) => (chosen ? label : []))
      .join(" · ");
  return new Map<OptionName, string>([
    ...questions.map((one) => [one.name, text([one])] as const),
    ["newSpace", text(newSpace)],
    ["doorTimes", text([opens])],
    ...parts.map(
      ({ name, value }) => [name, name === "credit" ? creditWords(t, defaultGradePolicy) : value] as const,
    ),
    ...others.flatMap(({ rules }) => rules.map(({ name, fields }) => [name, text(fields)] as const)),
    ["gradesUntil", t("grading.sending.noEnd")],
    ["limits", t("limits.kinds.none")],
  ]);
}

export const nothingWrong: DefaultsProblems = { options: {}, grading: {} };

function fieldsView(t: Translate, form: DefaultsForm, problems: DefaultsProblems) {
  const from = { form: form.options, problems: problems.grading, course: firstValues };
  const parts = partViews(t, from);
  return {
    ...settingsView(t, form, problems),
    parts,
    spaces: {
      name: "spaces",
      problem: null,
      options: optionsOf(spacesRules, form.spaces, (value) => t(`institution.spaces.${value}`)),
    },
    grading: parts.map(({ name, fields }) => ({
      name,
      fields: fields.map((field) => ({
        ...field,
        label: field.name === name && field.as !== "number" ? t("common.value") : field.label,
        options: field.answers,
      })),
    })),
    credit: creditView(t, from).rows.map((row) => ({ ...row, presets: [] })),
    staff: otherStaff.map((role) => ({
      name: `staff-${role}`,
      label: t(`institution.staff.roles.${role}`),
      problem: null,
      options: optionsOf(staffLevels, form.staff[role], (value) => t(`institution.staff.levels.${value}`)),
    })),
    others: otherRules(t, form, problems),
  };
}

function optionsOf<Value extends string>(
  values: readonly Value[],
  chosen: string,
  label: (value: Value) => string,
): Option[] {
  return values.map((value) => ({ value, label: label(value), chosen: value === chosen }));
}

function otherRules(t: Translate, { options }: DefaultsForm, { options: problems }: DefaultsProblems) {
  const followed = ["learnerWords", "unplanned", "reminders", "weekly", "gradesRelease"] as const;
  const read = readCourseOptions(followed, options);
  const { learnerWords, unplanned, reminders, weekly, gradesRelease } = { ...firstValues, ...read };
  const select = (name: DefaultsField, label: string, choices: readonly Option[]) => ({
    name,
    label,
    options: choices,
    problem: null,
  });
  const onOff = (value: "on" | "off") => t(`checkIn.switch.${value}`);
  const words = optionsOf(["on", "off"], learnerWords ? "on" : "off", onOff);
  const until = {
    name: "gradesUntil",
    label: t("grading.sending.until"),
    value: options.gradesUntil,
    problem: problems.gradesUntil === undefined ? null : t("sessions.plan.problems.date"),
    as: "date" as const,
  };
  const rule = (name: OptionName, ...fields: Field[]) => ({ name, fields });
  return [
    {
      id: "check-in",
      heading: t("checkIn.heading"),
      lead: t("checkIn.switch.lead"),
      rules: [
        rule(
          "checkIn",
          select("checkIn", t("common.value"), optionsOf(["off", "on"], options.checkIn, onOff)),
        ),
      ],
    },
    {
      id: "words",
      heading: t("institution.rules.learnerWords"),
      lead: t("words.lead"),
      rules: [rule("learnerWords", select("learnerWords", t("common.value"), words))],
    },
    {
      id: "unplanned",
      heading: t("institution.unplanned.heading"),
      lead: t("institution.unplanned.lead"),
      rules: [
        rule("unplanned", ...ruleFields(t, unplanned).map((one) => select(one.name, one.label, one.options))),
      ],
    },
    {
      id: "sending",
      heading: t("grading.sending.heading"),
      lead: t("institution.sending.lead"),
      rules: [
        rule(
          "gradesRelease",
          select("gradesRelease", t("grading.sending.release.label"), releaseOptions(t, gradesRelease)),
        ),
        rule("gradesUntil", until),
      ],
    },
    {
      id: "reminders",
      heading: t("mail.course.reminders"),
      lead: t("institution.reminders.lead"),
      rules: [
        rule("reminders", select("minutes", t("common.when"), reminderOptions(t, reminders))),
        rule(
          "weekly",
          select("digest", t("mail.course.digest"), digestOptions(t, weekly.digest)),
          select("low", t("mail.course.low"), lowOptions(t, weekly.low, null)),
        ),
      ],
    },
    {
      id: "limits",
      heading: t("console.areas.limits"),
      lead: t("limits.institution"),
      rules: [rule("limits", ...limitFields(t, options, problems))],
    },
  ];
}

/** Up to three limits with their fields' problems, and whether learners get mail. */
function limitFields(
  t: Translate,
  options: DefaultsForm["options"],
  problems: DefaultsProblems["options"],
): Field[] {
  const typed = (name: LimitField, label: string, as: DefaultsInput["as"]) => ({
    name,
    label,
    value: options[name],
    problem: problemText(t, problems[name]),
    as,
  });
  const mailed = optionsOf(["yes", "no"], options.limitMail, (value) => t(`analytics.${value}`));
  return [
    ...limitRows.flatMap((n) => [
      {
        name: `limit${n}Kind`,
        label: t("limits.limit"),
        problem: null,
        options: optionsOf(["none", ...limitKinds], options[`limit${n}Kind`], (kind) =>
          t(`limits.kinds.${kind}`),
        ),
      },
      typed(`limit${n}Number`, t("limits.number"), "number"),
      typed(`limit${n}Label`, t("limits.label"), "text"),
    ]),
    { name: "limitMail", label: t("limits.mailed"), options: mailed, problem: null },
  ];
}

function ruleRow(t: Translate, { states }: DefaultsForm, name: OptionName, own: string) {
  return {
    name,
    own,
    label: ruleLabel(t, name),
    options: optionsOf(ruleStates, states[name], (value) =>
      t(`institution.states.${value === "" ? "unset" : value}`),
    ),
  };
}

type ChoiceName = JoinOptionName | "opens" | "newAccess" | "newWaiting";

function settingsView(
  t: Translate,
  { options: form }: DefaultsForm,
  { options: problems }: DefaultsProblems,
) {
  const choice = (name: ChoiceName, answers: readonly string[]) => ({
    name,
    options: optionsOf(answers, form[name], (value) => answerText(t, name, value)),
    problem: problemText(t, problems[name]),
  });
  return {
    questions: joinNames.map((name) => ({ ...choice(name, answersTo(t, name)), name })),
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
      as: "number" as const,
    })),
  };
}

function wrongView(t: Translate, problems: DefaultsProblems) {
  const settings = Object.keys(problems.options).map((field) => ({
    id: field,
    label:
      t.dynamic([
        `settings.fields.${field}.label`,
        `institution.rules.${field}`,
        `limits.${field.replace(/^limit\d/, "").toLowerCase()}`,
      ]) ?? field,
  }));
  const grading = Object.keys(problems.grading).map((field) => ({
    id: field in policyChoices ? `value-${field}` : field,
    label: t.dynamic([`review.statuses.${field}`, `grading.fields.${field}.label`]) ?? field,
  }));
  return [...settings, ...grading];
}

/** Settings have the same labels as on the course's page. */
function ruleLabel(t: Translate, name: OptionName): string {
  return (
    t.dynamic([
      `institution.rules.${name}`,
      `settings.fields.${name}.label`,
      `grading.fields.${name}.label`,
      `institution.${name}.heading`,
      `mail.course.${name}`,
      `console.areas.${name}`,
    ]) ?? name
  );
}

/** Names of values whose stored value differs from the typed one. */
export function changedNames(t: Translate, defaults: InstitutionDefaults, form: DefaultsForm): string[] {
  const stored = formOfDefaults(defaults);
  const rules = optionNames
    .filter(
      (name) =>
        stored.states[name] !== form.states[name] ||
        fieldsOfOption(name).some((field) => stored.options[field] !== form.options[field]),
    )
    .map((name) => ruleLabel(t, name));
  const staff = otherStaff
    .filter((role) => stored.staff[role] !== form.staff[role])
    .map((role) => t(`institution.staff.roles.${role}`));
  const spaces = stored.spaces === form.spaces ? [] : [t("institution.spaces.label")];
  return [...rules, ...spaces, ...staff];
}
