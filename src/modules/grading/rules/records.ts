import { columnRecord } from "./column.ts";
import { deliveryRecord } from "./delivery.ts";

export const gradingRecords = [columnRecord, deliveryRecord];
