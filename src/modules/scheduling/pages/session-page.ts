import type { Registration } from "../../../domain/registration.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { SectionStore } from "../../members/store/section-store.ts";
import type { Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import type { SessionWords } from "./sessions-view.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";

/** What every page about sessions needs. */
export type SessionPageDeps = {
  courses: Pick<CourseStore, "find" | "setTimeZone">;
  sections: Pick<SectionStore, "listOf">;
  registrations: Pick<RegistrationStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

/** Says something at the top of a page. */
export type Notice = { tone: "good" | "warning" | "mend"; text: string };

/** What the top of every page about sessions shows. */
export async function pageFrame(
  deps: Pick<SessionPageDeps, "sessions">,
  { session, course }: InstructorVisit,
  t: Translate,
) {
  const courseName = course.title || course.label || t("product.name");
  return {
    t,
    title: t("sessions.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
  };
}

/**
 * What words about sessions are made from.
 * @param known The LMS, when it was read a moment ago.
 */
export async function wordsOf(
  deps: SessionPageDeps,
  { session, course }: InstructorVisit,
  known?: Pick<Registration, "family">,
): Promise<SessionWords> {
  const [registration, sections] = await Promise.all([
    known ?? deps.registrations.find(course.registrationId),
    deps.sections.listOf(course.registrationId, course.id),
  ]);
  const t = deps.translatorOf(session.locale);
  return {
    t,
    times: courseTimes(course, t.locale),
    sectionKind: capabilitiesOf(registration).sections,
    sections,
  };
}
