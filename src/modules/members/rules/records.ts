import { memberRecord } from "../../../domain/course.ts";
import { sectionRecord } from "../../../domain/section.ts";

export const membersRecords = [sectionRecord, memberRecord];
