import express, { type Request, type Response, Router } from "express";
import { changePolicy, type ChangePolicyDeps } from "../change-policy.ts";
import { resolveConflict, type ResolveConflictDeps } from "../resolve-conflict.ts";
import { answerMissing, type AnswerMissingDeps } from "../missing-columns.ts";
import { removeOldColumn, type RemoveOldColumnDeps } from "../old-column.ts";
import { resendCourse, resendScore, type SendAgainDeps, syncCourse } from "../send-again.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { Capability } from "../../../domain/staff-rights.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import { type GradesFilesDeps, sendGradesFile } from "./grades-files.ts";
import { type PostedGrades, readGradesForm } from "./grades-form.ts";
import {
  type GradesNews,
  type GradesPageDeps,
  progressOf,
  renderGrades,
  renderResend,
} from "./grades-page.ts";
import { instructorVisit, type InstructorVisit } from "../../../web/instructor-visit.ts";
import { policyWords } from "./policy-words.ts";
import { pointsText } from "./score-words.ts";

export type GradesRoutesDeps = GradesPageDeps &
  SendAgainDeps &
  ResolveConflictDeps &
  AnswerMissingDeps &
  RemoveOldColumnDeps &
  ChangePolicyDeps &
  GradesFilesDeps & { courses: CourseStore };

type Step = (visit: InstructorVisit, posted: PostedGrades) => Promise<GradesNews | null>;

/**
 * POST /course/grades shows what the gradebook has; /sync tries what waits, /again sends one score again, /answer decides
 * about a teacher's grade, /column about a column that was removed,
 * /old-column removes one that is filled no more (after asking), /resend sends all again (after asking), /progress tells how far that is, as JSON;
 * /course/grades.csv gives files. For instructors.
 */
export function gradesRoutes(deps: GradesRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  /** The page after something was done, with the lines that were shown before. */
  const after = (needs: Capability, step: Step) => async (request: Request, response: Response) => {
    const visit = await instructorVisit(deps, request, needs);
    const posted = readGradesForm(request.body);
    const news = await step(visit, posted);
    await renderGrades(deps, visit, posted.filter, news, response);
  };
  router.post(
    "/course/grades",
    form,
    after("grades", () => Promise.resolve(null)),
  );
  router.post(
    "/course/grades/sync",
    form,
    after("corrections", async ({ session, course }) => {
      await syncCourse(deps, course, session.personId);
      return "synced";
    }),
  );
  router.post(
    "/course/grades/again",
    form,
    after("corrections", async ({ session, course }, { delivery }) => {
      await resendScore(deps, course, delivery, session.personId);
      return "again";
    }),
  );
  router.post(
    "/course/grades/answer",
    form,
    after("corrections", async ({ session, course }, { decision }) => {
      if (decision === null) return null;
      // The trail is in one language.
      const t = deps.translatorOf(null);
      await resolveConflict(deps, course, { ...decision, actor: session.personId }, (grade) =>
        pointsText(t, grade),
      );
      return "answered";
    }),
  );
  router.post(
    "/course/grades/column",
    form,
    after("corrections", async (visit, { column }) =>
      column === null ? null : aboutColumn(deps, visit, column),
    ),
  );
  router.post("/course/grades/old-column", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    const { act, filter } = readGradesForm(request.body);
    const news = act === "confirm" ? await removed(deps, visit) : null;
    await renderGrades(deps, visit, filter, news, response, { asksRemoval: act === "ask" });
  });
  router.post("/course/grades/resend", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    const { act, filter } = readGradesForm(request.body);
    if (act === "ask") {
      await renderResend(deps, visit, response);
      return;
    }
    const { course, session } = visit;
    const news = act === "confirm" ? await begun(deps, course, session.personId) : null;
    await renderGrades(deps, visit, filter, news, response);
  });
  router.post("/course/grades/progress", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    response.json(await progressOf(deps, visit));
  });
  router.post("/course/grades.csv", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "grades");
    const { kind, filter } = readGradesForm(request.body);
    await sendGradesFile(deps, visit, { kind: kind ?? "proof", sectionId: filter.sectionId }, response);
  });
  return router;
}

async function begun(
  deps: SendAgainDeps,
  course: InstructorVisit["course"],
  actor: string,
): Promise<GradesNews> {
  return (await resendCourse(deps, course, actor)) ? "begun" : "underWay";
}

async function removed(deps: RemoveOldColumnDeps, { session, course }: InstructorVisit) {
  try {
    return (await removeOldColumn(deps, course, session.personId)) ? "removed" : null;
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "column-not-removed") return "notRemoved";
    throw thrown;
  }
}

/** What an instructor says about a column that the gradebook has no more. */
async function aboutColumn(
  deps: GradesRoutesDeps,
  { session, course }: InstructorVisit,
  { columnId, answer }: NonNullable<PostedGrades["column"]>,
): Promise<GradesNews | null> {
  if (answer !== "stop") {
    const done = await answerMissing(deps, course, { columnId, answer }, session.personId);
    return done ? (answer === "make" ? "made" : "leftOut") : null;
  }
  // The trail is in one language.
  const t = deps.translatorOf(null);
  const policy = { kind: "no-grades" } as const;
  const done = await changePolicy(deps, course, {
    personId: session.personId,
    revision: course.policyRevision,
    policy,
    before: policyWords(t, course.policy).join(" "),
    after: policyWords(t, policy).join(" "),
  });
  return done ? "stopped" : null;
}
