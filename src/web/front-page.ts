import { Router } from "express";
import type { Head } from "./partials.ts";
import { readerLocale } from "./reader-locale.ts";
import type { TranslatorOf } from "./translate.ts";
import { defineView, renderView } from "./view.ts";

export type FrontPageDeps = { translatorOf: TranslatorOf; hasConsole: boolean };

export type FrontPage = Head & { hasConsole: boolean };

const frontPage = defineView<FrontPage>("front/front");

/** Who types the tool's address reads what it is, and where to go. */
export function frontPageRoutes({ translatorOf, hasConsole }: FrontPageDeps): Router {
  const router = Router();
  router.get("/", (request, response) => {
    const t = translatorOf(readerLocale(request));
    renderView(response, frontPage, { t, title: t("product.name"), hasConsole });
  });
  return router;
}
