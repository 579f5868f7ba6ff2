import { courseAuditEntryRecord } from "./course-audit.ts";
import { auditEntryRecord } from "./audit.ts";
import { auditWitnessRecord } from "./audit-check.ts";

export const auditRecords = [auditEntryRecord, auditWitnessRecord, courseAuditEntryRecord];
