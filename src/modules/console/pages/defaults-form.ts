import { z } from "zod";
import { defaultGradePolicy } from "../../../domain/grade-policy.ts";
import {
  beginningOf,
  firstValues,
  type InstitutionDefaults,
  nothingSet,
  type OptionName,
  optionNames,
  type PolicyPart,
  policyParts,
  type PolicyValues,
  setNames,
} from "../../../settings/in-effect.ts";
import { courseAnswers, joinAnswers, ofEach, readCourseOptions, readJoin } from "../../../settings/forms.ts";
import {
  type CourseOptionField,
  courseOptionFields,
  courseOptionNames,
  joinNames,
  type JoinOptionName,
  type Problems,
  type Texts,
} from "../../../settings/options.ts";
import { otherStaff, type OtherStaff, type StaffLevel, staffLevels } from "../../../domain/course-rights.ts";
import {
  formOfPolicy,
  formOfPosted as gradingPosted,
  type GradingForm,
  type GradingProblem,
  type GradingProblems,
  partOf,
  withoutLocked,
} from "../../grading/pages/grading-form.ts";
import { policyOfForm } from "../../grading/pages/read-grading-form.ts";

/** Not set, a default that courses may change, or locked. */
export const ruleStates = ["", "default", "locked"] as const;
type RuleState = (typeof ruleStates)[number];

/** Spaces made for the courses and approved ones, or the first alone. */
export const spacesRules = ["approved", "own"] as const;
type SpacesRule = (typeof spacesRules)[number];

export type DefaultsForm = {
  states: Readonly<Record<OptionName, RuleState>>;
  options: Texts<DefaultsField>;
  grading: GradingForm;
  spaces: SpacesRule;
  staff: Readonly<Record<OtherStaff, StaffLevel>>;
};

/** Of all options but the parts of the policy. */
export type DefaultsField = JoinOptionName | CourseOptionField;
const optionFields: readonly DefaultsField[] = [...joinNames, ...courseOptionFields];

/** What is wrong with the fields, by the pages whose fields they are. */
export type DefaultsProblems = { options: Problems<DefaultsField>; grading: GradingProblems };

/** Values that are not set show what the tool begins with. */
export function formOfDefaults(defaults: InstitutionDefaults): DefaultsForm {
  const values = beginningOf(firstValues, defaults);
  const set = setNames(defaults);
  // Without grades there is no policy; what is set all the same is shown.
  const ready = { ...defaults, values: { ...defaults.values, kind: "one-column" as const } };
  const rule = beginningOf(firstValues, ready).policy;
  return {
    states: ofEach(optionNames, (name) =>
      !set.includes(name) ? "" : defaults.locked.includes(name) ? "locked" : "default",
    ),
    options: { ...joinAnswers(values.settings), ...courseAnswers({ ...values, doorTimes: values.door }) },
    grading: { ...formOfPolicy(rule), kind: values.policy.kind },
    spaces: defaults.ownSpacesOnly ? "own" : "approved",
    staff: ofEach(otherStaff, (role) => level.parse(defaults.staff[role])),
  };
}

const level = z.enum(staffLevels).catch("arrange");
const spacesRule = z.enum(spacesRules).catch("approved");
const state = z.enum(ruleStates).catch("");
const text = z.string().max(300).catch("");

/** Whether a value is set, and locked, is in the field "state-" with its name. */
export function defaultsPosted(body: unknown): DefaultsForm {
  const fields = new Map(Object.entries(typeof body === "object" && body !== null ? body : {}));
  return {
    states: ofEach(optionNames, (name) => state.parse(fields.get(`state-${name}`))),
    options: ofEach(optionFields, (field) => text.parse(fields.get(field))),
    grading: gradingPosted(body),
    spaces: spacesRule.parse(fields.get("spaces")),
    staff: ofEach(otherStaff, (role) => level.parse(fields.get(`staff-${role}`))),
  };
}

type Read =
  { defaults: InstitutionDefaults; problems: null } | { defaults: null; problems: DefaultsProblems };

/** Problems in values that are not set do not matter. */
export function defaultsOfForm(form: DefaultsForm, seen: { registrationId: string; revision: number }): Read {
  const isSet = (name: OptionName) => form.states[name] !== "";
  const problems: DefaultsProblems = { options: {}, grading: {} };
  const defaults: InstitutionDefaults = {
    ...nothingSet(seen.registrationId),
    revision: seen.revision,
    values: {
      ...readJoin(joinNames.filter(isSet), form.options, problems.options),
      ...readCourseOptions(courseOptionNames.filter(isSet), form.options, problems.options),
      ...readPolicy(form, problems.grading),
    },
    locked: optionNames.filter((name) => form.states[name] === "locked"),
    ownSpacesOnly: form.spaces === "own",
    staff: Object.fromEntries(otherStaff.flatMap((role) => said(role, form.staff[role]))),
  };
  const wrong = Object.keys(problems.options).length + Object.keys(problems.grading).length;
  return wrong === 0 ? { defaults, problems: null } : { defaults: null, problems };
}

/** Arranging is what they may anyway. */
function said(role: OtherStaff, level: StaffLevel): [OtherStaff, StaffLevel][] {
  return level === "arrange" ? [] : [[role, level]];
}

/** The parts that are set, read as if the others were the tool's own. */
function readPolicy({ states, grading: form }: DefaultsForm, problems: GradingProblems): PolicyValues {
  const unset = policyParts.filter((part) => states[part] === "");
  const whole = withoutLocked(form, formOfPolicy(defaultGradePolicy), unset);
  const kind = readKind(whole.kind);
  if (kind === null) problems.kind = "choose";
  // Also beside "no grades": courses that give grades all the same begin with these.
  const read = policyOfForm({ ...whole, kind: "one-column" });
  const found: [string, GradingProblem][] = Object.entries(read.problems ?? {});
  for (const [field, problem] of found)
    if (isField(whole, field) && !unset.includes(partOf(field))) problems[field] = problem;
  if (read.policy === null || read.policy.kind === "no-grades" || kind === null) return {};
  const values: Required<PolicyValues> = { ...read.policy, kind };
  const set = Object.entries(values).filter(([part]) => isPart(part) && !unset.includes(part));
  return Object.fromEntries(set);
}

function readKind(kind: string): Required<PolicyValues>["kind"] | null {
  return kind === "one-column" || kind === "column-per-session" || kind === "no-grades" ? kind : null;
}

function isField(form: GradingForm, field: string): field is keyof GradingForm {
  return field in form;
}

function isPart(name: string): name is PolicyPart {
  return policyParts.some((part) => part === name);
}
