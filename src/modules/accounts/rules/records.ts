import { accountRecord } from "./account-record.ts";

export const accountsRecords = [accountRecord];
