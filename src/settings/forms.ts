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

/** Options as a form says them; "" where a link sets nothing. */
export function joinAnswers(settings: Partial<JoinSettings>): Record<JoinOptionName, string> {
  return ofEach(joinNames, (name) => joinAnswer(name, settings) ?? "");
}

/** Null where it is not set. */
export function joinAnswer(name: JoinOptionName, settings: Partial<JoinSettings>): string | null {
  const value = settings[name];
  return value === undefined ? null : answersOf(name).write(value);
}

function answersOf(name: JoinOptionName): Answers<boolean | string> {
  return joinOptions[name].form;
}

/** As a form says it, where it is offered. @param names Those that are asked. */
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

/** What cannot be read is left out. */
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

/** Without grades it shows what a new course has. */
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

/** The form as a policy, or its problems. Fields that the chosen kind does not use do not matter. */
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

/** Fields of a posted form; what is missing or too long is "". */
export function textsOfPosted<F extends string>(fields: readonly F[], body: unknown): Record<F, string> {
  const posted = new Map<string, unknown>(postedFields(body));
  return ofEach(fields, (field) => text.parse(posted.get(field)));
}

/** With the statuses that are ticked as left out, in one order. */
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

/** What the institution has locked is as stored, whatever was posted. @param now The stored form. */
export function withoutLocked<F extends string>(
  typed: Texts<F>,
  now: Texts<F>,
  locked: readonly string[] = [],
): Texts<F> {
  const fields = new Set<string>(locked.flatMap(fieldsOfOption));
  return { ...typed, ...Object.fromEntries(Object.entries(now).filter(([field]) => fields.has(field))) };
}

/** Some fields as in another form. */
function withFieldsOf<F extends string>(form: Texts<F>, other: Texts<F>, fields: readonly F[]): Texts<F> {
  return { ...form, ...Object.fromEntries(fields.map((field) => [field, other[field]])) };
}

const maxCarriedLength = 20_000;

/** The form that a page carried as text; null when it was tampered with. */
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
 * What another person has changed since, and the form to continue with: theirs where only they changed it.
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
