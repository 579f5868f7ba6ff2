import type { Course } from "../domain/course.ts";
import type { LmsWording, SectionKind } from "../domain/lms-product.ts";
import { capabilitiesOf } from "../lms/products/products.ts";
import type { Section } from "../domain/section.ts";
import type { SectionStore } from "../modules/members/store/section-store.ts";
import type { RegistrationStore } from "../modules/registration/store/registration-store.ts";
import type { FrameValues } from "./answer.ts";
import { type CourseTimes, courseTimes } from "./course-times.ts";
import { inList, numberText } from "./page-text.ts";
import type { CourseFrame } from "./partials.ts";
import type { Sessions } from "./session.ts";
import type { TemplateLocals } from "./view.ts";
import type { InstructorVisit, MyVisit } from "./visits.ts";
import type { Translate, TranslatorOf } from "./translate.ts";

export type CourseWords = {
  t: Translate;
  times: CourseTimes;
  sectionKind: SectionKind;
  wording: LmsWording;
  sections: readonly Section[];
};

export type CourseWordsDeps = {
  translatorOf: TranslatorOf;
  sections: Pick<SectionStore, "listOf">;
  registrations: Pick<RegistrationStore, "find">;
};

export async function courseWords(
  deps: CourseWordsDeps,
  { session, course }: InstructorVisit,
): Promise<CourseWords> {
  const [registration, sections] = await Promise.all([
    deps.registrations.find(course.registrationId),
    deps.sections.listOf(course.registrationId, course.id),
  ]);
  const t = deps.translatorOf(session.locale);
  const product = capabilitiesOf(registration);
  return {
    t,
    times: courseTimes(course, t.locale),
    sectionKind: product.sections,
    wording: product.wording,
    sections,
  };
}

/** The helpers with which a template of a course's page writes its text. */
type TemplateWords = Pick<CourseWords, "t" | "times"> & {
  /** The course's zone as people call it now: "Berlin (CET)". */
  zone: string;
  /** As `numberText`. */
  number: (value: number) => string;
  /** The label of a section. @param id The LMS's id. */
  label: (id: string) => string;
  /** A time for programs. @param at Milliseconds. */
  iso: (at: number) => string;
  /** Whether the reader teaches here. */
  teaches: boolean;
};

/** The helpers for the function that makes a page's model. */
export type PageWords = CourseWords & TemplateWords & { now: number };

/** What every declared page gets besides its model. */
export type PageFrame = CourseFrame & TemplateWords;

/** A template's values, derived from the function that makes its model: `PageOf<typeof recordingsModel>`. */
export type PageOf<MakesModel extends (...given: never[]) => Promise<object>> = PageFrame &
  Awaited<ReturnType<MakesModel>>;

/** Makes the compiler refuse a model whose parts would hide parts of the frame. */
export type HidesNothing = { [Part in Exclude<keyof PageFrame, "title"> | keyof TemplateLocals]?: never };

export async function pageWords(
  deps: CourseWordsDeps,
  visit: InstructorVisit | MyVisit,
  now: number,
): Promise<PageWords> {
  const words = await courseWords(deps, visit);
  const { t, times } = words;
  return {
    ...words,
    now,
    zone: times.place(now),
    number: (value) => numberText(t, value),
    label: (id) => labelOfSection(words, id),
    iso: (at) => new Date(at).toISOString(),
    teaches: ("member" in visit ? visit.member : visit.session).role === "instructor",
  };
}

export function templateWords({ t, times, zone, number, label, iso, teaches }: PageWords): TemplateWords {
  return { t, times, zone, number, label, iso, teaches };
}

export async function frameOf(
  { translatorOf, sessions }: Pick<CourseWordsDeps, "translatorOf"> & { sessions: Pick<Sessions, "issue"> },
  { session, course }: InstructorVisit,
): Promise<FrameValues> {
  const t = translatorOf(session.locale);
  const courseName = courseNameOf(t, course);
  const draftsOf = `${session.personId} ${course.id}`;
  return { t, courseName, draftsOf, session: await sessions.issue(session) };
}

export function courseNameOf(t: Translate, { title, label }: Pick<Course, "title" | "label">): string {
  return title || label || t("product.name");
}

/** The label of a section: the instructor's name, the LMS's name, or its number. */
export function sectionLabel(
  t: Translate,
  kind: SectionKind,
  section: Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName" | "givenName">,
): string {
  const named = section.givenName ?? section.lmsName;
  const name = named ?? numberLabel(t, kind, section.lmsSectionId);
  return section.lmsSetName === null ? name : t("sections.list.inSet", { set: section.lmsSetName, name });
}

export function numberLabel(t: Translate, kind: SectionKind, id: string): string {
  return t(`sections.list.${kind === "sections" ? "unnamedSection" : "unnamedGroup"}`, { id });
}

/** @param id The LMS's id of a section. A section that the course doesn't have is labelled by its number. */
function labelOfSection({ t, sectionKind, sections }: CourseWords, id: string): string {
  const section = sections.find((one) => one.lmsSectionId === id);
  return section === undefined ? numberLabel(t, sectionKind, id) : sectionLabel(t, sectionKind, section);
}

export function sectionsText(words: CourseWords, ids: readonly string[]): string {
  return inList(
    words.t,
    ids.map((id) => labelOfSection(words, id)),
  );
}
