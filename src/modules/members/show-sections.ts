import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { LmsCapabilities } from "../../domain/lms-product.ts";
import type { RegistrationStore } from "../registration/store/registration-store.ts";
import { countMembers, type MemberCounts, sectionRows, type SectionRow } from "./count-members.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";

export type ShowSectionsDeps = Pick<App, "members" | "sections"> & {
  registrations: Pick<RegistrationStore, "find">;
};

export type SectionsOfCourse = {
  product: LmsCapabilities;
  total: MemberCounts["total"];
  sections: readonly SectionRow[];
};

export async function showSections(
  deps: ShowSectionsDeps,
  { registrationId, id: courseId }: Pick<Course, "id" | "registrationId">,
): Promise<SectionsOfCourse> {
  const counted = await countMembers(deps, { registrationId, courseId });
  return {
    product: capabilitiesOf(await deps.registrations.find(registrationId)),
    total: counted.total,
    sections: sectionRows(await deps.sections.listOf(registrationId, courseId), counted),
  };
}
