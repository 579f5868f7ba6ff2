import { cohortRecord } from "./cohort.ts";
import { sectionLinkRecord } from "./section-link.ts";

/** Every kind of record of cohorts. */
export const cohortsRecords = [sectionLinkRecord, cohortRecord];
