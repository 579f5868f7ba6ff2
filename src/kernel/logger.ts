import { pino } from "pino";
import { currentRequest } from "./request-scope.ts";

/** What the rest of the program logs through: an object of facts first, then a fixed sentence. */
export type Logger = {
  debug: (facts: object, message: string) => void;
  info: (facts: object, message: string) => void;
  warn: (facts: object, message: string) => void;
  /** Somebody must act now. */
  error: (facts: object, message: string) => void;
  child: (facts: object) => Logger;
};

/** Keys whose values never reach a log, however deep an object is (three levels are enough for what we log). */
const secretKeys = [
  "authorization",
  "cookie",
  "id_token",
  "access_token",
  "client_assertion",
  "registration_token",
  "token",
  "secret",
  "password",
  "apiKey",
  "name",
  "givenName",
  "familyName",
  "email",
  "body",
];

/**
 * A structured logger on standard output (or `destination`). Lines written on behalf of a request carry its id.
 * @param level A pino level; "silent" for tests.
 */
export function createLogger(level: string, destination?: { write: (line: string) => void }): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    mixin: () => {
      const request = currentRequest();
      return request === null ? {} : { request };
    },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: "[redacted]",
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
