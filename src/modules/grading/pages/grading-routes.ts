import { isDeepStrictEqual } from "node:util";
import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import { commentOf, defaultGradePolicy, gradeOf } from "../../../domain/grade-policy.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import {
  afterConflict,
  formOfPolicy,
  formOfText,
  policyFormOfPosted,
  policyOfForm,
  withoutLocked,
} from "../../../settings/forms.ts";
import { beginningOf, firstValues, isLocked } from "../../../settings/in-effect.ts";
import { courseOptions } from "../../../settings/options.ts";
import {
  leftOutIn,
  type PolicyField,
  policyFields,
  type PolicyForm,
  type PolicyProblems,
} from "../../../settings/policy-options.ts";
import { json } from "../../../web/answer.ts";
import { coursePages, noFields, seenRevision } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { formStatus, type PageContext, showPage } from "../../../web/declared-page.ts";
import type { TypedForm } from "../../../web/page-news.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { changePolicy, changeSending, comparePoliciesOfFew, previewPolicy } from "../change-policy.ts";
import { isOurs } from "../column-questions.ts";
import { exampleLearner } from "../list-grades.ts";
import { regradeProgress } from "../regrade.ts";
import { attendanceColumn } from "../rules/column.ts";
import { type GradesHold, holdOf } from "../rules/delivery.ts";
import { changePage, headlineText } from "./grading-change-page.ts";
import { fieldNames, gradingFormView } from "./grading-form-view.ts";
import { exampleView, policyWords, progressView } from "./grading-words.ts";
import { holdText, releaseOptions, sendingText } from "./sending-words.ts";

const posted = z.object({
  revision: seenRevision,
  seen: z.unknown().optional(),
  typed: z.unknown().optional(),
  act: z.enum(["save", "back"]).catch("back"),
  example: z.string().min(1).max(100).nullable().catch(null),
  /** When grades are sent; left out if the institution has locked it. */
  gradesUntil: z.string().max(40).optional().catch("?"),
  gradesRelease: z.string().max(40).optional().catch(""),
  /** A status and its percentage. */
  preset: z
    .string()
    .regex(/^\w+ \d{1,3}$/)
    .nullable()
    .catch(null),
});
type Posted = z.infer<typeof posted> & { form: PolicyForm };

function readPosted(body: unknown): Posted {
  const fields = posted.parse(body);
  const form = policyFormOfPosted(body);
  const [name, percent = ""] = fields.preset?.split(" ") ?? [];
  const status = knownStatuses.find((known) => known === name);
  if (status === undefined) return { ...fields, form };
  const leftOut = leftOutIn(form).filter((one) => one !== status);
  return { ...fields, form: { ...form, [status]: percent, leftOut: leftOut.join(" ") } };
}

type FormState = {
  form: PolicyForm;
  problems: PolicyProblems;
  /** The typed policy equals the stored one. */
  same: boolean;
  /** Fields that another person has changed since; null for none. */
  conflict: readonly PolicyField[] | null;
  /** What was typed as the last day, if it isn't a date. */
  wrongDay: string | null;
  /** The learner to show; null for any. */
  example: string | null;
  asked: boolean;
};
const unposted: Omit<FormState, "form"> = {
  problems: {},
  same: false,
  conflict: null,
  wrongDay: null,
  example: null,
  asked: false,
};

/** What happened to the typed policy. */
type Outcome = "saved" | "sending" | (Pick<FormState, "form"> & Partial<FormState>);

/** How grades are worked out, for instructors. /save saves a previewed policy and sends all grades again. */
export function gradingRoutes(app: App): Router {
  const pages = coursePages(app);
  const path = "/course/grading";
  const typing = { who: "grades", fields: readPosted, typedAt: path } as const;
  const gradingPage = { view: defineView<GradingPage>("course/grading"), model: gradingModel };
  pages.typed("/course/grading/example", typing, (context) => {
    const { form, example } = context.fields;
    return showPage(app, context, gradingPage, {
      form: typedIn(context.visit.course, form),
      example,
      asked: true,
    });
  });
  pages.typed("/course/grading/preview", typing, async (context) => {
    const { example, ...fields } = context.fields;
    const { course } = context.visit;
    const form = typedIn(course, fields.form);
    const { policy, problems } = policyOfForm(form);
    if (policy === null) return showPage(app, context, gradingPage, { form, problems, example });
    if (fields.revision !== course.policyRevision)
      return showPage(app, context, gradingPage, conflictOf(course, fields, form));
    if (isDeepStrictEqual(formOfPolicy(policy), formOfPolicy(course.policy)))
      return showPage(app, context, gradingPage, { form, same: true, example });
    const preview = await previewPolicy(app, course, policy);
    return showPage(app, context, changePage, { form, policy, preview, example });
  });
  pages
    .page(path, {
      who: "grades",
      fields: readPosted,
      news: z.enum(["saved", "sending"]),
      isForm: true,
      ...gradingPage,
    })
    .act("/course/grading/sending", {
      who: "corrections",
      run: async ({ visit: { session, course }, fields, after, again }) => {
        const { gradesUntil = "", gradesRelease = "" } = fields;
        const until = courseOptions.gradesUntil.form.read({ gradesUntil }, {});
        const release = courseOptions.gradesRelease.form.read({ gradesRelease }, {});
        if (until === null) return again({ form: formOfPolicy(course.policy), wrongDay: gradesUntil }, 422);
        const t = app.translatorOf(course.language);
        const rule = {
          ...(fields.gradesUntil === undefined ? {} : { gradesUntil: until }),
          ...(release === null ? {} : { gradesRelease: release }),
        };
        await changeSending(app, course, session.personId, rule, (one) => sendingText(t, one));
        return after("sending");
      },
    })
    .act("/course/grading/save", {
      who: "corrections",
      run: async ({ visit: { session, course }, fields, after, again }) => {
        const carried = formOfText(policyFields, fields.typed);
        if (carried === null) throw refusal("bad-request", { status: 400 });
        const form = typedIn(course, carried);
        if (fields.act === "back") {
          const latest = await app.sessions.typed.latest(session, path);
          return latest === null ? again({ form }, 200) : after(null);
        }
        const { policy, problems } = policyOfForm(form);
        if (policy === null) return again({ form, problems }, 422);
        const t = app.translatorOf(course.language);
        const done = await changePolicy(app, course, {
          personId: session.personId,
          revision: fields.revision,
          policy,
          language: app.translatorOf(session.locale)("language.code"),
          before: policyWords(t, course.policy).join(" "),
          after: policyWords(t, policy).join(" "),
        });
        if (done) {
          await app.sessions.typed.drop(session, path);
          return after("saved");
        }
        const now = (await app.courses.find(course.id)) ?? course;
        // The button was pressed twice, or again after the answer was lost.
        const isSaved = isDeepStrictEqual(formOfPolicy(now.policy), formOfPolicy(policy));
        return isSaved ? after("saved") : again(conflictOf(now, fields, form), 409);
      },
    });
  pages.read(
    "/course/grading/live",
    { who: "grades", fields: readPosted },
    async ({ visit: { course }, fields, t }) => json(await liveExample(app, t, course, fields)),
  );
  pages.read("/course/grading/progress", { who: "grades", fields: noFields }, async ({ visit, t }) =>
    json(await gradingProgress(app, t, visit.course)),
  );
  return pages.router;
}

/** The example and the number of changes for what is being typed; null while it can't be read. */
async function liveExample(app: App, t: Translate, course: Course, { form, example }: Posted) {
  const { policy } = policyOfForm(typedIn(course, form));
  if (policy === null) return null;
  const learner = await exampleLearner(app, course, [policy], example);
  const compared = policy.kind === "no-grades" ? null : await comparePoliciesOfFew(app, course, policy);
  const changes = compared === null ? "" : headlineText(t, compared);
  return { example: exampleView(t, learner, policy), changes };
}

function typedIn(course: Course, typed: PolicyForm): PolicyForm {
  return withoutLocked(typed, formOfPolicy(course.policy), course.locked);
}

function conflictOf({ policy }: Course, { seen }: Pick<Posted, "seen">, typed: PolicyForm) {
  const before = formOfText(policyFields, seen);
  const { form, changes } = afterConflict(policyFields, before, typed, formOfPolicy(policy));
  return { form, conflict: changes.map(({ field }) => field) };
}

export type GradingPage = PageOf<typeof gradingModel>;

/** Shows the stored policy, or the typed one with its problems. */
async function gradingModel(
  app: App,
  { visit: { course }, typed, words: { t, now } }: PageContext<"grades", Posted>,
  outcome: Outcome | null,
) {
  const stored = formOfPolicy(course.policy);
  const { form, problems, example, asked, ...shown } = formStateOf(course, typed, outcome);
  const policy = policyOfForm(form).policy ?? course.policy;
  const hold = holdOf(course, now);
  const learner = await exampleLearner(app, course, [policy], example);
  return {
    title: t("grading.title", { course: courseNameOf(t, course) }),
    httpStatus: shown.httpStatus,
    revision: course.policyRevision,
    /** The stored policy, as JSON. */
    seen: JSON.stringify(stored),
    saved: shown.isSaved || outcome === "sending" ? savedText(t, course, hold) : null,
    sending: sendingView(t, course, shown.wrongDay),
    same: shown.same,
    isTyped: shown.isTyped,
    conflict: shown.conflict === null ? null : conflictText(t, shown.conflict),
    ...gradingFormView(t, {
      form,
      problems,
      course,
      hints: {
        beforeCompletion: await completionNote(app, t, course),
        comment: t("grading.fields.comment.hint", { example: commentExample(app, t, course) }),
      },
    }),
    asked,
    /** The example uses the typed policy if it can be read, otherwise the stored one. */
    exampleUnder: isDeepStrictEqual(formOfPolicy(policy), stored) ? ("stored" as const) : ("typed" as const),
    example: exampleView(t, learner, policy),
    exampleChoices: learner.choices.map(({ personId, name }) => ({
      personId,
      name,
      chosen: personId === learner.personId,
    })),
    first: await firstFields(app, course, stored),
    progress: hold === null ? await gradingProgress(app, t, course) : null,
  };
}

/** The form as typed, as left unsaved while the stored policy hasn't changed, or as stored. */
function formStateOf(course: Course, typed: TypedForm | null, outcome: Outcome | null) {
  if (outcome !== null && outcome !== "saved" && outcome !== "sending") {
    const state = { ...unposted, ...outcome };
    const isWrong = Object.keys(state.problems).length > 0 || state.wrongDay !== null;
    const httpStatus = formStatus(state.conflict !== null, isWrong);
    return { ...state, httpStatus, isTyped: false, isSaved: false };
  }
  const posted = typed === null ? null : readPosted(typed.posted);
  const isTyped = posted?.revision === course.policyRevision;
  const form = isTyped ? typedIn(course, posted.form) : formOfPolicy(course.policy);
  return { ...unposted, form, httpStatus: 200, isTyped, isSaved: outcome === "saved" && !isTyped };
}

/** When grades are sent. `locked`: what the institution has set, as text; null if the course chooses. */
function sendingView(t: Translate, course: Course, wrongDay: string | null) {
  const { gradesUntil, gradesRelease } = course;
  return {
    release: {
      locked: isLocked(course, "gradesRelease") ? sendingText(t, { gradesRelease }) : null,
      options: releaseOptions(t, gradesRelease),
    },
    until: {
      locked: isLocked(course, "gradesUntil") ? sendingText(t, { gradesUntil }) : null,
      value: wrongDay ?? gradesUntil,
      problem: wrongDay === null ? null : t("sessions.plan.problems.date"),
    },
  };
}

function savedText(t: Translate, { policy }: Course, hold: GradesHold | null): string {
  if (policy.kind !== "no-grades" && hold !== null) return `${t("common.saved")} ${holdText(t, hold) ?? ""}`;
  return t(policy.kind === "no-grades" ? "grading.savedOff" : "grading.saved");
}

function conflictText(t: Translate, fields: readonly PolicyField[]): string {
  if (fields.length === 0) return t("grading.conflict.unseen");
  return t("grading.conflict.changed", { fields: fieldNames(t, fields) });
}

const exampleSessions = ["PRESENT", "PRESENT", "LATE"].map((status) => ({ status }));

/** The comment in its language, or in the language it would get from this reader. */
function commentExample({ translatorOf }: App, t: Translate, { policy }: Pick<Course, "policy">): string {
  const on = policy.kind !== "no-grades" && policy.comment;
  const commentLanguage = on ? (policy.commentLanguage ?? "en") : t("language.code");
  const example = { ...defaultGradePolicy, commentLanguage };
  return commentOf(example, gradeOf(example, exampleSessions, exampleSessions.length), translatorOf);
}

/** What completes the activity in this LMS. */
async function completionNote(app: App, t: Translate, course: Course): Promise<string> {
  const { registrationId, id: courseId } = course;
  const { wording, ownGradeCompletes } = capabilitiesOf(await app.registrations.find(registrationId));
  const column = await app.columns.find({ registrationId, courseId, key: attendanceColumn });
  if (!ownGradeCompletes || column?.lineItemUrl == null || !isOurs(column))
    return t(`grading.fields.beforeCompletion.notes.${wording}`);
  return t("grading.fields.beforeCompletion.notes.ownColumn", {
    column: column.label ?? t("choose.attendance"),
  });
}

/** The fields of a new course's policy; null if this course already has it. */
async function firstFields(app: App, course: Course, stored: PolicyForm) {
  const { policy } = beginningOf(firstValues, await app.institutionDefaults.find(course.registrationId));
  const form = formOfPolicy(policy);
  if (isDeepStrictEqual(form, stored)) return null;
  const { leftOut, ...fields } = form;
  return [...Object.entries(fields), ...leftOutIn({ leftOut }).map((status) => ["leftOut", status] as const)];
}

async function gradingProgress(app: App, t: Translate, course: Course) {
  const regrade = await regradeProgress(app, course);
  const waiting = await app.deliveries.countDue(course.registrationId, course.id, Number.MAX_SAFE_INTEGER);
  return progressView(t, regrade, waiting);
}
