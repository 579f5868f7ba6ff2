import type { Change, WriteOne } from "./collection-writes.ts";
import { mongoCode, serverError } from "./mongo-errors.ts";
import { readFilter } from "./read-filter.ts";
import type { Options } from "./read-options.ts";
import { readSort } from "./read-sort.ts";
import { readUpdate } from "./read-update.ts";
import { isRecord } from "./stored-value.ts";
import { toStoredDocument } from "./to-stored.ts";

export function readUpdateCall(filter: unknown, update: unknown, options: Options): WriteOne {
  if (isRecord(update) && Object.keys(update).some((name) => !name.startsWith("$"))) {
    throw serverError(mongoCode.failedToParse, "Update document requires atomic operators");
  }
  return readCall(filter, { update: readUpdate(update, options.arrayFilters) }, options);
}

export function readReplaceCall(filter: unknown, replacement: unknown, options: Options): WriteOne {
  if (!isRecord(replacement) || Object.keys(replacement).some((name) => name.startsWith("$"))) {
    throw serverError(mongoCode.failedToParse, "Replacement document must not contain atomic operators");
  }
  return readCall(filter, { replacement: toStoredDocument(replacement) }, options);
}

function readCall(filter: unknown, change: Change, options: Options): WriteOne {
  return {
    filter: readFilter(filter),
    sort: readSort(options.sort),
    change,
    upsert: options.upsert === true,
  };
}
