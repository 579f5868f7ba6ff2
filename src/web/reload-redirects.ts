import { Router } from "express";
import { refusal } from "../kernel/refusal.ts";

/**
 * Pages of a course are posted with their session. Loading an address alone (a reload, a bookmark, a restored tab)
 * brings none: the answer says to open the link in the course again. Mount last.
 */
export function reloadRedirects(): Router {
  const router = Router();
  router.get(["/enter", "/door", "/choose", "/course", "/course/*rest"], (_request, response) => {
    response.set("Allow", "POST");
    throw refusal("page-reloaded", { status: 405 });
  });
  return router;
}
