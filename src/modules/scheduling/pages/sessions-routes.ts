import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { changeTimeZone } from "../../courses/change-settings.ts";
import { resolvePlan } from "../plan-sessions.ts";
import { timeZoneOf } from "../rules/time-zone.ts";
import { showSessions } from "../show-sessions.ts";
import { json } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { addSessionPage } from "./session-change-page.ts";
import { addPlanPages } from "./sessions-plan-pages.ts";
import { sessionsNews, sessionsList, progressOf } from "./sessions-page.ts";

const number = z.coerce.number().int().min(1).max(10_000).catch(1);
const zoneShape = z.object({
  zone: z.string().max(100).catch(""),
  then: z.literal("plan").nullable().catch(null),
});
const settleShape = z.object({
  key: z.string().max(100).catch(""),
  answer: z.enum(["there", "again", "drop", "retry"]).nullable().catch(null),
});

/** For instructors. /settle takes an answer about a stuck session, /progress says how many are still to be made. */
export function sessionsRoutes(app: App): Router {
  const pages = coursePages(app);
  const who = "settings";
  const list = pages.page("/course/sessions", {
    who,
    fields: z.object({ next: number, past: number }),
    address: ({ next, past }) => ({ next: String(next), past: String(past) }),
    news: sessionsNews,
    ...sessionsList,
  });
  pages.change("/course/sessions/zone", { who, fields: zoneShape }, async ({ visit, fields }) => {
    const zone = timeZoneOf(fields.zone);
    if (zone === null) return list.after({}, { what: "zone-unknown" }, 422);
    await changeTimeZone(app, visit.course, visit.session.personId, zone);
    if (fields.then === "plan") return planForm.after({}, null);
    return list.after({}, { what: "zone-saved" });
  });
  pages.change(
    "/course/sessions/settle",
    { who, fields: settleShape },
    async ({ visit, fields: { key, answer } }) => {
      const done = answer !== null && (await resolvePlan(app, visit.course, key, answer));
      return list.after({}, { what: done ? "settled" : "not-settled" });
    },
  );
  pages.read("/course/sessions/progress", { who, fields: noFields }, async ({ visit, t }) =>
    json(progressOf(t, await showSessions(app, visit.course))),
  );
  const planForm = addPlanPages(app, pages, list);
  addSessionPage(app, pages, list);
  return pages.router;
}
