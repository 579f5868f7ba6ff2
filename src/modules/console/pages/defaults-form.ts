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

/** Approved Spaces besides those made for the courses, or only the latter. */
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

/** What is wrong with the fields, by the page that has them. */
export type DefaultsProblems = { options: Problems<PlainField>; grading: PolicyProblems };

/** Values that aren't set show the tool's own. */
export function formOfDefaults(defaults: InstitutionDefaults): DefaultsForm {
  const values = beginningOf(firstValues, defaults);
  const set = setNames(defaults);
  // A course without grades has no policy, but the form shows defaults that are set.
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

/** The field "state-" with a value's name says whether the value is set, and locked. */
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

/** Ignores problems in values that aren't set. */
export function defaultsOfForm(form: DefaultsForm, seen: { registrationId: string; revision: number }): Read {
  const isSet = (name: OptionName) => form.states[name] !== "";
  const problems: DefaultsProblems = { options: {}, grading: {} };
  const defaults: InstitutionDefaults = {
    ...nothingSet(seen.registrationId),
    revision: seen.revision,
    values: {
      ...readJoin(joinNames.filter(isSet), form.options, problems.options),
      ...readCourseOptions(courseOptionNames.filter(isSet), form.options, problems.options),
      // Also for "no grades", because courses that do give grades start with these.
      ...readPolicyOptions(policyNames.filter(isSet), form.options, problems.grading),
    },
    locked: optionNames.filter((name) => form.states[name] === "locked"),
    ownSpacesOnly: form.spaces === "own",
    staff: Object.fromEntries(otherStaff.flatMap((role) => chosenLevel(role, form.staff[role]))),
  };
  const wrong = Object.keys(problems.options).length + Object.keys(problems.grading).length;
  return wrong === 0 ? { defaults, problems: null } : { defaults: null, problems };
}

/** Arranging is allowed anyway. */
function chosenLevel(role: OtherStaff, level: StaffLevel): [OtherStaff, StaffLevel][] {
  return level === "arrange" ? [] : [[role, level]];
}
