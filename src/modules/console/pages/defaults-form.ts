import { z } from "zod";
import {
  beginningOf,
  firstValues,
  type InstitutionDefaults,
  nothingSet,
  type OptionName,
  optionNames,
  setNames,
} from "../../../settings/in-effect.ts";
import {
  courseAnswers,
  formOfPolicy,
  joinAnswers,
  policyFormOfPosted,
  readCourseOptions,
  readJoin,
  readPolicyOptions,
  textsOfPosted,
} from "../../../settings/forms.ts";
import {
  type CourseOptionField,
  courseOptionFields,
  courseOptionNames,
  joinNames,
  type JoinOptionName,
  type Problems,
  type Texts,
} from "../../../settings/options.ts";
import { type PolicyField, policyNames, type PolicyProblems } from "../../../settings/policy-options.ts";
import { otherStaff, type OtherStaff, type StaffLevel, staffLevels } from "../../../domain/course-rights.ts";
import { ofEach } from "../../../kernel/lists.ts";

/** Not set, a default that courses may change, or locked. */
export const ruleStates = ["", "default", "locked"] as const;

/** Spaces made for the courses and approved ones, or the first alone. */
export const spacesRules = ["approved", "own"] as const;

export type DefaultsForm = {
  states: Readonly<Record<OptionName, (typeof ruleStates)[number]>>;
  options: Texts<DefaultsField>;
  spaces: (typeof spacesRules)[number];
  staff: Readonly<Record<OtherStaff, StaffLevel>>;
};

type PlainField = JoinOptionName | CourseOptionField;
const plainFields: readonly PlainField[] = [...joinNames, ...courseOptionFields];
export type DefaultsField = PlainField | PolicyField;

/** What is wrong with the fields, by the pages whose fields they are. */
export type DefaultsProblems = { options: Problems<PlainField>; grading: PolicyProblems };

/** Values that are not set show what the tool begins with. */
export function formOfDefaults(defaults: InstitutionDefaults): DefaultsForm {
  const values = beginningOf(firstValues, defaults);
  const set = setNames(defaults);
  // A course without grades has no policy, but the defaults that are set are shown.
  const ready = { ...defaults, values: { ...defaults.values, kind: "one-column" as const } };
  const rule = beginningOf(firstValues, ready).policy;
  return {
    states: ofEach(optionNames, (name) => {
      if (!set.includes(name)) return "";
      return defaults.locked.includes(name) ? "locked" : "default";
    }),
    options: {
      ...joinAnswers(values.settings),
      ...courseAnswers({ ...values, doorTimes: values.door }),
      ...formOfPolicy(rule),
      kind: values.policy.kind,
    },
    spaces: defaults.ownSpacesOnly ? "own" : "approved",
    staff: ofEach(otherStaff, (role) => level.parse(defaults.staff[role])),
  };
}

const level = z.enum(staffLevels).catch("arrange");
const spacesRule = z.enum(spacesRules).catch("approved");
const state = z.enum(ruleStates).catch("");

/** Whether a value is set, and locked, is in the field "state-" with its name. */
export function defaultsPosted(body: unknown): DefaultsForm {
  const fields = new Map(Object.entries(typeof body === "object" && body !== null ? body : {}));
  return {
    states: ofEach(optionNames, (name) => state.parse(fields.get(`state-${name}`))),
    options: { ...textsOfPosted(plainFields, body), ...policyFormOfPosted(body) },
    spaces: spacesRule.parse(fields.get("spaces")),
    staff: ofEach(otherStaff, (role) => level.parse(fields.get(`staff-${role}`))),
  };
}

type Read =
  | { defaults: InstitutionDefaults; problems: null }
  | { defaults: null; problems: DefaultsProblems };

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
      // Also for "no grades": courses that do give grades begin with these.
      ...readPolicyOptions(policyNames.filter(isSet), form.options, problems.grading),
    },
    locked: optionNames.filter((name) => form.states[name] === "locked"),
    ownSpacesOnly: form.spaces === "own",
    staff: Object.fromEntries(otherStaff.flatMap((role) => chosenLevel(role, form.staff[role]))),
  };
  const wrong = Object.keys(problems.options).length + Object.keys(problems.grading).length;
  return wrong === 0 ? { defaults, problems: null } : { defaults: null, problems };
}

/** Arranging is what they may anyway. */
function chosenLevel(role: OtherStaff, level: StaffLevel): [OtherStaff, StaffLevel][] {
  return level === "arrange" ? [] : [[role, level]];
}
