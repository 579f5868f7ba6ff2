import type { App } from "../../../app.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { sectionUnknown } from "../link-section.ts";
import { showDifference } from "../show-difference.ts";
import { differenceView, nameOf } from "./cohorts-view.ts";
import { sectionNames } from "./section-names.ts";

export type DifferencePage = CourseFrame &
  ReturnType<typeof differenceView> & {
    zone: string;
    groups: boolean;
    /** The LMS's id of the section. */
    id: string;
    section: string;
    cohort: string;
    news: { text: string; bad: boolean } | null;
  };

const differencePageView = defineView<DifferencePage>("course/people-difference");

/** @throws NamedError "section-unknown" */
export async function differencePage(
  app: App,
  visit: InstructorVisit,
  lmsSectionId: string,
  news: DifferencePage["news"],
  status?: number,
): Promise<PageAnswer> {
  const { course, session } = visit;
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const shown = await showDifference(app, course, lmsSectionId);
  if (shown === null) throw sectionUnknown();
  const { groups, labels } = await sectionNames(app, visit);
  const section = labels(shown.link.lmsSectionId);
  const cohort = nameOf(shown);
  return page(
    differencePageView,
    {
      title: t("cohorts.difference.title", { section, cohort }),
      zone: times.place(app.clock.now()),
      groups,
      id: shown.link.lmsSectionId,
      section,
      cohort,
      news,
      ...differenceView({ t, times, groups }, shown, labels),
    },
    { status },
  );
}
