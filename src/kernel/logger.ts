import { pino, type Logger as PinoLogger } from "pino";
import { currentActing, currentRequest } from "./request-scope.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** An object of facts first, then a fixed sentence. */
export type Logger = {
  debug: (facts: object, message: string) => void;
  info: (facts: object, message: string) => void;
  warn: (facts: object, message: string) => void;
  /** Somebody must act now. */
  error: (facts: object, message: string) => void;
  child: (facts: object) => Logger;
};

/**
 * Lines of a request carry its id and, where the operator wants it, client address and actor.
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

/** Pino's own `redact` goes through every path of every line, a twelfth of the cost of a webhook. */
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
