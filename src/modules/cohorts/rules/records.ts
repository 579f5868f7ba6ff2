import { cohortRecord } from "./cohort.ts";
import { sectionLinkRecord } from "./section-link.ts";

export const cohortsRecords = [sectionLinkRecord, cohortRecord];
