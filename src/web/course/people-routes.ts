import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../domain/course.ts";
import { longestSectionName, nameSections } from "../../features/sections/name-sections.ts";
import { requestRoster, type RequestRosterDeps } from "../../features/sections/request-roster.ts";
import { showPeople, type ShowPeopleDeps } from "../../features/sections/show-people.ts";
import { spaceAccessOf } from "../../domain/space-access.ts";
import { linkOfCourse } from "../../features/courses/change-link.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseLinkStore } from "../../storage/course-link-store.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { Session, Sessions } from "../session.ts";
import type { TranslatorOf } from "../translate.ts";
import {
  headcountText,
  numberLabel,
  readinessTexts,
  sectionLabel,
  sectionsOf,
  syncView,
} from "./people-view.ts";

export type PeopleRoutesDeps = ShowPeopleDeps &
  RequestRosterDeps & {
    courses: CourseStore;
    courseLinks: CourseLinkStore;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

/** Every form of the page: who asks, which part of the list, and names under "name." and the section's id. */
const formShape = z
  .object({
    session: z.string().catch(""),
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
    section: z.string().max(255).catch(""),
  })
  .catchall(z.unknown());

type Visit = {
  session: Session;
  course: Course;
  page: number;
  sectionId: string | null;
  /** Names as they were typed, by the LMS's id of the section. */
  typed: Map<string, string>;
};

/** What the page says beside the facts. */
type Shown = { saved?: boolean; tooLong?: readonly string[] };

/** The page "People and sections" of a course, for instructors. Every step is a form that carries the session. */
export function peopleRoutes(deps: PeopleRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "128kb" });
  router.post("/course/people", form, async (request, response) => {
    await showPage(deps, await visitOf(deps, request), response);
  });
  router.post("/course/people/read", form, async (request, response) => {
    const visit = await visitOf(deps, request);
    if (visit.course.membershipsUrl !== null) await requestRoster(deps, visit.course);
    await showPage(deps, visit, response);
  });
  router.post("/course/people/names", form, async (request, response) => {
    const visit = await visitOf(deps, request);
    const tooLong = await nameSections(deps, visit.course, visit.typed);
    if (tooLong.length > 0) response.status(422);
    await showPage(deps, visit, response, tooLong.length > 0 ? { tooLong } : { saved: true });
  });
  router.post("/course/people/progress", form, async (request, response) => {
    const { session, course } = await visitOf(deps, request);
    const sync = await deps.rosterSyncs.find(course.registrationId, course.id);
    const t = deps.translatorOf(session.locale);
    response.set("Cache-Control", "no-store").json(syncView(t, sync, deps.clock.now()));
  });
  return router;
}

async function visitOf(deps: PeopleRoutesDeps, request: Request): Promise<Visit> {
  const fields = formShape.parse(request.body ?? {});
  const session = await deps.sessions.read(fields.session);
  const course = await deps.courses.find(session.courseId);
  if (session.role !== "instructor" || course === null) {
    throw new NamedError("instructors-only", "Only instructors of this course can do this.", { status: 403 });
  }
  const typed = Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith("name.") && typeof value === "string" ? [[name.slice(5), value] as const] : [],
  );
  const { page, section } = fields;
  return { session, course, page, sectionId: section === "" ? null : section, typed: new Map(typed) };
}

async function showPage(
  deps: PeopleRoutesDeps,
  visit: Visit,
  response: Response,
  { saved = false, tooLong = [] }: Shown = {},
): Promise<void> {
  const { session, course } = visit;
  const t = deps.translatorOf(session.locale);
  const people = await showPeople(deps, course, visit);
  const { family } = people;
  const link = await linkOfCourse(deps, course, session.courseLinkId);
  const courseName = course.title || course.label || t("product");
  response.set("Cache-Control", "no-store").render("course/people", {
    t,
    title: t("sections.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    people,
    sync: syncView(t, people.sync, deps.clock.now()),
    total: headcountText(t, people.total),
    readiness: readinessTexts(t, people.readiness),
    sections: people.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, family, section),
      number: numberLabel(t, family, section.lmsSectionId),
      headcount: headcountText(t, section),
      named: section.lmsName !== null,
      typed: visit.typed.get(section.lmsSectionId) ?? section.givenName ?? "",
      tooLong: tooLong.includes(section.lmsSectionId),
    })),
    without: headcountText(t, people.total.withoutSection),
    rows: people.rows.map((row) => ({
      ...row,
      name: row.name ?? t("sections.people.unnamed", { sub: row.sub }),
      sections: sectionsOf(t, people, row),
    })),
    /** Inviting people in the classroom needs their ids there; otherwise they would only be in the way. */
    showsIds: spaceAccessOf(course, link) === "invited-only",
    longestSectionName,
    saved,
    failed: tooLong.length > 0,
  });
}
