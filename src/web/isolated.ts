import type { Translate } from "./translate.ts";

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]/u;
const directionMarks = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * A name for plain text, as mails and calendars have it: between U+2068 and U+2069 where it is written in the other direction than the
 * reader's language, so that brackets and dates around it keep their place.
 */
export function isolated(t: Translate, name: string): string {
  const plain = name.replace(directionMarks, "");
  const other = t("language.direction") === "rtl" ? leftToRight : rightToLeft;
  return other.test(plain) ? `\u2068${plain}\u2069` : plain;
}
