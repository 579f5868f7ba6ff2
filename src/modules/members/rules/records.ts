import { memberRecord } from "../../../domain/course.ts";
import { sectionRecord } from "../../../domain/section.ts";

/** Every kind of record of members. */
export const membersRecords = [sectionRecord, memberRecord];
