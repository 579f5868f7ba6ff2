import { Router } from "express";
import { refusal } from "../kernel/refusal.ts";

/**
 * Addresses that take a form with its session. Loading one alone (a reload, a bookmark, a restored tab) brings none: the answer
 * says to open the link in the course again. Pages with an address of a session's own do not come here. Mount last.
 */
export function reloadRedirects(): Router {
  const router = Router();
  router.get(["/enter", "/door", "/choose", "/course", "/course/*rest"], (_request, response) => {
    response.set("Allow", "POST");
    throw refusal("page-reloaded", { status: 405 });
  });
  return router;
}
