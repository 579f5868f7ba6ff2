import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Answer, PageAnswer } from "../../../web/answer.ts";
import { type After, type Asked, type CoursePages, noFields } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import type { EntryTarget } from "../../joining/entry-target.ts";
import { targetAsShown } from "../../joining/pages/space-page.ts";
import { answeredPanel } from "./copied-panel.ts";
import { type HomeShown, type InstructorHomeDeps, instructorHomePage } from "./instructor-home.ts";
import { type LearnerHomeDeps, learnerHomePage, type OfLms } from "./learner-home.ts";

export type HomePageDeps = InstructorHomeDeps & LearnerHomeDeps;

/** What a change says on an instructor's home. */
const homeNews = z.union([
  z.object({ what: z.literal("link-changed") }),
  z.object({ what: z.literal("copied"), outcome: z.enum(["taken", "declined", "late"]) }),
  z.object({ what: z.literal("set-up"), answer: z.enum(["saved", "later", "hidden"]) }),
]);
type HomeNews = z.infer<typeof homeNews>;

const path = "/course/home";

/** The page at /course/home, for `read`, and for changes that lead to it. */
export function homeRead(app: App) {
  return [
    path,
    { who: "anybody", fields: noFields, news: readNews(homeNews) },
    async ({ visit, browser, t }: Asked<"anybody", unknown>, news: HomeNews | null): Promise<Answer> => {
      const target = await targetAsShown(app, visit.session, browser, "as-set");
      return homePage(app, visit.session, target, news === null ? {} : shownOf(t, news));
    },
  ] as const;
}

/** What an instructor's change answers with: their home as it is now. */
export function homeAfter(app: App, pages: CoursePages, news: HomeNews | null): After {
  return pages.elsewhere(...homeRead(app)).after({}, news);
}

function shownOf(t: Translate, news: HomeNews): HomeShown {
  switch (news.what) {
    case "link-changed":
      return { change: { known: "", space: "", refused: null } };
    case "copied":
      return { panel: answeredPanel(t, news.outcome) };
    case "set-up":
      return { news: news.answer };
  }
}

/**
 * Everybody's first page of a course, with the way into the Space: an instructor's home, or a learner's. What only instructors
 * see needs a whole session.
 */
export function homePage(
  deps: HomePageDeps,
  session: Session,
  target: EntryTarget & OfLms,
  shown: HomeShown = {},
): Promise<PageAnswer> {
  return session.role === "instructor" && session.only !== "entry"
    ? instructorHomePage(deps, session, target, shown)
    : learnerHomePage(deps, session, target);
}
