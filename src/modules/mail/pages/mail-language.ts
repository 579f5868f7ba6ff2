import type { Translate } from "../../../web/translate.ts";
import type { MailWords } from "../rules/mail-text.ts";

/** Of a mail in the reader's words. */
export function mailLanguage(t: Translate): Pick<MailWords, "language" | "direction"> {
  return {
    language: t("language.code"),
    direction: t("language.direction") === "rtl" ? "rtl" : "ltr",
  };
}
