import type { Course } from "../domain/course.ts";
import type { LmsWording, SectionKind } from "../domain/lms-product.ts";
import type { Registration } from "../domain/registration.ts";
import { capabilitiesOf } from "../lms/products/capabilities-of.ts";
import type { Section } from "../domain/section.ts";
import type { SectionStore } from "../modules/members/store/member-store.ts";
import type { RegistrationStore } from "../modules/registration/store/registration-store.ts";
import { type CourseTimes, courseTimes } from "./course-times.ts";
import type { InstructorVisit } from "./visits.ts";
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

/** @param known The LMS, when it was just read. */
export async function courseWords(
  deps: CourseWordsDeps,
  { session, course }: InstructorVisit,
  known?: Pick<Registration, "family">,
): Promise<CourseWords> {
  const [registration, sections] = await Promise.all([
    known ?? deps.registrations.find(course.registrationId),
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

export function courseNameOf(t: Translate, { title, label }: Pick<Course, "title" | "label">): string {
  return title || label || t("product.name");
}
