import { sectionLabel } from "../../../web/course-words.ts";
import { type EntryState, maxMinutes } from "../../../domain/entry.ts";
import { ofEach } from "../../../kernel/lists.ts";
import { fieldsOfOption, joinAnswer } from "../../../settings/forms.ts";
import { joinNames, type JoinOptionName, joinOptions } from "../../../settings/options.ts";
import type { SectionKind } from "../../../domain/lms-product.ts";
import { personName } from "../../../domain/person.ts";
import type { Section } from "../../../domain/section.ts";
import { cityOf } from "../../scheduling/rules/time-zone.ts";
import type { SpaceList } from "../../spaces/space-list.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import { joinUrl, languageOfLocale } from "../../../domain/join-settings.ts";
import { inLink } from "../../../settings/in-effect.ts";
import type { Course, Person } from "../../../domain/course.ts";
import { type CourseLink, spaceAccesses } from "../../../domain/course-link.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import {
  formOfCourse,
  type FormProblems,
  sectionsIn,
  type SettingsField,
  settingsFields,
  type SettingsForm,
  settingsTyped,
} from "./settings-form.ts";

export type SettingsScope = "course" | "link";

type ChoiceField = Exclude<SettingsField, "minutesBefore" | "minutesAfter" | "sections">;

type ChoiceView = ReturnType<typeof choiceOf>;

type ChoiceOption = { value: string; label: string; chosen: boolean };

export type SettingsChoice = { t: Translate; choice: ChoiceView };

export type SettingsValue = { t: Translate; choices: readonly ChoiceView[] };

export type FieldsFrom = {
  /** The LMS's name as operators registered it. Names the institution. */
  lmsName: string;
  scope: SettingsScope;
  course: Course;
  link: CourseLink | null;
  sectionKind: SectionKind;
  sections: readonly Section[];
  form: SettingsForm;
  problems: FormProblems;
};

export function choicesOf(t: Translate, from: FieldsFrom): Record<ChoiceField, ChoiceView> {
  const ofSpace = { ...from, scope: "course" } as const;
  const none = t("settings.inherit.none");
  return {
    ...ofEach(joinNames, (name) => choiceOf(t, from, name, answersTo(t, name), inherited(t, from, name))),
    opens: choiceOf(t, from, "opens", ["always", "around-sessions"], none),
    who: choiceOf(t, from, "who", ["all", "some"], none),
    access: choiceOf(t, ofSpace, "access", spaceAccesses, ""),
    newAccess: choiceOf(t, ofSpace, "newAccess", ["Public", "Private"], ""),
    newWaiting: choiceOf(t, ofSpace, "newWaiting", ["no", "yes"], ""),
  };
}

function choiceOf(
  t: Translate,
  from: FieldsFrom,
  name: ChoiceField,
  answers: readonly string[],
  asInCourse: string,
) {
  const { scope, form, problems } = from;
  const isKnown = name === "language" && languageOfLocale(form[name]) === form[name];
  const known = isKnown && !answers.includes(form[name]) ? [...answers, form[name]] : answers;
  const values = scope === "link" ? ["", ...known] : known;
  const options = values.map((value) => ({
    value,
    label: value === "" ? asInCourse : answerText(t, name, value),
    chosen: form[name] === value,
  }));
  return {
    name,
    label: t(`settings.fields.${name}.label`),
    hint: t(`settings.fields.${name}.hint`),
    /** `label` is null for answers outside any group. */
    groups: groupsOf(t, name, options),
    /** The chosen answer, in words. */
    value: options.find(({ chosen }) => chosen)?.label ?? "",
    /** For a yes/no question. */
    isOn: form[name] === "yes",
    /** What the institution has set. Null for a field that can be changed. */
    locked: lockedText(t, from, name),
    /** Who locked it and can unlock it. */
    lockedBy: t("settings.locked.by", { name: from.lmsName }),
    problem: problemText(t, problems[name]),
  };
}

/** Offers languages in two groups: the usual ones, then all. */
function groupsOf(t: Translate, name: ChoiceField, options: ChoiceOption[]) {
  const alone = (own: ChoiceOption[]) => ({ label: null, options: own });
  if (name !== "language") return [alone(options)];
  const isCode = ({ value }: ChoiceOption) => value !== "" && value !== "lms" && value !== "classroom";
  const isUsual = (option: ChoiceOption) => usualLanguages.has(option.value);
  return [
    alone(options.filter((option) => !isCode(option))),
    { label: t("settings.fields.language.usual"), options: options.filter(isUsual) },
    {
      label: t("settings.fields.language.all"),
      options: options.filter((option) => isCode(option) && !isUsual(option)),
    },
  ];
}

/** Null: the institution hasn't set it. */
function lockedText(t: Translate, { course }: FieldsFrom, field: SettingsField): string | null {
  const locked = course.locked ?? [];
  if (!locked.some((name) => fieldsOfOption(name).some((one) => one === field))) return null;
  const form = formOfCourse(course);
  if (field !== "opens" || form.opens === "always") return answerText(t, field, form[field]);
  const { minutesBefore: before, minutesAfter: after } = form;
  return t("settings.locked.aroundSessions", { before, after });
}

export function answersTo(t: Translate, question: JoinOptionName): readonly string[] {
  return question === "language"
    ? [...joinOptions.language.form.offered, ...languagesFor(t).codes]
    : joinOptions[question].form.offered;
}

/** The value that a link gets if it sets none, and where it comes from. */
function inherited(t: Translate, { course, link }: FieldsFrom, question: JoinOptionName): string {
  const fromLms = joinAnswer(question, link?.customSettings ?? {});
  const answer = fromLms ?? joinAnswer(question, course.settings) ?? "";
  const by = fromLms === null ? "course" : "lms";
  return t(`settings.inherit.${by}`, { answer: answerText(t, question, answer) });
}

export function problemText(t: Translate, problem: FormProblems[SettingsField]): string | null {
  return problem === undefined
    ? null
    : t(`settings.problems.${problem}`, { most: numberText(t, maxMinutes) });
}

/** Languages that a classroom service is likely to have. It doesn't say which. */
const usualLanguages = new Set("ar cs da de en es fi fr it ja ko nl nb pl pt ru sv tr uk zh".split(" "));

type Languages = { nameOf: (code: string) => string; codes: readonly string[] };
const languagesByReader = new Map<string, Languages>();

function languagesFor(t: Translate): Languages {
  const reader = t("language.code");
  const known = languagesByReader.get(reader);
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames([reader, "en"], { type: "language", fallback: "code" });
  const nameOf = (code: string) => names.of(code) ?? code;
  const letters = Array.from({ length: 26 }, (_none, at) => String.fromCharCode(97 + at));
  const codes = letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => languageOfLocale(code) === code)
    .filter((code) => code === "tl" || Intl.getCanonicalLocales(code)[0] === code)
    // Two codes may be one language: Akan is "ak" and "tw".
    .filter((code, at, all) => all.findIndex((other) => nameOf(other) === nameOf(code)) === at)
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other), reader));
  const made = { nameOf, codes };
  languagesByReader.set(reader, made);
  return made;
}

export function answerText(t: Translate, field: SettingsField, answer: string): string {
  if (answer === "") return t("settings.inherit.none");
  if (field === "language" && answer !== "lms" && answer !== "classroom")
    return languagesFor(t).nameOf(answer);
  return t.dynamic([`settings.fields.${field}.answers.${answer}`, `settings.answers.${answer}`]) ?? answer;
}

export function valueText(
  t: Translate,
  { sectionKind, sections }: Pick<FieldsFrom, "sectionKind" | "sections">,
  field: SettingsField,
  form: SettingsForm,
): string {
  if (field === "minutesBefore" || field === "minutesAfter") return form[field];
  if (field !== "sections") return answerText(t, field, form[field]);
  const ids = sectionsIn(form);
  const chosen = sections.filter(({ lmsSectionId }) => ids.includes(lmsSectionId));
  if (chosen.length === 0) return t("settings.fields.sections.none");
  return inList(
    t,
    chosen.map((section) => sectionLabel(t, sectionKind, section)),
  );
}

/** If a window is always open, its minutes don't matter. */
export function differenceWords(
  t: Translate,
  from: Pick<FieldsFrom, "sectionKind" | "sections">,
  before: SettingsForm,
  after: SettingsForm,
) {
  const hasNoEffect = (field: SettingsField) =>
    (field.startsWith("minutes") && after.opens !== "around-sessions") ||
    (field === "sections" && after.who !== "some");
  return settingsFields
    .filter((field) => before[field] !== after[field] && !hasNoEffect(field))
    .map((field) => ({
      label: t(`settings.fields.${field}.label`),
      was: valueText(t, from, field, before),
      now: valueText(t, from, field, after),
    }));
}

/** The custom parameters of a link, and whether the page's choice takes precedence over them. */
export function lmsLines(t: Translate, link: CourseLink): { taken: string[]; ignored: string[] } {
  const taken = joinNames.flatMap((question) => {
    const answer = joinAnswer(question, link.customSettings);
    if (answer === null) return [];
    const key = joinAnswer(question, link.settings) === null ? "taken" : "overruled";
    const name = joinOptions[question].custom;
    return [t(`settings.lms.${key}`, { name, answer: answerText(t, question, answer) })];
  });
  return { taken, ignored: link.ignoredParameters.map(({ name, value }) => `${name}=${value}`) };
}

/** The state for learners, now. `at` and `when` are the moment at the end of the sentence. */
export function entryStateText(t: Translate, times: CourseTimes, state: EntryState) {
  const opensAt = state.because === "early" ? state.opensAt : null;
  const at = state.state === "open" ? state.until : opensAt;
  const text = t.dynamic(`settings.entryWindow.${state.because}`) ?? state.because;
  if (at === null) return { text, at, when: null, zone: null };
  return { text, at: new Date(at).toISOString(), when: times.text(at), zone: cityOf(times.zone) };
}

/** How many names are written out. */
const maxNames = 8;

/** One sentence each, also about people who joined later. @param spaceList Null while there is no Space. */
export function spaceListLines(t: Translate, spaceList: SpaceList | null): string[] {
  if (spaceList === null) return [];
  const { hosts, later, hasHosts, learners, failed, isPrivate, adds } = spaceList;
  const named = (key: "hosts" | "later" | "laterAdded" | "failed", people: readonly Person[]) =>
    people.length === 0 ? [] : [t(`spaceList.${key}`, { names: namesOf(t, people) })];
  const addsHosts = adds.includes("host");
  return [
    ...named("hosts", hosts),
    ...(hasHosts ? named(addsHosts ? "laterAdded" : "later", later) : [t("spaceList.noHosts")]),
    ...(isPrivate && !adds.includes("participant") ? [t("spaceList.learners", { number: learners })] : []),
    ...named("failed", failed),
  ];
}

function namesOf(t: Translate, people: readonly Person[]): string {
  const names = people.slice(0, maxNames).map((person) => personName(person, "instructor"));
  const rest = people.length - names.length;
  return inList(t, rest === 0 ? names : [...names, t("spaceList.more", { number: rest })]);
}

/** Also sent alone, for the page's script. */
export type SettingsPreview = { t: Translate; preview: ReturnType<typeof addressPreview> };

const notMade = "SPACE-ID";

/** Shows the address at a computer, in the reader's language. @param from.form As typed. Invalid answers count as not given. */
export function addressPreview(
  t: Translate,
  from: {
    appUrl: string;
    session: Pick<Session, "locale">;
    course: Course;
    link: CourseLink | null;
    scope: SettingsScope;
    form: SettingsForm;
  },
) {
  const { appUrl, course, link, scope, form, session } = from;
  const typed = settingsTyped(form);
  const settings =
    scope === "link" && link !== null
      ? inLink(course, { ...link, settings: typed }).settings
      : { ...course.settings, ...typed };
  const spaceId = scope === "link" && link?.choice.kind === "space" ? link.choice.spaceId : course.spaceId;
  const address = (role: "host" | "participant") =>
    joinUrl({ appUrl, spaceId: spaceId ?? notMade, settings, role, locale: session.locale, mobile: false });
  const [host, participant] = [address("host"), address("participant")];
  return {
    /** Whether the Space exists. Before that, a placeholder stands for its id. */
    made: spaceId !== null,
    addresses: [
      { who: t("settings.preview.host"), address: host },
      { who: t("settings.preview.participant"), address: participant },
    ],
    /** What the addresses set and for which people, one sentence each. */
    parameters: parametersOf(t, host, participant, settings.language === "lms"),
  };
}

function parametersOf(t: Translate, host: string, participant: string, followsReader: boolean) {
  const [ofHost, ofParticipant] = [new URL(host).searchParams, new URL(participant).searchParams];
  const names = [...new Set([...ofHost.keys(), ...ofParticipant.keys()])];
  return names.map((name) => {
    const value = ofHost.get(name) ?? ofParticipant.get(name) ?? "";
    const first = ofHost.has(name) ? "host" : "participant";
    const who = ofHost.has(name) && ofParticipant.has(name) ? "both" : first;
    return {
      text: `${name}=${value}`,
      sentence: sentenceOf(t, name, value, followsReader),
      who: t(`settings.preview.who.${who}`),
    };
  });
}

function sentenceOf(t: Translate, name: string, value: string, followsReader: boolean): string {
  if (name !== "language") return t.dynamic(`settings.preview.says.${name}`) ?? name;
  const language = answerText(t, "language", value);
  return t(`settings.preview.language.${followsReader ? "reader" : "fixed"}`, { language });
}
