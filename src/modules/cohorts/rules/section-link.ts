import type { Cohort } from "./cohort.ts";

/**
 * An instructor's word that a section of an LMS course is a cohort of the classroom. One holds for a section at a time; a
 * cohort may be linked in several courses. A link that was taken back stays as history.
 */
export type SectionLink = Pick<Cohort, "environment" | "programId" | "cohortId"> & {
  id: string;
  registrationId: string;
  courseId: string;
  /** The LMS's id of the section (Canvas) or group (Moodle). */
  lmsSectionId: string;
  /** What the section and the cohort were called when they were linked. */
  sectionName: string | null;
  cohortName: string | null;
  state: "linked" | "unlinked";
  /** Who linked it (person id), and when (ms). */
  by: string;
  at: number;
  /** Who took it back, and when (ms); null while it holds. */
  endedBy: string | null;
  endedAt: number | null;
};
