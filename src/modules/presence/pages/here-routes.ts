import express, { Router } from "express";
import { listHere, type ListHereDeps } from "../here-now.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { clockIn } from "./presence-view.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type HereRoutesDeps = ListHereDeps & {
  courses: Pick<CourseStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

/** Who is in the Spaces of a course now. */
export type HerePage = CourseFrame & {
  /** How many they are; null for nobody. */
  lead: string | null;
  people: { personId: string; name: string; teaches: boolean; at: string; since: string }[];
  /** How many have no name here; null for nobody. */
  others: string | null;
  zone: string;
};

const herePage = defineView<HerePage>("course/here");

/** POST /course/here: who is in the Spaces of a course now, as the classroom reported. For instructors. */
export function hereRoutes(deps: HereRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/here", form, async (request, response) => {
    const { session, course } = await instructorVisit(deps, request, "settings");
    const t = deps.translatorOf(session.locale);
    const times = courseTimes(course, t.locale);
    const clock = clockIn({ t, times });
    const { all, people, others } = await listHere(deps, course);
    const courseName = courseNameOf(t, course);
    renderView(response, herePage, {
      t,
      title: t("presence.title", { course: courseName }),
      courseName,
      session: await deps.sessions.issue(session),
      lead: all === 0 ? null : t("presence.here", { count: all }),
      people: people.map((one) => ({
        personId: one.personId,
        name: one.name,
        teaches: one.role === "instructor",
        at: new Date(one.since).toISOString(),
        since: t("presence.span.now", { from: clock.format(one.since) }),
      })),
      others: others === 0 ? null : t("presence.others", { count: others }),
      zone: t("presence.zone", { zone: times.zone, when: times.text(deps.clock.now()) }),
    });
  });
  return router;
}
