import type { App } from "../../app.ts";
import { type Cohort, cohortName, cohortRecordId, deletedSince } from "./rules/cohort.ts";
import type { Course } from "../../domain/course.ts";
import type { Section } from "../../domain/section.ts";

export type ListCohortAttentionDeps = Pick<App, "cohorts" | "sectionLinks" | "sections">;

export type DeletedCohort = {
  lmsSectionId: string;
  /** Null when only its id is known. */
  sectionName: string | null;
  cohortName: string;
  programId: string;
  cohortId: string;
  /** Since when it is missing (ms). */
  deletedAt: number;
};

/** Linked cohorts that were deleted in the classroom, latest first. One read where nothing is linked. */
export async function listCohortAttention(
  deps: ListCohortAttentionDeps,
  course: Pick<Course, "id" | "registrationId">,
): Promise<DeletedCohort[]> {
  const links = await deps.sectionLinks.listLinked(course.registrationId, course.id);
  if (links.length === 0) return [];
  const cohorts = new Map<string, Cohort>(
    (await deps.cohorts.findMany(links.map(cohortRecordId))).map((cohort) => [cohort.id, cohort]),
  );
  const deleted = links.flatMap((link) => {
    const cohort = cohorts.get(cohortRecordId(link));
    const deletedAt = cohort === undefined ? null : deletedSince(cohort);
    return cohort === undefined || deletedAt === null ? [] : [{ link, cohort, deletedAt }];
  });
  if (deleted.length === 0) return [];
  const sections = new Map<string, Section>(
    (await deps.sections.listOf(course.registrationId, course.id)).map((one) => [one.lmsSectionId, one]),
  );
  return deleted
    .sort((one, other) => other.deletedAt - one.deletedAt)
    .map(({ link, cohort, deletedAt }) => {
      const { lmsSectionId, programId, cohortId } = link;
      const section = sections.get(lmsSectionId);
      return {
        lmsSectionId,
        sectionName: section?.givenName ?? section?.lmsName ?? link.sectionName,
        cohortName: cohortName(cohort),
        programId,
        cohortId,
        deletedAt,
      };
    });
}
