import { Router } from "express";
import { readerLocale } from "../../../web/reader-locale.ts";
import type { Head } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { TranslatorOf } from "../../../web/translate.ts";

const againPage = defineView<Head>("space/again");

/** What the address of an embedded Space's page becomes once it is open. */
export const spaceAddress = "/space";

/**
 * GET /space: the page of an embedded Space, loaded again. The browser's history holds its session, and with that
 * the page's script enters again; a browser that has none is told to open the link in the course.
 */
export function spaceRoutes(deps: { translatorOf: TranslatorOf }): Router {
  const router = Router();
  router.get(spaceAddress, (request, response) => {
    const t = deps.translatorOf(readerLocale(request));
    renderView(response, againPage, { t, title: t("space.again") });
  });
  return router;
}
