import type { Response } from "express";
import type { App } from "../../../app.ts";
import { defineView } from "../../../web/view.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import type { PublicFrame } from "./partials.ts";
import { showPublicPage } from "./show-page.ts";

export type ProblemPage = PublicFrame & ProblemShown;

/** `code`: for the operator's log. */
type ProblemShown = { message: string; code: string };

export const problemPage = defineView<ProblemPage>("admin/problem");

export function showRefusal(
  deps: Pick<App, "accounts"> & { translatorOf: TranslatorOf },
  response: Response,
  status: number,
  model: ProblemShown,
): void {
  const t = deps.translatorOf(readerLocale(response.req));
  response.status(status);
  showPublicPage<ProblemShown>(deps, response, {
    view: problemPage,
    title: t("console.problem.heading"),
    model,
  });
}
