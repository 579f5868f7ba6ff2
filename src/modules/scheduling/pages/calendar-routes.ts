import { type Response, Router } from "express";
import { readCalendar, type ReadCalendarDeps } from "../read-calendar.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { calendarText, tagOf } from "./calendar-text.ts";

export type CalendarRoutesDeps = ReadCalendarDeps & { translatorOf: TranslatorOf; publicUrl: string };

/** How long a calendar program may keep what it has read (seconds). */
const maxAgeSeconds = 900;

/** GET and HEAD /calendar/<token>.ics. Every wrong address gets the same 404, which reveals nothing. */
export function calendarRoutes(deps: CalendarRoutesDeps): Router {
  const router = Router();
  const { host } = new URL(deps.publicUrl);
  router.get("/calendar/:name", async (request, response) => {
    const { name } = request.params;
    const token = /^([\w-]{32})\.ics$/.exec(name)?.[1] ?? null;
    const calendar = token === null ? null : await readCalendar(deps, token);
    if (calendar === null) {
      notFound(response);
      return;
    }
    const text = calendarText(deps.translatorOf(calendar.locale), calendar, host);
    response.set({
      "Content-Type": "text/calendar; charset=utf-8",
      "Cache-Control": `private, max-age=${maxAgeSeconds}`,
      "Content-Disposition": 'inline; filename="sessions.ics"',
      "X-Robots-Tag": "noindex",
      ETag: tagOf(text),
    });
    // Express answers 304 for the same tag, and HEAD without the text.
    response.send(text);
  });
  return router;
}

function notFound(response: Response): void {
  response.status(404).set({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
  response.type("text/plain").send("Not found.\n");
}
