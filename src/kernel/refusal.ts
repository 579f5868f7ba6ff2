import sentences from "../../views/locales/en/errors.json" with { type: "json" };
import { NamedError, type NamedErrorOptions } from "./errors.ts";

/** Code of a refusal whose sentence is in the catalogues: pages say it in the reader's language. */
export type RefusalCode = keyof typeof sentences;

/**
 * The error of a refusal that people in courses may meet. Its message is the English sentence of the catalogue, which logs, the command
 * line and machines are told. What only operators meet is a `NamedError` with its own sentence.
 */
export function refusal(code: RefusalCode, options: NamedErrorOptions = {}): NamedError {
  return new NamedError(code, sentences[code], options);
}

/** The English sentence of a refusal, for what is stored beside its code. */
export function refusalSentence(code: RefusalCode): string {
  return sentences[code];
}
