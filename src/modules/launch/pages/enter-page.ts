import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import { type EntryTarget, findTarget, type FindTargetDeps } from "../../joining/find-target.ts";
import type { Session } from "../../../web/session.ts";
import { type HomeShown, type InstructorHomeDeps, showInstructorHome } from "./instructor-home.ts";
import { isMobile } from "./launch-view.ts";
import { type LearnerHomeDeps, type OfLms, showLearnerHome } from "./learner-home.ts";

export type EnterPageDeps = FindTargetDeps & InstructorHomeDeps & LearnerHomeDeps;

/**
 * The page a framed launch shows, with the way into the Space first: an instructor's home, or a learner's. What only
 * instructors see needs a whole session.
 * @param course As it is now; what was just saved may be newer than the target.
 */
export async function showEnterPage(
  deps: EnterPageDeps,
  session: Session,
  course: Course,
  response: Response,
  { target: known, ...shown }: HomeShown & { target?: EntryTarget & OfLms },
): Promise<void> {
  const target: EntryTarget & OfLms =
    known ?? (await findTarget(deps, { ...session, mobile: isMobile(response.req), shown: "tab" }));
  if (session.role === "instructor" && session.only !== "entry")
    await showInstructorHome(deps, session, { ...target, course }, response, shown);
  else await showLearnerHome(deps, session, target, response);
}
