import { isToGoOn, type UnfinishedList } from "../domain/list-pages.ts";
import type { Translate } from "./translate.ts";

/** How much of a list was read, why no more, and what follows, as sentences. */
export function moreText(t: Translate, unfinished: UnfinishedList): string {
  const { read, total, why } = unfinished;
  const number =
    total === null || total <= read ? t("more.read", { count: read }) : t("more.readOf", { read, total });
  return `${number} ${t(isToGoOn(unfinished) ? "more.goesOn" : `more.why.${why}`)}`;
}
