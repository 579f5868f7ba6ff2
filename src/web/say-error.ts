import type { NamedError } from "../kernel/errors.ts";
import type { Translate } from "./translate.ts";

/** An expected failure in the reader's language by its code, else in English, as logs have it. */
export function sayError(
  t: Translate,
  { code, message, values }: Pick<NamedError, "code" | "message"> & Partial<Pick<NamedError, "values">>,
): string {
  if (t("language.code") === "en") return message;
  return t.dynamic(`errors.${code}`, values) ?? message;
}
