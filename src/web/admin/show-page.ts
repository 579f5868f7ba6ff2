import type { Response } from "express";
import { courseTimes } from "../course/course-times.ts";
import { readerLocale } from "../reader-locale.ts";
import type { TranslatorOf } from "../translate.ts";
import { type Area, areas } from "./navigation.ts";

/** A page of the console; `values` are the template's own. */
export type Page = { view: string; title: string; area: Area | null; values?: object };

/**
 * Renders views/admin/<view>.
 * @param formToken For the forms of the page; null when nobody is logged in, who then gets no navigation.
 */
export function showPage(
  deps: { translatorOf: TranslatorOf },
  response: Response,
  formToken: string | null,
  { view, title, area, values = {} }: Page,
): void {
  const t = deps.translatorOf(readerLocale(response.req));
  // Of no course, so in UTC; the page's script writes them in the zone of whoever reads.
  const times = courseTimes({ timeZone: null }, t.locale);
  response.render(`admin/${view}`, {
    t,
    title: t("console.pageTitle", { title }),
    heading: title,
    formToken,
    moment: times.text,
    areas: areas.map(({ path, key }) => ({
      path,
      label: t(`console.areas.${key}`),
      current: key === area,
    })),
    ...values,
  });
}
