import { Router } from "express";
import { readerLocale } from "../../../web/browser-of.ts";
import type { Head } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { TranslatorOf } from "../../../web/translate.ts";

const againPage = defineView<Head>("space/again");

/** The address of an embedded Space's page once it is open. */
export const spaceAddress = "/space";

/**
 * An embedded Space's page, loaded again. Its script enters again with the session in the browser's history; without
 * one it says to open the link in the course.
 */
export function spaceRoutes(deps: { translatorOf: TranslatorOf }): Router {
  const router = Router();
  router.get(spaceAddress, (request, response) => {
    const t = deps.translatorOf(readerLocale(request));
    renderView(response, againPage, { t, title: t("space.again") });
  });
  return router;
}
