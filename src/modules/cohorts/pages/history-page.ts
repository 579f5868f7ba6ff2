import type { App } from "../../../app.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { listLinkHistory } from "../list-link-history.ts";
import { pastLinkView } from "./cohorts-view.ts";
import { sectionNames } from "./section-names.ts";

export type HistoryPage = CourseFrame & {
  zone: string;
  groups: boolean;
  links: ReturnType<typeof pastLinkView>[];
};

const historyView = defineView<HistoryPage>("course/people-history");

export async function historyPage(app: App, visit: InstructorVisit): Promise<PageAnswer> {
  const { course, session } = visit;
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const { groups, labels } = await sectionNames(app, visit);
  const links = await listLinkHistory(app, course);
  return page(historyView, {
    title: t("cohorts.past.title", { course: courseNameOf(t, course) }),
    zone: times.place(app.clock.now()),
    groups,
    links: links.map((link) => pastLinkView({ t, times, groups }, link, labels)),
  });
}
