import { z } from "zod";
import { defaultGradePolicy, type GradePolicy } from "../domain/grade-policy.ts";
import { hasAll, ofEach } from "../kernel/lists.ts";
import {
  type Answers,
  type Codec,
  type CourseOptionField,
  courseOptionFields,
  type CourseOptionName,
  courseOptionNames,
  courseOptions,
  type CourseOptionValues,
  isCourseOption,
  isJoinName,
  joinNames,
  type JoinOptionName,
  joinOptions,
  type JoinSettings,
  type Problems,
  readField,
  type Texts,
} from "./options.ts";
import {
  isPolicyOption,
  leftOutIn,
  partsAtRest,
  type PolicyField,
  policyFields,
  type PolicyForm,
  policyNames,
  type PolicyOptionName,
  policyOptions,
  type PolicyProblems,
  type PolicyValues,
} from "./policy-options.ts";

/** The options as texts of a form; "" for those that a link doesn't set. */
export function joinAnswers(settings: Partial<JoinSettings>): Record<JoinOptionName, string> {
  return ofEach(joinNames, (name) => joinAnswer(name, settings) ?? "");
}

/** Null if the option isn't set. */
export function joinAnswer(name: JoinOptionName, settings: Partial<JoinSettings>): string | null {
  const value = settings[name];
  return value === undefined ? null : answersOf(name).write(value);
}

function answersOf(name: JoinOptionName): Answers<boolean | string> {
  return joinOptions[name].form;
}

/** Reads the options that a form offers. @param names The options it asks for. */
export function readJoin(
  names: readonly JoinOptionName[],
  form: Texts<JoinOptionName>,
  problems: Problems<JoinOptionName> = {},
): Partial<JoinSettings> {
  const read = names.map((name) => [name, readField(answersOf(name), name, form, problems)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== null));
}

type FormOption = CourseOptionName | PolicyOptionName;

function codecOf(name: FormOption): Codec<unknown, string, string> {
  return (isPolicyOption(name) ? policyOptions[name] : courseOptions[name]).form;
}

function written<Name extends FormOption, F extends string>(
  names: readonly Name[],
  fields: readonly F[],
  values: Readonly<Record<Name, unknown>>,
): Record<F, string> {
  const texts = new Map(names.flatMap((name) => Object.entries(codecOf(name).write(values[name]))));
  return ofEach(fields, (field) => texts.get(field) ?? "");
}

/** Leaves out options that can't be read. */
function readOptions(names: readonly FormOption[], form: Texts, problems: Partial<Record<string, string>>) {
  const read = names.map((name) => [name, codecOf(name).read(form, problems)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== null));
}

export function courseAnswers(values: CourseOptionValues): Record<CourseOptionField, string> {
  return written(courseOptionNames, courseOptionFields, values);
}

/** As {@link readJoin}. */
export function readCourseOptions(
  names: readonly CourseOptionName[],
  form: Texts<CourseOptionField>,
  problems: Problems<CourseOptionField> = {},
): Partial<CourseOptionValues> {
  return readOptions(names, form, problems);
}

/** Without grades, the form shows what a new course has. */
export function formOfPolicy(policy: GradePolicy): PolicyForm {
  const { kind } = policy;
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  return written(policyNames, policyFields, { ...rule, kind });
}

/** As {@link readJoin}. */
export function readPolicyOptions(
  names: readonly PolicyOptionName[],
  form: PolicyForm,
  problems: PolicyProblems = {},
): PolicyValues {
  const values: PolicyValues = readOptions(names, form, problems);
  const { denominator, dropLowest = 0 } = values;
  if (denominator?.kind === "fixed" && dropLowest >= denominator.sessions) problems.dropLowest = "dropAll";
  return values;
}

type ReadPolicy = { policy: GradePolicy; problems: null } | { policy: null; problems: PolicyProblems };

/** Turns the form into a policy, or returns its problems. Errors in fields that the chosen kind doesn't use don't matter. */
export function policyOfForm(form: PolicyForm): ReadPolicy {
  const problems: PolicyProblems = {};
  const { kind } = readPolicyOptions(["kind"], form, problems);
  if (kind === undefined) return { policy: null, problems };
  if (kind === "no-grades") return { policy: { kind }, problems: null };
  const atRest = kind === "one-column" ? [] : policyNames.filter((name) => partsAtRest.includes(name));
  const asked = policyNames.filter((name) => !atRest.includes(name));
  const read = { ...readPolicyOptions(asked, form, problems), ...readPolicyOptions(atRest, form) };
  if (Object.keys(problems).length > 0) return { policy: null, problems };
  return { policy: { ...defaultGradePolicy, ...read, kind }, problems: null };
}

const text = z.string().max(300).catch("");
const ticked = z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([]);

/** Fields of a posted form; a field that is missing or too long becomes "". */
export function textsOfPosted<F extends string>(fields: readonly F[], body: unknown): Record<F, string> {
  const posted = new Map<string, unknown>(postedFields(body));
  return ofEach(fields, (field) => text.parse(posted.get(field)));
}

/** As `textsOfPosted`, with the ticked statuses that are left out, always in the same order. */
export function policyFormOfPosted(body: unknown): PolicyForm {
  const { leftOut } = Object.fromEntries(postedFields(body));
  const statuses = ticked.parse(leftOut).join(" ");
  return { ...textsOfPosted(policyFields, body), leftOut: leftOutIn({ leftOut: statuses }).join(" ") };
}

function postedFields(body: unknown): [string, unknown][] {
  return Object.entries(typeof body === "object" && body !== null ? body : {});
}

/** The fields of an option in a form. */
export function fieldsOfOption(name: string): readonly (JoinOptionName | CourseOptionField | PolicyField)[] {
  if (isJoinName(name)) return [name];
  if (isPolicyOption(name)) return policyOptions[name].form.fields;
  return isCourseOption(name) ? courseOptions[name].form.fields : [];
}

/** Options that the institution has locked stay as stored, whatever was posted. @param now The stored form. */
export function withoutLocked<F extends string>(
  typed: Texts<F>,
  now: Texts<F>,
  locked: readonly string[] = [],
): Texts<F> {
  const fields = new Set<string>(locked.flatMap(fieldsOfOption));
  return { ...typed, ...Object.fromEntries(Object.entries(now).filter(([field]) => fields.has(field))) };
}

/** Takes some fields from another form. */
function withFieldsOf<F extends string>(form: Texts<F>, other: Texts<F>, fields: readonly F[]): Texts<F> {
  return { ...form, ...Object.fromEntries(fields.map((field) => [field, other[field]])) };
}

const maxCarriedLength = 20_000;

/** Reads the form that a page carried as text; null if somebody tampered with it. */
export function formOfText<F extends string>(fields: readonly F[], carried: unknown): Texts<F> | null {
  if (typeof carried !== "string" || carried.length > maxCarriedLength) return null;
  try {
    const read = z.record(z.string(), z.string()).parse(JSON.parse(carried));
    const isWhole = Object.keys(read).length === fields.length && hasAll(read, fields);
    return isWhole ? ofEach(fields, (field) => read[field] ?? "") : null;
  } catch {
    return null;
  }
}

export type FieldChange<F extends string> = { field: F; was: string; now: string };

/**
 * What another person has changed since the form was shown, and the form to continue with. It has their value where only they changed it.
 * @param seen The form before typing; null when unknown.
 */
export function afterConflict<F extends string>(
  fields: readonly F[],
  seen: Texts<F> | null,
  typed: Texts<F>,
  now: Texts<F>,
): { form: Texts<F>; changes: FieldChange<F>[] } {
  if (seen === null) return { form: typed, changes: [] };
  const changed = fields.filter((field) => seen[field] !== now[field]);
  const theirs = changed.filter((field) => typed[field] === seen[field]);
  return {
    form: withFieldsOf(typed, now, theirs),
    changes: changed.map((field) => ({ field, was: seen[field], now: now[field] })),
  };
}
