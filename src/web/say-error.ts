import type { NamedError } from "../kernel/errors.ts";
import type { Translate } from "./translate.ts";

/**
 * The sentence of an expected failure in the reader's language. Errors carry English, which logs and the command line
 * need; what people in courses may meet is translated by its code, and the rest stays in English.
 */
export function sayError(
  t: Translate,
  { code, message, values }: Pick<NamedError, "code" | "message"> & Partial<Pick<NamedError, "values">>,
): string {
  if (t("language.code") === "en") return message;
  return t.dynamic(`errors.${code}`, values) ?? message;
}
