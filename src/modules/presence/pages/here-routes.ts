import type { Router } from "express";
import type { App } from "../../../app.ts";
import { page } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { listHere } from "../presence-of-people.ts";

export type HerePage = CourseFrame & {
  /** How many; null for nobody. */
  lead: string | null;
  people: { personId: string; name: string; teaches: boolean; at: string; since: string }[];
  others: string | null;
  zone: string;
};

const hereView = defineView<HerePage>("course/here");

/** Who is in a course's Spaces now, as reported. For instructors. */
export function hereRoutes(app: App): Router {
  const pages = coursePages(app);
  pages.read("/course/here", { who: "settings", fields: noFields }, async ({ visit: { course }, t }) => {
    const times = courseTimes(course, t.locale);
    const { all, people, others } = await listHere(app, course);
    return page(hereView, {
      title: t("presence.title", { course: courseNameOf(t, course) }),
      lead: all === 0 ? null : t("presence.here", { count: all }),
      people: people.map((one) => ({
        personId: one.personId,
        name: one.name,
        teaches: one.role === "instructor",
        at: new Date(one.since).toISOString(),
        since: t("presence.span.now", { from: times.clock(one.since) }),
      })),
      others: others === 0 ? null : t("presence.others", { count: others }),
      zone: t("presence.zone", { zone: times.place(app.clock.now()), when: times.text(app.clock.now()) }),
    });
  });
  return pages.router;
}
