import { unmatchedAttendanceRecord } from "./unmatched.ts";

export const matchingRecords = [unmatchedAttendanceRecord];
