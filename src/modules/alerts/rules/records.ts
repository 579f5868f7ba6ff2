import { classroomAlertRecord } from "./classroom-alert.ts";

export const alertsRecords = [classroomAlertRecord];
