import { courseAuditEntryRecord } from "./course-audit.ts";
import { auditEntryRecord } from "./audit.ts";

/** Every kind of record of audit. */
export const auditRecords = [auditEntryRecord, courseAuditEntryRecord];
