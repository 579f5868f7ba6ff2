import { mongo } from "mongoose";

/** Codes of the MongoDB server that this engine also throws, under MongoDB's names. */
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
 * An error of MongoDB's server, in its driver's class, so callers recognise both engines' errors.
 * @param facts Further fields of the reply, such as keyPattern and keyValue.
 */
export function serverError(code: number, message: string, facts: object = {}): mongo.MongoServerError {
  return new mongo.MongoServerError({ ...facts, errmsg: message, code, ok: 0 });
}

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

/** A call that this engine doesn't support. We don't ignore it, because it would have an effect on MongoDB. */
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
