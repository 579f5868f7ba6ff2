import { classroomAlertRecord } from "./classroom-alert.ts";

/** Every kind of record of alerts. */
export const alertsRecords = [classroomAlertRecord];
