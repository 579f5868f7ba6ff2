import { Router } from "express";
import { refusal } from "../kernel/refusal.ts";

/**
 * Pages of a course answer a POST that carries the session. Loading one by its address alone - a reload, a
 * bookmark, a restored tab - brings no session: the answer says to open the link in the course again. Mount after
 * everything else.
 */
export function reloadRedirects(): Router {
  const router = Router();
  router.get(["/enter", "/door", "/choose", "/course", "/course/*rest"], (_request, response) => {
    response.set("Allow", "POST");
    throw refusal("page-reloaded", { status: 405 });
  });
  return router;
}
