import type { Response } from "express";
import type { App } from "../../../app.ts";
import { type PageAnswer, sendAnswer } from "../../../web/answer.ts";
import { type After, frameOf } from "../../../web/course-pages.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import type { Session } from "../../../web/session.ts";
import { type EntryTarget, findTarget } from "../../joining/find-target.ts";
import { type HomeShown, type InstructorHomeDeps, instructorHomePage } from "./instructor-home.ts";
import { isMobile } from "./launch-view.ts";
import { type LearnerHomeDeps, learnerHomePage, type OfLms } from "./learner-home.ts";

export type EnterPageDeps = InstructorHomeDeps & LearnerHomeDeps & Pick<App, "sessions">;

/** A framed launch's page, with the way into the Space first. */
export async function showEnterPage(
  deps: EnterPageDeps,
  session: Session,
  target: EntryTarget & OfLms,
  response: Response,
): Promise<void> {
  const answer = await homePage(deps, session, target);
  await sendAnswer(response, answer, () => frameOf(deps, { session, course: target.course }));
}

/** What only instructors see needs a whole session. */
function homePage(deps: EnterPageDeps, session: Session, target: EntryTarget & OfLms): Promise<PageAnswer> {
  return session.role === "instructor" && session.only !== "entry"
    ? instructorHomePage(deps, session, target, {})
    : learnerHomePage(deps, session, target);
}

export function homeAfter(app: App, shown: HomeShown): After {
  return {
    kind: "after",
    status: 200,
    show: async (request) => {
      const visit = await instructorVisit(app, request, "settings");
      const { session, course } = visit;
      const target = await findTarget(app, { ...session, mobile: isMobile(request), shown: "tab" });
      return { answer: await instructorHomePage(app, session, { ...target, course }, shown), visit };
    },
  };
}
