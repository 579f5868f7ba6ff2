import { Router } from "express";
import { NamedError } from "../kernel/errors.ts";
import { readerLocale } from "./reader-locale.ts";
import type { TranslatorOf } from "./translate.ts";

/**
 * Pages of a course answer a POST that carries the session. Loading one by its address alone - a reload, a
 * bookmark, a restored tab - brings no session: the answer says to open the link in the course again. Mount after
 * everything else.
 */
export function reloadRedirects(translatorOf: TranslatorOf): Router {
  const router = Router();
  router.get(["/enter", "/door", "/choose", "/course", "/course/*rest"], (request, response) => {
    response.set("Allow", "POST");
    throw new NamedError("page-reloaded", translatorOf(readerLocale(request))("browser.reloaded"), {
      status: 405,
    });
  });
  return router;
}
