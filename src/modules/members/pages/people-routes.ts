import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { json } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { requestRoster } from "../request-roster.ts";
import { peoplePage } from "./people-page.ts";
import { syncView } from "./people-view.ts";

const posted = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  section: z.string().max(255).catch(""),
  role: z.enum(["learner", "instructor"]).nullable().catch(null),
  search: z.string().max(100).catch(""),
});

/** For instructors. /read has the roster read. */
export function peopleRoutes(app: App): Router {
  const pages = coursePages(app);
  const form = { maxBytes: 128 * 1024 };
  const listed = { who: "settings", fields: (fields: unknown) => posted.parse(fields), form } as const;
  const people = pages.read("/course/people", listed, ({ visit, fields: { section, ...wanted } }) =>
    peoplePage(app, visit, { ...wanted, sectionId: section === "" ? null : section }),
  );
  pages.change("/course/people/read", listed, async ({ visit, fields: { page, section, role, search } }) => {
    if (visit.course.membershipsUrl !== null) await requestRoster(app, visit.course);
    return people.after({ page: String(page), section, role: role ?? "", search }, null);
  });
  pages.read(
    "/course/people/progress",
    { who: "settings", fields: noFields, form },
    async ({ visit: { course }, t }) => {
      const sync = await app.rosterSyncs.find(course.registrationId, course.id);
      return json(syncView(t, sync, app.clock.now()));
    },
  );
  return pages.router;
}
