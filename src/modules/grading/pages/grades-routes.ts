import type { Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { json } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { tableForms } from "../../../web/table-file.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readDays } from "../../scheduling/rules/time-zone.ts";
import {
  answerEmptied,
  answerMissing,
  countSessionsFrom,
  keepAtZero,
  keepColumn,
  removeOldColumn,
  useActivityColumn,
} from "../column-questions.ts";
import { changePolicy } from "../change-policy.ts";
import { scoreStates } from "../rules/delivery.ts";
import { releaseGrades, resendCourse, resendScore, resolveConflict, syncCourse } from "../send-again.ts";
import type { ProofFilter } from "../show-grades.ts";
import { gradesFile } from "./grades-files.ts";
import {
  type GradesApp,
  gradesModel,
  type GradesNews,
  gradesNews,
  type GradesPage,
  gradesProgress,
  removalModel,
  resendModel,
  type ResendPage,
} from "./grades-page.ts";
import { pointsText, policyWords } from "./grading-words.ts";

/** The page of a course's grades, for instructors. /sync sends waiting grades; /old-column and /resend ask first. */
export function gradesRoutes(app: GradesApp): Router {
  const pages = coursePages(app);
  const form = { maxBytes: 16 * 1024 };
  const fields = {
    fields: readGradesForm,
    form,
    address: ({ filter }: PostedGrades) => gradesFields(filter),
  };
  const asking = { ...fields, who: "corrections" } as const;
  const answering = { ...asking, takes: ({ act }: PostedGrades) => act !== "ask" };
  const grades = pages
    .page("/course/grades", {
      ...fields,
      who: "grades",
      news: gradesNews,
      view: defineView<GradesPage>("course/grades"),
      model: gradesModel,
    })
    .act("/course/grades/sync", {
      who: "corrections",
      run: async ({ visit: { session, course }, after }) => {
        await syncCourse(app, course, session.personId);
        return after("synced");
      },
    })
    .act("/course/grades/again", {
      who: "corrections",
      run: async ({ visit: { session, course }, fields: { delivery }, after }) => {
        await resendScore(app, course, delivery, session.personId);
        return after("again");
      },
    })
    .act("/course/grades/release", {
      who: "corrections",
      run: async ({ visit: { session, course }, fields: { delivery }, after }) => {
        await releaseGrades(app, course, delivery === "" ? null : delivery, session.personId);
        return after("released");
      },
    })
    .act("/course/grades/answer", {
      who: "corrections",
      run: async ({ visit: { session, course }, fields: { decision }, after }) => {
        if (decision === null) return after(null);
        // The change log is in one language.
        const t = app.translatorOf(course.language);
        await resolveConflict(app, course, { ...decision, actor: session.personId }, (grade) =>
          pointsText(t, grade),
        );
        return after("answered");
      },
    })
    .act("/course/grades/column", {
      who: "corrections",
      run: async ({ visit, fields: { column }, after }) =>
        after(column === null ? null : await aboutColumn(app, visit, column)),
    });
  pages.change("/course/grades/old-column", answering, async ({ visit, fields: { act, filter } }) =>
    grades.after(gradesFields(filter), act === "confirm" ? await removed(app, visit) : null),
  );
  pages.page("/course/grades/old-column", {
    ...asking,
    view: defineView<GradesPage>("course/grades"),
    model: removalModel,
  });
  pages.change("/course/grades/resend", answering, async ({ visit, fields: { act, filter } }) =>
    grades.after(gradesFields(filter), act === "confirm" ? await begun(app, visit) : null),
  );
  pages.page("/course/grades/resend", {
    ...asking,
    view: defineView<ResendPage>("course/grades-resend"),
    model: resendModel,
  });
  pages.read("/course/grades/progress", { who: "grades", fields: noFields, form }, async ({ visit }) =>
    json(await gradesProgress(app, visit)),
  );
  const taking = {
    ...({ who: "grades", form } as const),
    fields: (posted: unknown) => ({ ...readGradesForm(posted), days: readDays(posted) }),
  };
  for (const fileForm of tableForms) {
    pages.read(`/course/grades.${fileForm}`, taking, ({ visit, fields: { kind, filter, days } }) =>
      gradesFile(app, visit, { kind: kind ?? "proof", sectionId: filter.sectionId, days }, fileForm),
    );
  }
  return pages.router;
}

async function begun(app: GradesApp, { session, course }: InstructorVisit): Promise<GradesNews> {
  return (await resendCourse(app, course, session.personId)) ? "begun" : "underWay";
}

async function removed(app: GradesApp, { session, course }: InstructorVisit): Promise<GradesNews | null> {
  try {
    return (await removeOldColumn(app, course, session.personId)) ? "removed" : null;
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "column-not-removed") return "notRemoved";
    throw thrown;
  }
}

async function aboutColumn(
  app: GradesApp,
  { session, course }: InstructorVisit,
  { columnId, answer }: NonNullable<PostedGrades["column"]>,
): Promise<GradesNews | null> {
  if (answer === "term" || answer === "same")
    return (await answerEmptied(app, course, answer, session.personId)) ? answer : null;
  if (answer === "all") {
    await countSessionsFrom(app, course, null, session.personId);
    return "all";
  }
  if (answer === "stop") return stopped(app, session.personId, course);
  if (answer === "zero" || answer === "keep")
    return (await keepings[answer](app, course, columnId)) ? "kept" : null;
  if (answer === "activity")
    return (await useActivityColumn(app, course, columnId, session.personId)) ? "activity" : null;
  const done = await answerMissing(app, course, { columnId, answer }, session.personId);
  return done ? missingNews[answer] : null;
}

const keepings = { zero: keepAtZero, keep: keepColumn };
const missingNews = { make: "made", leave: "leftOut" } as const;

async function stopped(app: GradesApp, personId: string, course: Course): Promise<GradesNews | null> {
  const t = app.translatorOf(course.language);
  const policy = { kind: "no-grades" } as const;
  const done = await changePolicy(app, course, {
    personId,
    revision: course.policyRevision,
    policy,
    before: policyWords(t, course.policy).join(" "),
    after: policyWords(t, policy).join(" "),
  });
  return done ? "stopped" : null;
}

const shape = z
  .object({
    state: z.enum(scoreStates).nullable().catch(null),
    section: z.string().max(255).catch(""),
    search: z.string().max(200).catch(""),
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
    /** The value of a row's button: the delivery's id, after the answer if there is a choice. */
    delivery: z.string().max(100).catch(""),
    answer: z.string().max(120).catch(""),
    column: z.string().max(120).catch(""),
    act: z.enum(["ask", "confirm", "cancel"]).catch("ask"),
    kind: z.enum(["facts", "grades", "proof"]).nullable().catch(null),
  })
  .catch({
    state: null,
    section: "",
    search: "",
    page: 1,
    delivery: "",
    answer: "",
    column: "",
    act: "ask",
    kind: null,
  });

/**
 * activity: grades go to the activity's own column · keep: they don't · term: a new term began, and nothing before it counts · same: no
 * new term began · all: sessions of every term count again · zero: the column should have 0 points.
 */
const columnAnswers = ["make", "leave", "stop", "activity", "keep", "term", "same", "all", "zero"] as const;

type PostedGrades = Pick<z.infer<typeof shape>, "delivery" | "act" | "kind"> & {
  filter: ProofFilter;
  column: { columnId: string; answer: (typeof columnAnswers)[number] } | null;
  decision: { deliveryId: string; answer: "send-ours" | "leave-theirs" } | null;
};

function readGradesForm(body: unknown): PostedGrades {
  const { state, section, search, page, delivery, answer, column, act, kind } = shape.parse(body ?? {});
  const [, decision, deliveryId] = /^(ours|leave):(.+)$/.exec(answer) ?? [];
  return {
    filter: { state, sectionId: section === "" ? null : section, search, page },
    delivery,
    column: columnAnswer(column),
    decision:
      deliveryId === undefined
        ? null
        : { deliveryId, answer: decision === "ours" ? "send-ours" : "leave-theirs" },
    act,
    kind,
  };
}

function gradesFields({ state, sectionId, search, page }: ProofFilter): Record<string, string> {
  return { state: state ?? "", section: sectionId ?? "", search, page: String(page) };
}

function columnAnswer(pressed: string): PostedGrades["column"] {
  const [, choice, columnId] = /^([a-z]+):(.+)$/.exec(pressed) ?? [];
  const answer = columnAnswers.find((one) => one === choice);
  return columnId === undefined || answer === undefined ? null : { columnId, answer };
}
