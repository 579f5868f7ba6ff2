import express, { type Response, Router } from "express";
import { z } from "zod";
import { deletedSince } from "../rules/cohort.ts";
import type { SectionLink } from "../rules/section-link.ts";
import { linkSection, type LinkSectionDeps, sectionUnknown, unlinkSection } from "../link-section.ts";
import { listLinkHistory, type ListLinkHistoryDeps } from "../list-link-history.ts";
import { lookForCohorts, type LookForCohortsDeps } from "../look-for-cohorts.ts";
import { type RefreshCohortDeps, readCohort, readUnread } from "../refresh-cohort.ts";
import { showDifference, type ShowDifferenceDeps } from "../show-difference.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { CohortStore } from "../store/cohort-store.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { PersonStore } from "../../members/store/person-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { SectionStore } from "../../members/store/section-store.ts";
import { numberText } from "../../../web/number-text.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { differenceView, nameOf, pastLinkView } from "./cohorts-view.ts";
import { type PickNews, renderPick } from "./cohorts-pick-page.ts";
import { instructorVisit, type InstructorVisit } from "../../../web/instructor-visit.ts";
import {
  renderSections,
  type SectionsNews,
  type SectionsPageDeps,
} from "../../members/pages/people-sections-page.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type CohortsRoutesDeps = SectionsPageDeps &
  RefreshCohortDeps &
  LookForCohortsDeps &
  LinkSectionDeps &
  ListLinkHistoryDeps &
  Omit<ShowDifferenceDeps, "people"> & {
    cohorts: CohortStore;
    courses: CourseStore;
    people: PersonStore;
    registrations: RegistrationStore;
    sections: SectionStore;
  };

const id = z.string().max(300).catch("");
const carried = z.object({
  section: id,
  program: id,
  cohort: id,
  link: id,
  search: z.string().max(100).catch(""),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
type Posted = z.infer<typeof carried>;

/**
 * Cohorts and the sections that are linked to them, for instructors: POST /course/cohorts/choose (a list), /find (by its
 * ids), /look (in the classroom's list), /link, /unlink, /difference, /read (again, from the classroom) and /history.
 */
export function cohortsRoutes(deps: CohortsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  const page = (
    path: string,
    act: (visit: InstructorVisit, posted: Posted, response: Response) => Promise<void>,
  ) =>
    router.post(`/course/cohorts/${path}`, form, async (request, response) => {
      await act(await instructorVisit(deps, request, "settings"), carried.parse(request.body), response);
    });
  page("choose", (visit, posted, response) => renderPick(deps, visit, posted, response));
  page("find", (visit, posted, response) => find(deps, visit, posted, response));
  page("look", (visit, posted, response) => look(deps, visit, posted, response));
  page("link", (visit, posted, response) => link(deps, visit, posted, response));
  page("unlink", (visit, posted, response) => unlink(deps, visit, posted, response));
  page("difference", (visit, posted, response) => showComparison(deps, visit, posted, response, null));
  page("read", (visit, posted, response) => readAgain(deps, visit, posted, response));
  page("history", (visit, _posted, response) => showHistory(deps, visit, response));
  return router;
}

async function find(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  posted: Posted,
  response: Response,
): Promise<void> {
  const [programId, cohortId] = [posted.program.trim(), posted.cohort.trim()];
  const ids = { programId, cohortId };
  const refuse = async (problem: NonNullable<PickNews["problem"]>, status: number) => {
    response.status(status);
    await renderPick(deps, visit, posted, response, { ids, problem });
  };
  if (programId === "" || cohortId === "") {
    await refuse("idsMissing", 422);
    return;
  }
  try {
    const { environment } = visit.course;
    const found = await readCohort(deps, { environment, ...ids }, { priority: "instructor" });
    if (found === null || deletedSince(found) !== null) await refuse("notFound", 404);
    else await renderPick(deps, visit, posted, response, { found });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    await refuse("notRead", 503);
  }
}

/** Has the classroom asked for its cohorts, where it has a list. */
async function look(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  posted: Posted,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(visit.session.locale);
  try {
    const { found, more } = await lookForCohorts(deps, visit.course.environment);
    const count = t("cohorts.pick.looked", { count: found, number: numberText(t, found) });
    const looked = more === null ? count : `${count} ${t("cohorts.pick.lookedMore")}`;
    await renderPick(deps, visit, posted, response, { looked: { text: looked, bad: more !== null } });
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status === 404) throw thrown;
    response.status(503);
    await renderPick(deps, visit, posted, response, {
      looked: { text: t("cohorts.pick.notRead"), bad: true },
    });
  }
}

async function link(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  { section, program, cohort, page }: Posted,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const t = deps.translatorOf(session.locale);
  const say = (text: string, bad: boolean) => {
    const news: SectionsNews = { about: { lmsSectionId: section, text, bad } };
    return renderSections(deps, visit, { page }, response, news);
  };
  try {
    const wanted = { lmsSectionId: section, programId: program, cohortId: cohort };
    await readUnread(deps, { environment: course.environment, ...wanted });
    const made = await linkSection(deps, course, session.personId, wanted);
    const values = { section: await labelOf(deps, visit, made), cohort: made.cohortName ?? made.cohortId };
    await say(t("cohorts.news.linked", values), false);
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.code === "section-unknown") throw thrown;
    response.status(409);
    await say(thrown.message, true);
  }
}

async function unlink(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  posted: Posted,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const t = deps.translatorOf(session.locale);
  const ended = await unlinkSection(deps, course, session.personId, posted.link);
  if (ended === null) response.status(409);
  const text =
    ended === null
      ? t("cohorts.news.gone")
      : t("cohorts.news.unlinked", { section: await labelOf(deps, visit, ended) });
  const lmsSectionId = ended?.lmsSectionId ?? posted.section;
  const about = { lmsSectionId, text, bad: ended === null };
  await renderSections(deps, visit, posted, response, { about });
}

async function readAgain(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  posted: Posted,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const { registrationId, id: courseId } = course;
  const key = { registrationId, courseId, lmsSectionId: posted.section };
  const t = deps.translatorOf(session.locale);
  const linked = await deps.sectionLinks.findLinked(key);
  if (linked === null) throw sectionUnknown();
  try {
    const read = await readCohort(deps, linked, { priority: "instructor" });
    const gone = read === null || deletedSince(read) !== null;
    const text = t(gone ? "cohorts.news.readGone" : "cohorts.news.read");
    await showComparison(deps, visit, posted, response, { text, bad: gone });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    response.status(503);
    await showComparison(deps, visit, posted, response, { text: t("cohorts.pick.notRead"), bad: true });
  }
}

async function showComparison(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  posted: Posted,
  response: Response,
  news: { text: string; bad: boolean } | null,
): Promise<void> {
  const { course, session } = visit;
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const shown = await showDifference(deps, course, posted.section);
  if (shown === null) throw sectionUnknown();
  const { groups, labels } = await words(deps, visit);
  const section = labels(shown.link.lmsSectionId);
  const cohort = nameOf(shown);
  response.render("course/people-difference", {
    t,
    title: t("cohorts.difference.title", { section, cohort }),
    courseName: courseNameOf(t, course),
    session: await deps.sessions.issue(session),
    zone: times.zone,
    groups,
    id: shown.link.lmsSectionId,
    section,
    cohort,
    news,
    ...differenceView({ t, times, groups }, shown, labels),
  });
}

async function showHistory(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const { groups, labels } = await words(deps, visit);
  const courseName = courseNameOf(t, course);
  const links = await listLinkHistory(deps, course);
  response.render("course/people-history", {
    t,
    title: t("cohorts.past.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    zone: times.zone,
    groups,
    links: links.map((link) => pastLinkView({ t, times, groups }, link, labels)),
  });
}

/** What sections are called in this course. */
async function words(
  deps: Pick<CohortsRoutesDeps, "registrations" | "sections" | "translatorOf">,
  { course, session }: InstructorVisit,
): Promise<{ groups: boolean; labels: (lmsSectionId: string) => string }> {
  const t = deps.translatorOf(session.locale);
  const { sections: kind } = capabilitiesOf(await deps.registrations.find(course.registrationId));
  const sections = await deps.sections.listOf(course.registrationId, course.id);
  const unnamed = { lmsName: null, lmsSetName: null, givenName: null };
  const labels = (lmsSectionId: string) => {
    const known = sections.find((one) => one.lmsSectionId === lmsSectionId);
    return sectionLabel(t, kind, known ?? { lmsSectionId, ...unnamed });
  };
  return { groups: kind === "groups", labels };
}

async function labelOf(
  deps: CohortsRoutesDeps,
  visit: InstructorVisit,
  { lmsSectionId }: SectionLink,
): Promise<string> {
  return (await words(deps, visit)).labels(lmsSectionId);
}
