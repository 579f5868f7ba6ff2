import type { Course } from "../../domain/course.ts";
import { showGradeSummary, type ShowGradeSummaryDeps } from "../../features/grading/show-grade-summary.ts";
import { courseTimes } from "../course/course-times.ts";
import { columnName, summaryView } from "../course/grades-view.ts";
import { scoreText } from "../course/score-words.ts";
import type { Translate } from "../translate.ts";

/** So many grades that need somebody are on the course's page; all of them are on the page of grades. */
const shown = 5;

/** The grades of a course as its page shows them: in numbers, and the first few that need somebody. */
export async function gradesView(deps: ShowGradeSummaryDeps, t: Translate, course: Course) {
  const summary = await showGradeSummary(deps, course, shown);
  const { counts, urgent } = summary;
  const words = summaryView(t, courseTimes(course), summary);
  return {
    ...words,
    known: Object.values(counts).some((count) => count > 0),
    more: words.need - urgent.length,
    rows: urgent.map(({ delivery, state, name, session }) => ({
      name: name ?? t("grades.unnamed", { sub: delivery.sub }),
      column: session === null ? null : columnName(t, course, session),
      score: scoreText(t, delivery.desired),
      state,
      problem: delivery.lastError,
    })),
  };
}
