import {
  firstValues,
  type InstitutionDefaults,
  nothingSet,
  type OptionName,
  optionNames,
} from "../../../settings/in-effect.ts";
import { fieldsOfOption, readCourseOptions } from "../../../settings/forms.ts";
import {
  joinNames,
  type JoinOptionName,
  type LimitField,
  limitKind,
  limitRows,
  yesNo,
} from "../../../settings/options.ts";
import { policyChoices } from "../../../settings/policy-options.ts";
import { otherStaff, staffLevels } from "../../../domain/course-rights.ts";
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

/** `text`: of words, so that the field is longer and no keypad of digits comes. */
export type DefaultsNumber = {
  name: string;
  label: string;
  value: string;
  problem: string | null;
  text?: true;
};

export type DefaultsState = ReturnType<typeof ruleRow> & { t: Translate };

export type DefaultsPage = ConsoleFrame &
  ReturnType<typeof defaultsFormView> & {
    id: string;
    /** How many follow when something is locked. */
    courses: number;
    revision: number;
    saved: boolean;
    /** Another person has changed the values in `changed` meanwhile. */
    late: boolean;
    changed: string[];
  };

export const defaultsPage = defineView<DefaultsPage>("admin/defaults");

/** Each rule with the tool's own value, which holds where nothing is set. */
export function defaultsFormView(t: Translate, form: DefaultsForm, problems: DefaultsProblems) {
  const own = toolsOwn(t);
  return {
    ...fieldsView(t, form, problems),
    rule: (name: OptionName) => ruleRow(t, form, name, own.get(name) ?? ""),
    wrong: wrongView(t, problems),
  };
}

/** What courses begin with where an institution sets nothing, as the form would show it. */
function toolsOwn(t: Translate): ReadonlyMap<OptionName, string> {
  const first = formOfDefaults(nothingSet(""));
  const { questions, newSpace, opens, parts, checkIn, followed } = fieldsView(t, first, nothingWrong);
  const text = (choices: readonly Choice[]) =>
    choices.flatMap(({ options }) => options.find(({ chosen }) => chosen)?.label ?? []).join(" · ");
  return new Map<OptionName, string>([
    ...questions.map((one) => [one.name, text([one])] as const),
    ["newSpace", text(newSpace)],
    ["doorTimes", text([opens])],
    ...parts.map(
      ({ name, value }) => [name, name === "credit" ? creditWords(t, defaultGradePolicy) : value] as const,
    ),
    ["checkIn", text([checkIn])],
    ["gradesUntil", t("grading.sending.noEnd")],
    ...followed.flatMap(({ rules }) => rules.map(({ name, selects }) => [name, text(selects)] as const)),
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
      options: spacesRules.map((value) => ({
        value,
        label: t(`institution.spaces.${value}`),
        chosen: form.spaces === value,
      })),
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
      options: staffLevels.map((value) => ({
        value,
        label: t(`institution.staff.levels.${value}`),
        chosen: form.staff[role] === value,
      })),
    })),
    checkIn: {
      name: "checkIn",
      problem: null,
      options: (["off", "on"] as const).map((value) => ({
        ...{ value, label: t(`checkIn.switch.${value}`), chosen: form.options.checkIn === value },
      })),
    },
    followed: followedView(t, form),
    gradesUntil: dayView(t, form, problems),
    limits: limitsView(t, form, problems),
  };
}

/** Up to three limits with what is wrong at their fields, and whether learners are mailed. */
function limitsView(t: Translate, { options }: DefaultsForm, { options: problems }: DefaultsProblems) {
  const field = (name: LimitField, label: string) => ({
    ...{ name, label, value: options[name], problem: problemText(t, problems[name]) },
  });
  const select = (name: LimitField, values: readonly string[], label: (value: string) => string) => ({
    ...{ name, problem: null },
    options: values.map((value) => ({ value, label: label(value), chosen: options[name] === value })),
  });
  return {
    rows: limitRows.map((n) => ({
      kind: select(`limit${n}Kind`, limitKind.offered, (kind) => t.dynamic(`limits.kinds.${kind}`) ?? kind),
      number: field(`limit${n}Number`, t("limits.number")),
      label: { ...field(`limit${n}Label`, t("limits.label")), text: true as const },
    })),
    mail: select("limitMail", yesNo.offered, (value) =>
      t(value === "yes" ? "analytics.yes" : "analytics.no"),
    ),
  };
}

/** What courses have for as long as they choose nothing. */
function followedView(t: Translate, { options }: DefaultsForm) {
  const followed = ["learnerWords", "unplanned", "reminders", "weekly", "gradesRelease"] as const;
  const read = readCourseOptions(followed, options);
  const { learnerWords, unplanned, reminders, weekly, gradesRelease } = { ...firstValues, ...read };
  const select = (name: DefaultsField, label: string, choices: readonly Option[]) => ({
    ...{ name, label, options: choices, problem: null },
  });
  const wordChoices = (["on", "off"] as const).map((value) => ({
    ...{ value, label: t(`checkIn.switch.${value}`), chosen: learnerWords === (value === "on") },
  }));
  return [
    {
      id: "words",
      heading: t("institution.rules.learnerWords"),
      lead: t("words.lead"),
      rules: [
        { name: "learnerWords" as const, selects: [select("learnerWords", t("common.value"), wordChoices)] },
      ],
    },
    {
      id: "unplanned",
      heading: t("institution.unplanned.heading"),
      lead: t("institution.unplanned.lead"),
      rules: [
        {
          name: "unplanned" as const,
          selects: ruleFields(t, unplanned).map((one) => select(one.name, one.label, one.options)),
        },
      ],
    },
    {
      id: "sending",
      heading: t("grading.sending.heading"),
      lead: t("institution.sending.lead"),
      rules: [
        {
          name: "gradesRelease" as const,
          selects: [
            select("gradesRelease", t("grading.sending.release.label"), releaseOptions(t, gradesRelease)),
          ],
        },
      ],
    },
    {
      id: "reminders",
      heading: t("mail.course.reminders"),
      lead: t("institution.reminders.lead"),
      rules: [
        {
          name: "reminders" as const,
          selects: [select("minutes", t("common.when"), reminderOptions(t, reminders))],
        },
        {
          name: "weekly" as const,
          selects: [
            select("digest", t("mail.course.digest"), digestOptions(t, weekly.digest)),
            select("low", t("mail.course.low"), lowOptions(t, weekly.low, null)),
          ],
        },
      ],
    },
  ];
}

/** The last day on which grades are sent by themselves: a date, typed. */
function dayView(t: Translate, { options }: DefaultsForm, problems: DefaultsProblems) {
  return {
    value: options.gradesUntil,
    problem: problems.options.gradesUntil === undefined ? null : t("sessions.plan.problems.date"),
  };
}

function ruleRow(t: Translate, { states }: DefaultsForm, name: OptionName, own: string) {
  return {
    ...{ name, own },
    label: ruleLabel(t, name),
    options: ruleStates.map((value) => ({
      value,
      label: t(`institution.states.${value === "" ? "unset" : value}`),
      chosen: states[name] === value,
    })),
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
    options: answers.map((value) => ({
      value,
      label: answerText(t, name, value),
      chosen: form[name] === value,
    })),
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
    })),
  };
}

function wrongView(t: Translate, problems: DefaultsProblems) {
  const settings = Object.keys(problems.options).map((field) => ({
    id: field,
    label:
      t.dynamic([
        `settings.fields.${field}.label`,
        `limits.${field.replace(/^limit\d/, "").toLowerCase()}`,
      ]) ?? field,
  }));
  const grading = Object.keys(problems.grading).map((field) => ({
    id: field in policyChoices ? `value-${field}` : field,
    label: t.dynamic([`review.statuses.${field}`, `grading.fields.${field}.label`]) ?? field,
  }));
  return [...settings, ...grading];
}

/** Settings are labelled as on the course's page. */
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

/** Values that are stored otherwise than typed. */
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
