import type { Response } from "express";
import type { App } from "../../../app.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { utcText } from "../../../web/course-times.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { defineView, type PageResponse, renderView, type View } from "../../../web/view.ts";
import { officeOf } from "../../operations/rules/console-access.ts";
import type { ConsoleSession } from "./console-session.ts";
import { countText, nameOfAccount } from "./in-words.ts";
import { type Area, type AreaCounts, type Counted, groupsFor } from "./navigation.ts";
import type { ConsoleFrame, PublicFrame } from "./partials.ts";

/** For people who are logged in. `Own`: what the template shows besides the frame. */
export type Page<Own extends object> = {
  view: View<ConsoleFrame & Own>;
  title: string;
  area: Area | null;
  model: NoInfer<Own>;
};

/** For people who aren't logged in: no navigation, and no forms that need a session. */
type PublicPage<Own extends object> = { view: View<PublicFrame & Own>; title: string; model: NoInfer<Own> };

/** @param counts Shown next to the areas. Empty for administrators of one LMS. */
export function showPage<Own extends object>(
  app: Pick<App, "accounts" | "translatorOf">,
  response: Response,
  session: Pick<ConsoleSession, "formToken" | "scope" | "role">,
  counts: AreaCounts,
  { view, title, area, model }: Page<Own>,
): void {
  const shared = publicFrame(app, response, title);
  const { t } = shared;
  const badge = (counted: Counted | undefined) => {
    const found = counted === undefined ? undefined : counts[counted];
    return found === undefined || found.count === 0 ? null : { ...found, text: countText(t, found.count) };
  };
  const office = officeOf(session.role);
  const alerts = counts.alarms?.count ?? 0;
  const frame: ConsoleFrame = {
    ...shared,
    formToken: session.formToken,
    operator: session.scope === null && office === null,
    searches: office === null,
    reader: session.role === "reader",
    groups: groupsFor(session).map(({ group, areas }) => ({
      label: group === null ? null : t(`console.groups.${group}`),
      areas: areas.map(({ path, key, icon, counts: counted }) => ({
        path,
        label: t(`console.areas.${key}`),
        icon,
        current: key === area,
        count: badge(counted),
      })),
    })),
    alertCount: alerts === 0 ? null : countText(t, alerts),
  };
  const output = session.role === "reader" ? withoutChanges(response) : response;
  renderView<ConsoleFrame & Own>(output, view, { ...frame, ...model });
}

/** Disables everything that changes something on readers' pages. The gate refuses it, too. */
function withoutChanges(response: Response): PageResponse {
  return {
    render: (template, values) => {
      response.render(template, values, (error: Error | null, page: string) => {
        if (error === null) response.send(disableForms(page));
        else response.req.next?.(error);
      });
    },
  };
}

export function showPublicPage<Own extends object>(
  app: Pick<App, "accounts" | "translatorOf">,
  response: Response,
  { view, title, model }: PublicPage<Own>,
): void {
  renderView<PublicFrame & Own>(response, view, { ...publicFrame(app, response, title), ...model });
}

function publicFrame(
  app: Pick<App, "accounts" | "translatorOf">,
  response: Response,
  title: string,
): PublicFrame {
  const t = app.translatorOf(readerLocale(response.req));
  return {
    t,
    title: t("console.pageTitle", { title }),
    heading: title,
    formToken: null,
    operator: false,
    reader: false,
    searches: false,
    // The page's script shows it in the reader's zone.
    time: (at) => `<time datetime="${new Date(at).toISOString()}">${utcText(t, at)}</time>`,
    accountName: (id) => nameOfAccount(t, app.accounts, id),
    groups: [],
    alertCount: null,
  };
}

/** Forms that search, or change only the reader's own session. */
const harmless = ["log-out", "people", "search"].map((name) => `action="/admin/${name}"`);

/** Disables a page's posted forms, except the harmless ones. */
function disableForms(page: string): string {
  return page.split("</form>").map(disableForm).join("</form>");
}

/** @param part The part of a page up to a form's end, so it holds at most one form. */
function disableForm(part: string): string {
  const [begin] = /<form\b[^<>]*>/.exec(part) ?? [];
  if (begin === undefined || !begin.includes('method="post"')) return part;
  if (harmless.some((action) => begin.includes(action))) return part;
  return `${part.replace(begin, () => `${begin}<fieldset disabled>`)}</fieldset>`;
}

export type ProblemPage = PublicFrame & ProblemText;

/** `code`: for the operator's log. */
type ProblemText = { message: string; code: string };

export const problemPage = defineView<ProblemPage>("admin/problem");

export function showRefusal(
  app: Pick<App, "accounts"> & { translatorOf: TranslatorOf },
  response: Response,
  status: number,
  model: ProblemText,
): void {
  const t = app.translatorOf(readerLocale(response.req));
  response.status(status);
  showPublicPage<ProblemText>(app, response, {
    view: problemPage,
    title: t("console.problem.heading"),
    model,
  });
}
