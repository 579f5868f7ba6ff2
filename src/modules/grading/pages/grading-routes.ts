import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { json, type PageAnswer } from "../../../web/answer.ts";
import { type After, coursePages, noFields, type ReadPage } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import { changePolicy, type PolicyPreview, previewPolicy } from "../change-policy.ts";
import { exampleLearner } from "../list-grades.ts";
import { type Example, exampleView, policyWords } from "./grading-words.ts";
import { gradingChangePage, headlineText } from "./grading-change-page.ts";
import {
  afterConflict,
  formOfPolicy,
  formOfPosted,
  formOfText,
  type GradingForm,
  sameForm,
  withoutLocked,
} from "./grading-form.ts";
import { policyOfForm } from "./read-grading-form.ts";
import { gradingPage, gradingProgress } from "./grading-page.ts";

const postedShape = z.object({
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .catch(-1),
  seen: z.unknown().optional(),
  typed: z.unknown().optional(),
  act: z.enum(["save", "back"]).catch("back"),
  example: z.string().min(1).max(100).nullable().catch(null),
});
type Posted = z.infer<typeof postedShape>;

/** How grades come about, for instructors. /save saves a previewed policy and has all grades sent again. */
export function gradingRoutes(app: App): Router {
  const pages = coursePages(app);
  const path = "/course/grading";
  const typing = {
    who: "grades",
    fields: (posted: unknown) => ({ ...postedShape.parse(posted), form: formOfPosted(posted) }),
    typedAt: path,
  } as const;

  const grading = pages.read(
    path,
    { who: "grades", fields: noFields, news: readNews(z.literal("saved")), isForm: true },
    ({ visit, typed }, news) => {
      // While what is stored is what the form was shown with.
      const isStill =
        typed !== null && postedShape.parse(typed.posted).revision === visit.course.policyRevision;
      if (!isStill) return gradingPage(app, visit, { saved: news === "saved" });
      return gradingPage(app, visit, { form: typedIn(visit, formOfPosted(typed.posted)), isTyped: true });
    },
  );
  pages.typed("/course/grading/example", typing, ({ visit, fields: { form, example } }) =>
    gradingPage(app, visit, { form: typedIn(visit, form), example, asked: true }),
  );
  pages.typed("/course/grading/preview", typing, ({ visit, fields: { form, ...posted } }) =>
    preview(app, visit, posted, typedIn(visit, form)),
  );
  pages.change(
    "/course/grading/save",
    { who: "corrections", fields: (posted) => postedShape.parse(posted) },
    async ({ visit, fields: posted }) => {
      const carried = formOfText(posted.typed);
      if (carried === null) {
        throw refusal("bad-request", { status: 400 });
      }
      const form = typedIn(visit, carried);
      if (posted.act === "save") return save(app, grading, visit, posted, form);
      const kept = await app.sessions.typed.latest(visit.session, path);
      return kept === null ? gradingPage(app, visit, { form }) : grading.after({}, null);
    },
  );
  pages.read("/course/grading/live", typing, async ({ visit, fields: { form, example } }) =>
    json(await liveExample(app, visit, typedIn(visit, form), example)),
  );
  pages.read("/course/grading/progress", { who: "grades", fields: noFields }, async ({ visit, t }) =>
    json(await gradingProgress(app, t, visit.course)),
  );
  return pages.router;
}

/** The example and the number of changes under what is being typed; null while it can't be read. */
async function liveExample(
  app: App,
  { session, course }: InstructorVisit,
  form: GradingForm,
  wanted: string | null,
): Promise<{ example: Example; changes: string } | null> {
  const { policy } = policyOfForm(form);
  if (policy === null) return null;
  const t = app.translatorOf(session.locale);
  const learner = await exampleLearner(app, course, [policy], wanted);
  const preview = await previewOf(app, course, policy);
  const changes = policy.kind === "no-grades" ? "" : headlineText(t, preview);
  return { example: exampleView(t, learner, policy), changes };
}

function typedIn({ course }: InstructorVisit, typed: GradingForm): GradingForm {
  return withoutLocked(typed, formOfPolicy(course.policy), course.locked);
}

async function preview(
  app: App,
  visit: InstructorVisit,
  posted: Posted,
  typed: GradingForm,
): Promise<PageAnswer> {
  const { course } = visit;
  const { example } = posted;
  const read = policyOfForm(typed);
  if (read.policy === null) {
    return gradingPage(app, visit, { form: typed, problems: read.problems, example }, 422);
  }
  if (posted.revision !== course.policyRevision) return conflictPage(app, visit, posted, typed);
  if (sameForm(formOfPolicy(read.policy), formOfPolicy(course.policy))) {
    return gradingPage(app, visit, { form: typed, same: true, example });
  }
  const { policy } = read;
  const previewed = await previewOf(app, course, policy);
  return gradingChangePage(app, visit, { form: typed, policy, preview: previewed, example });
}

async function save(
  app: App,
  grading: ReadPage<"saved">,
  visit: InstructorVisit,
  posted: Posted,
  typed: GradingForm,
): Promise<PageAnswer | After> {
  const { session, course } = visit;
  const read = policyOfForm(typed);
  if (read.policy === null) {
    return gradingPage(app, visit, { form: typed, problems: read.problems }, 422);
  }
  const t = app.translatorOf(null);
  const done = await changePolicy(app, course, {
    personId: session.personId,
    revision: posted.revision,
    policy: read.policy,
    language: app.translatorOf(session.locale)("language.code"),
    before: policyWords(t, course.policy).join(" "),
    after: policyWords(t, read.policy).join(" "),
  });
  if (done) {
    await app.sessions.typed.drop(session, "/course/grading");
    return grading.after({}, "saved");
  }
  const now = { session, course: (await app.courses.find(course.id)) ?? course };
  // Pressed twice, or again after the answer was lost.
  const saved = sameForm(formOfPolicy(now.course.policy), formOfPolicy(read.policy));
  return saved ? grading.after({}, "saved") : conflictPage(app, now, posted, typed);
}

function conflictPage(
  app: App,
  visit: InstructorVisit,
  posted: Posted,
  typed: GradingForm,
): Promise<PageAnswer> {
  const { form, changes } = afterConflict(formOfText(posted.seen), typed, formOfPolicy(visit.course.policy));
  return gradingPage(app, visit, { form, conflict: changes.map(({ field }) => field) }, 409);
}

/** Without grades nothing is sent: no change to list. */
async function previewOf(app: App, course: Course, policy: GradePolicy): Promise<PolicyPreview> {
  return policy.kind === "no-grades"
    ? { changes: [], unchanged: 0, marked: 0, completed: null }
    : previewPolicy(app, course, policy);
}
