import express, { type Request, Router } from "express";
import { z } from "zod";
import { nameSections, type NameSectionsDeps } from "../name-sections.ts";
import { requestRoster, type RequestRosterDeps } from "../request-roster.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { SectionStore } from "../store/section-store.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import { type PeoplePageDeps, renderPeople } from "./people-page.ts";
import { renderSections, type SectionsPageDeps } from "./people-sections-page.ts";
import { syncView } from "./people-view.ts";

export type PeopleRoutesDeps = PeoplePageDeps &
  SectionsPageDeps &
  NameSectionsDeps &
  RequestRosterDeps & { courses: CourseStore; sections: SectionStore };

/** Every form of the pages: which part of the list, and names under "name." and the section's id. */
const formShape = z
  .object({
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
    section: z.string().max(255).catch(""),
    role: z.enum(["learner", "instructor"]).nullable().catch(null),
    search: z.string().max(100).catch(""),
  })
  .catchall(z.unknown());

/**
 * The people of a course, for instructors: POST /course/people (who), /course/people/sections (in which section, and which
 * cohort that is), and what is done on them. Every step is a form that carries the session.
 */
export function peopleRoutes(deps: PeopleRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "128kb" });
  router.post("/course/people", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    await renderPeople(deps, visit, filterIn(request), response);
  });
  router.post("/course/people/read", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    if (visit.course.membershipsUrl !== null) await requestRoster(deps, visit.course);
    await renderPeople(deps, visit, filterIn(request), response);
  });
  router.post("/course/people/progress", form, async (request, response) => {
    const { session, course } = await instructorVisit(deps, request, "settings");
    const sync = await deps.rosterSyncs.find(course.registrationId, course.id);
    const t = deps.translatorOf(session.locale);
    response.json(syncView(t, sync, deps.clock.now()));
  });
  router.post("/course/people/sections", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    await renderSections(deps, visit, filterIn(request), response);
  });
  router.post("/course/people/names", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const typed = namesIn(request);
    const tooLong = await nameSections(deps, visit.course, visit.session.personId, typed);
    if (tooLong.length > 0) response.status(422);
    const news = tooLong.length > 0 ? { typed, tooLong } : { saved: true };
    await renderSections(deps, visit, filterIn(request), response, news);
  });
  return router;
}

function filterIn(request: Request) {
  const { page, section, role, search } = formShape.parse(request.body ?? {});
  return { page, sectionId: section === "" ? null : section, role, search };
}

/** Names as they were typed, by the LMS's id of the section. */
function namesIn(request: Request): Map<string, string> {
  const fields = formShape.parse(request.body ?? {});
  return new Map(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith("name.") && typeof value === "string" ? [[name.slice(5), value] as const] : [],
    ),
  );
}
