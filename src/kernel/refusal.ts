import catalogue from "../../views/locales/en/errors.json" with { type: "json" };
import { NamedError, type NamedErrorOptions } from "./errors.ts";
import { operatorSentences } from "./operator-sentences.ts";
import { filledIn } from "./text.ts";

const sentences = catalogue.errors;

/** The values that catalogue sentences need, by code. JSON has no types, so `test/rules/refusals.test.ts` compares both. */
export const namedValues = {
  "audiences-unreadable": ["audiences", "characters"],
  "clock-ahead": ["seconds"],
  "clock-behind": ["seconds"],
  "columns-readable": ["number", "title"],
  "columns-zero": ["labels", "title"],
  "connection-keys": ["number"],
  "deployments-refused": ["number"],
  "feedback-too-long": ["longest"],
  "jobs-late": ["names"],
  "launch-lacks-scope": ["scope", "title"],
  "launch-latest": ["title"],
  "launch-without-services": ["title"],
  "launches-fail": ["number"],
  "lms-failed": ["status", "what"],
  "lms-key-refused": ["error"],
  "lms-list-broken": ["what"],
  "lms-moved": ["what", "status"],
  "lms-not-allowed": ["what", "status"],
  "lms-not-found": ["what", "status"],
  "lms-refused": ["what", "status"],
  "lms-reply-unreadable": ["what"],
  "lms-token-refused": ["error"],
  "lms-token-unavailable": ["status"],
  "lms-unreachable": ["host", "reason"],
  "pause-closed": ["status"],
  "pause-refused": ["answer"],
  "pause-scopes": ["answer"],
  "pause-silent": ["reason"],
  "roster-readable": ["title"],
  "scope-missing": ["scope"],
  "scores-refused": ["number"],
  "untested-scope": ["scope"],
  "webhooks-failed": ["number"],
  "webhooks-missing": ["account"],
  "webhooks-refused": ["account"],
  "webhooks-unmatched": ["days", "number"],
} as const satisfies Partial<Record<keyof typeof sentences, readonly string[]>>;

type OperatorCode = keyof typeof operatorSentences;

/** A refusal that people in courses may see. Pages say it in the reader's language. */
export type RefusalCode = keyof typeof sentences;

type ErrorCode = RefusalCode | OperatorCode;

type NamesIn<Sentence> = Sentence extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ValueNames<Code> = Code extends OperatorCode
  ? NamesIn<(typeof operatorSentences)[Code]>
  : Code extends keyof typeof namedValues
    ? (typeof namedValues)[Code][number]
    : never;

/** A code whose sentence names no values. */
export type PlainCode = { [Code in ErrorCode]: [ValueNames<Code>] extends [never] ? Code : never }[ErrorCode];

type OptionsOf<Code> = [ValueNames<Code>] extends [never]
  ? [options?: NamedErrorOptions]
  : [options: NamedErrorOptions & { values: Record<ValueNames<Code>, string | number> }];

const english: Readonly<Record<ErrorCode, string>> = { ...sentences, ...operatorSentences };

/** Makes an expected failure from its code. Its message is the English sentence, for logs and operators. */
export function refusal<Code extends ErrorCode>(code: Code, ...options: OptionsOf<Code>): NamedError;
export function refusal(code: ErrorCode, options: NamedErrorOptions = {}): NamedError {
  return new NamedError(code, filledIn(english[code], options.values), options);
}

/** A failure as it was stored, with the sentence of that time. */
export function storedRefusal(stored: { code: string; message: string; status: number; temporary: boolean }) {
  const { code, message, status, temporary } = stored;
  return new NamedError(code, message, { status, temporary });
}

export function refusalSentence(code: PlainCode): string {
  return english[code];
}

/** A sentence of the catalogue, in no language yet. */
export type CodedSentence = { code: string; values: Readonly<Record<string, string | number>> };

/** A sentence for operators that isn't a refusal: in English, and as code and values for pages in other languages. */
export function advice<Code extends ErrorCode>(
  code: Code,
  values: Record<ValueNames<Code>, string | number>,
) {
  return { message: filledIn(english[code], values), coded: { code, values } };
}
