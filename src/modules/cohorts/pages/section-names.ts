import type { App } from "../../../app.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";

export type SectionNames = {
  /** The LMS calls them groups. */
  groups: boolean;
  /** By the LMS's id. */
  labels: (lmsSectionId: string) => string;
};

export async function sectionNames(app: App, { course, session }: InstructorVisit): Promise<SectionNames> {
  const t = app.translatorOf(session.locale);
  const { sections: kind } = capabilitiesOf(await app.registrations.find(course.registrationId));
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const unnamed = { lmsName: null, lmsSetName: null, givenName: null };
  const labels = (lmsSectionId: string) => {
    const known = sections.find((one) => one.lmsSectionId === lmsSectionId);
    return sectionLabel(t, kind, known ?? { lmsSectionId, ...unnamed });
  };
  return { groups: kind === "groups", labels };
}
