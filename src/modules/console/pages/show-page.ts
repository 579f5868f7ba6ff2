import type { Response } from "express";
import { courseTimes } from "../../../web/course-times.ts";
import { readerLocale } from "../../../web/reader-locale.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import type { ConsoleSession } from "./console-session.ts";
import { type Area, areasFor } from "./navigation.ts";

/** A page of the console; `values` are the template's own. */
export type Page = { view: string; title: string; area: Area | null; values?: object };

/**
 * Renders views/admin/<view>.
 * @param session Whose page it is; null when nobody is logged in, who then gets no navigation.
 */
export function showPage(
  deps: { translatorOf: TranslatorOf },
  response: Response,
  session: Pick<ConsoleSession, "formToken" | "scope"> | null,
  { view, title, area, values = {} }: Page,
): void {
  const t = deps.translatorOf(readerLocale(response.req));
  // Of no course, so in UTC; the page's script writes them in the zone of whoever reads.
  const times = courseTimes({ timeZone: null }, t.locale);
  response.render(`admin/${view}`, {
    t,
    title: t("console.pageTitle", { title }),
    heading: title,
    formToken: session?.formToken ?? null,
    /** Whether the reader is an operator; pages leave out for others what only operators may do. */
    operator: session?.scope === null,
    moment: times.text,
    areas: areasFor(session).map(({ path, key }) => ({
      path,
      label: t(`console.areas.${key}`),
      current: key === area,
    })),
    ...values,
  });
}
