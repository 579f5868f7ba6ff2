import { pino, type Logger as PinoLogger } from "pino";
import { currentActing, currentRequest } from "./request-scope.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** What the rest of the program logs through: an object of facts first, then a fixed sentence. */
export type Logger = {
  debug: (facts: object, message: string) => void;
  info: (facts: object, message: string) => void;
  warn: (facts: object, message: string) => void;
  /** Somebody must act now. */
  error: (facts: object, message: string) => void;
  child: (facts: object) => Logger;
};

/**
 * A structured logger on standard output (or `destination`). Lines written on behalf of a request carry its id,
 * and where the operator wants it the client's address and who acts.
 * @param level A pino level; "silent" for tests.
 */
export function createLogger(level: string, destination?: { write: (line: string) => void }): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    mixin: () => {
      const request = currentRequest();
      return request === null ? {} : { request, ...currentActing() };
    },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return keepingSecrets(destination === undefined ? pino(options) : pino(options, destination));
}

/**
 * Strikes out what no log may show. Pino's own `redact` does as much, but goes through every path of every line anew, which was
 * a twelfth of what a webhook costs.
 */
function keepingSecrets(inner: PinoLogger): Logger {
  const at = (level: "debug" | "info" | "warn" | "error") => (facts: object, message: string) => {
    if (inner.isLevelEnabled(level)) inner[level](withoutSecrets(facts), message);
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (facts) => keepingSecrets(inner.child(withoutSecrets(facts))),
  };
}
