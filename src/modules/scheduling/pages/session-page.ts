import type { CourseStore } from "../../courses/store/course-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { SectionStore } from "../../members/store/section-store.ts";
import type { Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { courseNameOf } from "../../../web/course-words.ts";

/** What every page about sessions needs. */
export type SessionPageDeps = {
  courses: Pick<CourseStore, "find" | "setTimeZone">;
  sections: Pick<SectionStore, "listOf">;
  registrations: Pick<RegistrationStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

/** What the top of every page about sessions shows. */
export async function pageFrame(
  deps: Pick<SessionPageDeps, "sessions">,
  { session, course }: InstructorVisit,
  t: Translate,
) {
  const courseName = courseNameOf(t, course);
  return {
    t,
    title: t("sessions.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
  };
}
