import { unassignedEventRecord, unmatchedAttendanceRecord, userMatchRecord } from "./unmatched.ts";

export const matchingRecords = [unmatchedAttendanceRecord, userMatchRecord, unassignedEventRecord];
