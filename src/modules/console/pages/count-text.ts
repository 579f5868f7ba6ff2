import { maxCount } from "../../operations/list-receipts.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** A number counted up to a limit. */
export function countText(t: Translate, count: number): string {
  return count > maxCount ? `${numberText(t, maxCount)}+` : numberText(t, count);
}
