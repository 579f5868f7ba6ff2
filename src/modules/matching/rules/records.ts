import { unmatchedAttendanceRecord } from "./unmatched.ts";

/** Every kind of record of matching. */
export const matchingRecords = [unmatchedAttendanceRecord];
