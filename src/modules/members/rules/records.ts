import { memberRecord } from "../../../domain/course.ts";
import { sectionRecord } from "../../../domain/section.ts";
import { courseTurnRecord, provisioningRecord } from "./provisioning.ts";

export const membersRecords = [sectionRecord, memberRecord, provisioningRecord, courseTurnRecord];
