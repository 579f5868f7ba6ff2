import { columnRecord } from "./column.ts";
import { deliveryRecord } from "./delivery.ts";

/** Every kind of record of grading. */
export const gradingRecords = [columnRecord, deliveryRecord];
