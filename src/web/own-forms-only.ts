import type { RequestHandler } from "express";
import { isAccountId } from "../domain/account.ts";
import { refusal } from "../kernel/refusal.ts";
import { isFromOwnPage } from "../kernel/own-page.ts";

/** Where the classroom's end-of-session redirect leads, by whichever method; showing the page changes nothing. */
function isEnd(path: string): boolean {
  const end = /^\/ended(?:\/([^/]+))?\/?$/i.exec(path);
  return end !== null && isAccountId(end[1]?.toLowerCase() ?? "production");
}

/**
 * Refuses forms of other sites' pages. Mount before the routes for people and after those that an LMS or the classroom
 * posts to. A foreign form could carry its own author's session, and have somebody act as that person unknowingly.
 */
export function ownFormsOnly(publicUrl: string): RequestHandler {
  return (request, _response, next) => {
    if (request.method === "POST" && !isEnd(request.path) && isFromOwnPage(request, publicUrl) === false) {
      throw refusal("foreign-form", { status: 403 });
    }
    next();
  };
}
