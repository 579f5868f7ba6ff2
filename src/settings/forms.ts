import { z } from "zod";
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

function codecOf(name: CourseOptionName): Codec<unknown> {
  return courseOptions[name].form;
}

export function courseAnswers(values: CourseOptionValues): Record<CourseOptionField, string> {
  const texts = new Map(
    courseOptionNames.flatMap((name) => Object.entries(codecOf(name).write(values[name]))),
  );
  return ofEach(courseOptionFields, (field) => texts.get(field) ?? "");
}

/** As {@link readJoin}. */
export function readCourseOptions(
  names: readonly CourseOptionName[],
  form: Texts<CourseOptionField>,
  problems: Problems<CourseOptionField> = {},
): Partial<CourseOptionValues> {
  const read = names.map((name) => [name, codecOf(name).read(form, problems)] as const);
  return Object.fromEntries(read.filter(([, value]) => value !== null));
}

/** The fields by which a form asks for an option; none for a part of the policy. */
export function fieldsOfOption(name: string): readonly (JoinOptionName | CourseOptionField)[] {
  if (isJoinName(name)) return [name];
  return isCourseOption(name) ? courseOptions[name].form.fields : [];
}

export function ofEach<Name extends string, T>(
  names: readonly Name[],
  of: (name: Name) => T,
): Record<Name, T> {
  const found: Record<string, T> = Object.fromEntries(names.map((name) => [name, of(name)]));
  if (!hasAll(found, names)) throw new Error("unreachable: each name was asked");
  return found;
}

function hasAll<Name extends string, T>(
  found: Record<string, T>,
  names: readonly Name[],
): found is Record<Name, T> {
  return names.every((name) => name in found);
}

/** Some fields as in another form: what the institution has locked is as stored, whatever was posted. */
export function withFieldsOf<F extends string>(
  form: Texts<F>,
  other: Texts<F>,
  fields: readonly F[],
): Texts<F> {
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
 * What another person changed meanwhile, and the form to continue with: theirs where only they changed it.
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
