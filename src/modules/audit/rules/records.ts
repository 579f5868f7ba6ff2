import { courseAuditEntryRecord } from "./course-audit.ts";
import { auditEntryRecord } from "./audit.ts";

export const auditRecords = [auditEntryRecord, courseAuditEntryRecord];
