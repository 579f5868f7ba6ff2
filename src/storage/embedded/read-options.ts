import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { isRecord } from "./stored-value.ts";

/** With mongoose's own, which it passes along with the driver's. */
export type Options = Record<string, unknown>;

/**
 * Without effect here: how safely, how long and where a command runs (every write is on the disk before it is answered,
 * and there is one server), and mongoose's own flags.
 */
const withoutEffect = new Set([
  "w",
  "j",
  "wtimeout",
  "writeConcern",
  "readPreference",
  "readConcern",
  "maxTimeMS",
  "comment",
  "hint",
  "allowDiskUse",
  "batchSize",
  "noCursorTimeout",
  "bypassDocumentValidation",
  "checkKeys",
  "retryWrites",
  "lean",
  "new",
  "returnOriginal",
  "timestamps",
  "strict",
  "strictQuery",
  "runValidators",
  "setDefaultsOnInsert",
  "omitUndefined",
  "overwriteImmutable",
  "overwriteDiscriminatorKey",
  "multipleCastError",
  "translateAliases",
  "validateBeforeSave",
  "validateModifiedOnly",
  "pathsToSave",
  "sanitizeFilter",
  "sanitizeProjection",
  "throwOnValidationError",
  "skipValidation",
  "rawResult",
  "_skipCastBulkWrite",
  "middleware",
]);

/**
 * @param allowed The options that have an effect on this call.
 * @throws UnsupportedOnEmbedded for anything else: sessions, collations, explain, tailable cursors, `let`...
 */
export function readOptions(call: string, input: unknown, allowed: readonly string[]): Options {
  if (!isRecord(input)) return {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null || allowed.includes(name) || withoutEffect.has(name)) continue;
    if (name.startsWith("_") || value === false) continue;
    throw new UnsupportedOnEmbedded(`the option ${name} of ${call}`);
  }
  return input;
}

/** For skip or limit: a whole number of at least 0; absent is 0. */
export function readCount(name: string, value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw serverError(mongoCode.badValue, `${name} must be a whole number of at least 0`);
  }
  return value;
}
