import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import { settingsRead } from "../../courses/pages/settings-read.ts";
import type { Codes } from "../codes.ts";
import { readMinutes } from "../rules/check-in-times.ts";
import { startCheckIn, stopCheckIn } from "../start-check-in.ts";
import { switchCheckIn } from "../switch-check-in.ts";
import { minutesText, screenNews, screenPage } from "./screen-page.ts";

const ofSession = z.object({ event: z.string().max(300).catch("") });
const started = ofSession.extend({ minutes: z.string().max(10).catch("") });
const switched = z.object({ on: z.enum(["on", "off"]).nullable().catch(null) });

/**
 * /course/check-in/screen: what the screen in the room shows of a session, for instructors who may mark attendance; /start and /stop.
 * /course/check-in/switch: whether the course wants it at all, from the settings page.
 */
export function screenRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  const shown = pages.read(
    "/course/check-in/screen",
    {
      ...{ who: "corrections", fields: (posted: unknown) => ofSession.parse(posted) },
      news: readNews(screenNews),
    },
    ({ visit, fields: { event } }, news) => screenPage(app, visit, event, news),
  );
  pages.change(
    "/course/check-in/start",
    { who: "corrections", fields: (posted) => started.parse(posted) },
    async ({ visit: { course, session }, fields: { event, minutes: chosen } }) => {
      const minutes = readMinutes(chosen);
      if (minutes === null) throw refusal("bad-request", { status: 400 });
      const t = app.translatorOf(null);
      const of = { eventId: event, minutes, by: session.personId };
      const isNew = await startCheckIn(app, course, of, (number) => minutesText(t, number));
      return shown.after({ event }, isNew ? "started" : "already");
    },
  );
  pages.change(
    "/course/check-in/stop",
    { who: "corrections", fields: (posted) => ofSession.parse(posted) },
    async ({ visit: { course }, fields: { event } }) => {
      await stopCheckIn(app, course, event);
      return shown.after({ event }, "stopped");
    },
  );
  pages.change(
    "/course/check-in/switch",
    { who: "settings", fields: (posted) => switched.parse(posted) },
    async ({ visit: { course, session }, fields: { on } }) => {
      if (on === null) throw refusal("bad-request", { status: 400 });
      const t = app.translatorOf(null);
      await switchCheckIn(app, course, session.personId, on === "on", (is) =>
        t("label.value", { label: t("checkIn.heading"), value: t(`checkIn.switch.${is ? "on" : "off"}`) }),
      );
      return pages.elsewhere(...settingsRead(app)).after({ scope: "course" }, { saved: true, space: null });
    },
  );
  return pages.router;
}
