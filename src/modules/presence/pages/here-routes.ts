import type { Router } from "express";
import type { App } from "../../../app.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import { listHere } from "../presence-of-people.ts";

/** Who is in a course's Spaces now, as reported. For instructors. */
export function hereRoutes(app: App): Router {
  const pages = coursePages(app);
  pages.page("/course/here", {
    who: "settings",
    fields: noFields,
    view: defineView<HerePage>("course/here"),
    model: hereModel,
  });
  return pages.router;
}

export type HerePage = PageOf<typeof hereModel>;

async function hereModel(app: App, { visit: { course }, words }: PageAsked<"settings">) {
  const { t, times, iso, zone, now } = words;
  const { all, people, others } = await listHere(app, course);
  return {
    title: t("presence.title", { course: courseNameOf(t, course) }),
    lead: all === 0 ? null : t("presence.here", { count: all }),
    people: people.map((one) => ({
      personId: one.personId,
      name: one.name,
      teaches: one.role === "instructor",
      at: iso(one.since),
      since: t("presence.span.now", { from: times.clock(one.since) }),
    })),
    others: others === 0 ? null : t("presence.others", { count: others }),
    asOf: t("presence.zone", { zone, when: times.text(now) }),
  };
}
