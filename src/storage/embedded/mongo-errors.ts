import { mongo } from "mongoose";

/** Error codes of the MongoDB server that this engine also raises, by MongoDB's own names. */
export const mongoCode = {
  badValue: 2,
  failedToParse: 9,
  typeMismatch: 14,
  immutableField: 66,
  cannotCreateIndex: 67,
  namespaceNotFound: 26,
  indexNotFound: 27,
  pathNotViable: 28,
  conflictingUpdateOperators: 40,
  namespaceExists: 48,
  notSingleValueField: 54,
  dollarPrefixedFieldName: 52,
  indexOptionsConflict: 85,
  indexKeySpecsConflict: 86,
  objectTooLarge: 10334,
  duplicateKey: 11000,
} as const;

/**
 * The error MongoDB's server would send, as the class its driver would throw, so that callers need no second way
 * to recognise it.
 * @param facts Further fields of the reply, such as keyPattern and keyValue.
 */
export function serverError(code: number, message: string, facts: object = {}): mongo.MongoServerError {
  return new mongo.MongoServerError({ ...facts, errmsg: message, code, ok: 0 });
}

/** A unique key is taken. */
export function duplicateKeyError(conflict: {
  collection: string;
  index: string;
  keyPattern: object;
  keyValue: object;
}): mongo.MongoServerError {
  const { collection, index, keyPattern, keyValue } = conflict;
  const message = `E11000 duplicate key error collection: ${collection} index: ${index} dup key: ${JSON.stringify(keyValue)}`;
  return serverError(mongoCode.duplicateKey, message, { index: 0, keyPattern, keyValue });
}

/**
 * The caller asked for something that this engine does not do. Thrown instead of being ignored, because on a
 * MongoDB the same call would have an effect.
 */
export class UnsupportedOnEmbedded extends Error {
  readonly code = "unsupported-on-embedded";

  /** @param what The operator, option or call, in the words of the caller's code. */
  constructor(what: string) {
    super(
      `The embedded storage engine does not support ${what}. Supported is what src/storage/embedded/README.md lists.`,
    );
    this.name = "UnsupportedOnEmbedded";
  }
}
