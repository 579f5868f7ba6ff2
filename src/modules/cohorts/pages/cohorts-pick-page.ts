import type { Response } from "express";
import { type Cohort, cohortName, cohortRecordId } from "../rules/cohort.ts";
import { findCohorts, type FindCohortsDeps, suggestCohorts, whyNone } from "../find-cohorts.ts";
import { listsCohorts, type LookForCohortsDeps } from "../look-for-cohorts.ts";
import { sectionUnknown } from "../link-section.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { SectionLinkStore } from "../store/section-link-store.ts";
import type { SectionStore } from "../../members/store/section-store.ts";
import type { Sessions } from "../../../web/session.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type PickPageDeps = FindCohortsDeps & {
  classroomOf: LookForCohortsDeps["classroomOf"];
  registrations: Pick<RegistrationStore, "find">;
  sectionLinks: Pick<SectionLinkStore, "listLinked">;
  sections: Pick<SectionStore, "listOf">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

/** What the page says about a cohort that was looked for by its ids. */
export type PickNews = {
  found?: Cohort;
  /** The ids as they were typed, and what is wrong with them. */
  ids?: { programId: string; cohortId: string };
  problem?: "idsMissing" | "notFound" | "notRead";
  /** What came of looking in the classroom's list. */
  looked?: { text: string; bad: boolean };
};

/** Cohorts on one page. */
const perPage = 50;

/**
 * POST /course/cohorts/choose: the cohorts that a section may be linked to, those with a similar name first.
 * @throws NamedError "section-unknown"
 */
export async function renderPick(
  deps: PickPageDeps,
  { session, course }: InstructorVisit,
  wanted: { section: string; search: string; page: number },
  response: Response,
  news: PickNews = {},
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const { found } = news;
  const { registrationId, id: courseId } = course;
  const { sections: kind } = capabilitiesOf(await deps.registrations.find(registrationId));
  const sections = await deps.sections.listOf(registrationId, courseId);
  const section = sections.find(({ lmsSectionId }) => lmsSectionId === wanted.section);
  if (section === undefined) throw sectionUnknown();
  const links = await deps.sectionLinks.listLinked(registrationId, courseId);
  const search = wanted.search.trim();
  const { cohorts, more, deleted } = await findCohorts(deps, course, search);
  const likely = suggestCohorts(course, [section], cohorts, links).get(section.lmsSectionId) ?? [];
  const first = new Set([...(found === undefined ? [] : [found.id]), ...likely.map(({ id }) => id)]);
  const listed = [
    ...(found === undefined ? [] : [found]),
    ...likely.filter(({ id }) => id !== found?.id),
    ...cohorts.filter(({ id }) => !first.has(id)),
  ];
  const pages = Math.max(1, Math.ceil(listed.length / perPage));
  const page = Math.min(wanted.page, pages);
  const labelOf = (lmsSectionId: string) => {
    const other = sections.find((one) => one.lmsSectionId === lmsSectionId) ?? section;
    return sectionLabel(t, kind, other);
  };
  const label = sectionLabel(t, kind, section);
  response.render("course/people-pick", {
    t,
    title: t("cohorts.pick.title", { section: label }),
    courseName: courseNameOf(t, course),
    session: await deps.sessions.issue(session),
    groups: kind === "groups",
    id: section.lmsSectionId,
    section: label,
    search,
    none: whyNone(deleted),
    cohorts: listed.slice((page - 1) * perPage, page * perPage).map((cohort) => {
      const taken = links.find((link) => cohortRecordId(link) === cohort.id);
      return {
        programId: cohort.programId,
        cohortId: cohort.cohortId,
        name: cohortName(cohort),
        likely: likely.some(({ id }) => id === cohort.id),
        taken: taken === undefined ? null : t("cohorts.pick.taken", { section: labelOf(taken.lmsSectionId) }),
      };
    }),
    more: more ? t("cohorts.pick.more", { number: numberText(t, cohorts.length) }) : null,
    ...newsView(t, news),
    looks: listsCohorts(deps, course.environment),
    page,
    pages,
  });
}

function newsView(t: Translate, { found, ids, problem, looked }: PickNews) {
  return {
    found: found === undefined ? null : t("cohorts.pick.found", { cohort: cohortName(found) }),
    ids: ids ?? null,
    problem: problem === undefined ? null : t(`cohorts.pick.${problem}`),
    looked: looked ?? null,
  };
}
