import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { changePolicy, type ChangePolicyDeps } from "../change-policy.ts";
import { type PolicyPreview, previewPolicy, type PreviewPolicyDeps } from "../preview-policy.ts";
import type { Capability } from "../../../domain/staff-rights.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import {
  afterConflict,
  formOfPolicy,
  formOfPosted,
  formOfText,
  type GradingForm,
  policyOfForm,
  sameForm,
  withoutLocked,
} from "./grading-form.ts";
import {
  type GradingPageDeps,
  type GradingShown,
  type GradingVisit,
  progressOf,
  renderGrading,
  renderGradingChange,
} from "./grading-page.ts";
import { policyWords } from "./policy-words.ts";

export type GradingRoutesDeps = GradingPageDeps &
  ChangePolicyDeps &
  PreviewPolicyDeps & { courses: CourseStore };

/** What the page's forms bring besides the policy itself. */
const visitShape = z.object({
  session: z.unknown().optional(),
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .catch(-1),
  seen: z.unknown().optional(),
  typed: z.unknown().optional(),
  act: z.enum(["save", "back"]).catch("back"),
  /** The learner by whom the policy is to be explained. */
  example: z.string().min(1).max(100).nullable().catch(null),
});
type Posted = z.infer<typeof visitShape>;

/**
 * POST /course/grading shows how grades come about; /example what somebody's grade would be under what was typed;
 * /preview what another policy would change; /save saves one that was seen so, and has all grades sent anew. For
 * instructors.
 */
export function gradingRoutes(deps: GradingRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  router.post("/course/grading", form, async (request, response) => {
    const { visit } = await visitOf(deps, request);
    await renderGrading(deps, visit, {}, response);
  });
  router.post("/course/grading/example", form, async (request, response) => {
    const { visit, posted } = await visitOf(deps, request);
    const typed = typedIn(visit, formOfPosted(request.body));
    await renderGrading(deps, visit, { form: typed, example: posted.example, asked: true }, response);
  });
  router.post("/course/grading/preview", form, async (request, response) => {
    const { visit, posted } = await visitOf(deps, request);
    const typed = typedIn(visit, formOfPosted(request.body));
    const { example } = posted;
    const read = policyOfForm(typed);
    if (read.policy === null) {
      response.status(422);
      await renderGrading(deps, visit, { form: typed, problems: read.problems, example }, response);
    } else if (posted.revision !== visit.course.policyRevision) {
      await renderConflict(deps, visit, posted, typed, response);
    } else if (sameForm(formOfPolicy(read.policy), formOfPolicy(visit.course.policy))) {
      await renderGrading(deps, visit, { form: typed, same: true, example }, response);
    } else {
      const preview = await previewOf(deps, visit.course, read.policy);
      const change = { form: typed, policy: read.policy, preview, example };
      await renderGradingChange(deps, visit, change, response);
    }
  });
  router.post("/course/grading/save", form, async (request, response) => {
    const { visit, posted } = await visitOf(deps, request, "corrections");
    const carried = formOfText(posted.typed);
    if (carried === null) {
      throw refusal("bad-request", {
        status: 400,
      });
    }
    const typed = typedIn(visit, carried);
    if (posted.act === "back") await renderGrading(deps, visit, { form: typed }, response);
    else await save(deps, visit, posted, typed, response);
  });
  router.post("/course/grading/progress", form, async (request, response) => {
    const { session, course } = (await visitOf(deps, request)).visit;
    const t = deps.translatorOf(session.locale);
    response.json(await progressOf(deps, t, course));
  });
  return router;
}

/** What was typed; of what the institution has locked nothing. */
function typedIn({ course }: GradingVisit, typed: GradingForm): GradingForm {
  return withoutLocked(typed, formOfPolicy(course.policy), course.locked);
}

async function visitOf(
  deps: GradingRoutesDeps,
  request: Request,
  needs: Capability = "grades",
): Promise<{ visit: GradingVisit; posted: Posted }> {
  const posted = visitShape.parse(request.body ?? {});
  return { visit: await instructorVisit(deps, request, needs), posted };
}

async function save(
  deps: GradingRoutesDeps,
  visit: GradingVisit,
  posted: Posted,
  typed: GradingForm,
  response: Response,
): Promise<void> {
  const { session, course } = visit;
  const read = policyOfForm(typed);
  if (read.policy === null) {
    response.status(422);
    await renderGrading(deps, visit, { form: typed, problems: read.problems }, response);
    return;
  }
  const t = deps.translatorOf(null);
  const done = await changePolicy(deps, course, {
    personId: session.personId,
    revision: posted.revision,
    policy: read.policy,
    language: deps.translatorOf(session.locale)("language.code"),
    before: policyWords(t, course.policy).join(" "),
    after: policyWords(t, read.policy).join(" "),
  });
  const now = { session, course: (await deps.courses.find(course.id)) ?? course };
  // Pressed twice, or pressed again after the answer was lost.
  const saved = done || sameForm(formOfPolicy(now.course.policy), formOfPolicy(read.policy));
  if (saved) await renderGrading(deps, now, { saved: true }, response);
  else await renderConflict(deps, now, posted, typed, response);
}

/** Somebody else was faster: what they changed, and what was typed. */
async function renderConflict(
  deps: GradingRoutesDeps,
  visit: GradingVisit,
  posted: Posted,
  typed: GradingForm,
  response: Response,
): Promise<void> {
  const { form, changed } = afterConflict(formOfText(posted.seen), typed, formOfPolicy(visit.course.policy));
  const shown: GradingShown = { form, conflict: changed };
  response.status(409);
  await renderGrading(deps, visit, shown, response);
}

/** Without grades nothing is sent, whatever anybody's grade was. */
async function previewOf(
  deps: GradingRoutesDeps,
  course: Course,
  policy: GradePolicy,
): Promise<PolicyPreview> {
  return policy.kind === "no-grades" ? { changes: [], unchanged: 0 } : previewPolicy(deps, course, policy);
}
