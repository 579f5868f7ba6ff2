import type { Router } from "express";
import { z } from "zod";
import { knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import { listedName } from "../../../domain/person.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type After, coursePages } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import { type PageContext, showPage } from "../../../web/declared-page.ts";
import { inList, numberText, statusView } from "../../../web/page-text.ts";
import { readPostedTable } from "../../../web/posted-files.ts";
import type { Translate } from "../../../web/translate.ts";
import { tableForms } from "../../../web/table-file.ts";
import { defineView } from "../../../web/view.ts";
import {
  compareMarks,
  markableCourse,
  type MarkableCourse,
  type MarkChange,
  saveMarks,
} from "../mark-session.ts";
import { type MarksInTable, marksInTable, type TableProblem } from "../rules/marks-in-table.ts";
import type { AttendanceMark } from "../rules/records.ts";
import {
  carriedMarks,
  type ImportForm,
  maxChanges,
  readCarried,
  readImport,
  readPastedTable,
  tableWords,
} from "./import-form.ts";
import { maxNoteLength } from "./register-form.ts";
import { type AttendancePagesApp, sessionView, statusChoices } from "./session-view.ts";

/** `missed`: marks whose record had changed. `underWay`: marks that are still being saved. */
export const importNews = z.object({ saved: z.number(), missed: z.number(), underWay: z.number() });
type ImportNews = z.infer<typeof importNews>;

const path = "/course/grid/import";

/** For instructors: marks from a spreadsheet, shown as differences before they are saved. @param saved Leads to the table after saving. */
export function importRoutes(app: AttendancePagesApp, saved: (news: ImportNews) => After): Router {
  const pages = coursePages(app);
  const typing = {
    who: "corrections",
    fields: (posted: unknown) => ({ ...readImport(posted), changes: readCarried(posted) }),
    // A table in a form is longer than in its file.
    form: { maxBytes: 5 * 1024 * 1024, readFiles: readPostedTable },
  } as const;
  pages
    .page(path, { ...typing, isForm: true, ...importPage })
    // A table too long to store with the session is posted each time, so no address can lead to it.
    .act(`${path}/edit`, {
      who: "corrections",
      run: ({ fields, after, again }) =>
        Promise.resolve(fields.table === "" ? after(null) : again("edit", 200)),
    })
    .act(`${path}/save`, {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { changes, reason } }) => {
        if (changes === null || reason.length > maxNoteLength) throw refusal("bad-request", { status: 400 });
        const why = reason === "" ? null : reason;
        const marks = await saveMarks(app, course, session.personId, { changes, reason: why });
        await app.sessions.typed.drop(session, path);
        return saved(newsOf(marks));
      },
    });
  pages.typed(`${path}/difference`, { ...typing, typedAt: path }, async (context) => {
    const compared = await compareTable(app, context.t, context.visit.course, context.fields);
    if (compared.kind === "refused") return showPage(app, context, importPage, compared.problem);
    return showPage(app, context, differencePage, compared);
  });
  return pages.router;
}

function newsOf(marks: readonly AttendanceMark[]): ImportNews {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const begun = marks.filter(({ state }) => state !== "facts");
  return {
    saved: sum(begun.map(({ written }) => written)),
    missed: sum(begun.map(({ missed }) => missed.length)),
    underWay: sum(marks.filter(({ state }) => state === "facts").map(({ rows }) => rows.length)),
  };
}

export function importNewsText(t: Translate, { saved, missed, underWay }: ImportNews): string {
  const counted = (count: number) => ({ count, number: numberText(t, count) });
  return [
    t("grid.import.saved", counted(saved)),
    ...(underWay === 0 ? [] : [t("grid.import.underWay", counted(underWay))]),
    ...(missed === 0 ? [] : [t("grid.import.missed", counted(missed))]),
  ].join(" ");
}

type Problem = { field: "table" | "reason"; text: string };

const maxListed = { changes: 200, problems: 30 };

export type ImportPage = PageOf<typeof importModel>;

/** The page where people paste marks. @param said "edit": show the posted input instead of the stored one. */
function importModel(
  _app: AttendancePagesApp,
  { visit: { course }, words: { t }, fields, typed: kept }: PageContext<"corrections", ImportForm>,
  said: "edit" | Problem | null,
) {
  const typed = said === null ? kept && readImport(kept.posted) : fields;
  const { table = "", reason = t("grid.import.usualReason") } = typed ?? {};
  const problem = said === "edit" ? null : said;
  const [first, second] = statusChoices(t);
  return Promise.resolve({
    title: t("grid.import.title", { course: courseNameOf(t, course) }),
    table,
    reason,
    maxReasonLength: maxNoteLength,
    /** Each status with the letters that a cell may have. */
    statuses: knownStatuses.map((status) => ({
      label: statusView(t, status).text,
      letter: t(`grid.cell.letters.${status}`),
    })),
    /** Uses the separator of spreadsheets in the reader's language. */
    example: [
      [t("grades.files.columns.learner"), t("guide.sample.session"), "2026-03-09"],
      [t("grid.import.example.one"), first?.label ?? "", second?.label ?? ""],
      [t("grid.import.example.other"), t("grid.cell.letters.EXCUSED"), ""],
    ]
      .map((line) => line.join(numberText(t, 0.5).includes(",") ? "; " : ", "))
      .join("\n"),
    forms: tableForms,
    problem,
    httpStatus: problem === null ? 200 : 422,
  });
}

const importPage = { view: defineView<ImportPage>("course/grid-import"), model: importModel };

type Difference = {
  kind: "compared";
  known: MarkableCourse;
  read: Extract<MarksInTable, { kind: "read" }>;
  changes: readonly MarkChange[];
};

/** What the table changes, or why it can't be read. */
async function compareTable(
  app: AttendancePagesApp,
  t: Translate,
  course: Course,
  { table, reason, unread }: ImportForm,
): Promise<Difference | { kind: "refused"; problem: Problem }> {
  const refused = (text: string, field: Problem["field"] = "table") =>
    ({ kind: "refused", problem: { field, text } }) as const;
  if (unread === "unreadable") return refused(t("grid.import.problems.unreadable"));
  const lines = unread === "too-large" ? null : readPastedTable(table);
  if (lines === null) return refused(t("grid.import.problems.tooLong"));
  if (table.trim() === "") return refused(t("grid.import.problems.nothing"));
  if (reason.length > maxNoteLength)
    return refused(t("register.problems.tooLong", { most: maxNoteLength }), "reason");
  const known = await markableCourse(app, course);
  const read = marksInTable(lines, tableWords(app, t, course, known));
  if (read.kind === "refused") {
    const unclear = read.problems.find(({ kind }) => kind === "dates");
    if (unclear !== undefined) return refused(problemText(t, unclear));
    const values = { id: t("grades.files.columns.lmsId"), learner: t("grades.files.columns.learner") };
    return refused(t(`grid.import.problems.${read.why}`, values));
  }
  const changes = await compareMarks(app, course, known, read.marks);
  if (changes.length > maxChanges)
    return refused(t("grid.import.problems.tooMany", { most: numberText(t, maxChanges) }));
  return { kind: "compared", known, read, changes };
}

export type ImportDifferencePage = PageOf<typeof differenceModel>;

function differenceModel(
  _app: AttendancePagesApp,
  { visit: { course }, words, fields, typed }: PageContext<"corrections", ImportForm>,
  { known, read, changes }: Difference,
) {
  const { t, number } = words;
  return Promise.resolve({
    title: t("grid.import.title", { course: courseNameOf(t, course) }),
    reason: fields.reason,
    /** How many marks change, in how many sessions. */
    summary: summaryText(words, read, changes),
    sessions: sessionsView(words, known, changes),
    problems: read.problems.slice(0, maxListed.problems).map((problem) => problemText(t, problem)),
    moreProblems: moreText(t, read.problems.length - maxListed.problems),
    /** Fields that carry the marks. */
    marks: carriedMarks(changes),
    /** Posted back to the form; null if the session stores it. */
    table: typed === null ? fields.table : null,
    save: t("grid.import.save", { count: changes.length, number: number(changes.length) }),
  });
}

const differencePage = {
  view: defineView<ImportDifferencePage>("course/grid-import-difference"),
  model: differenceModel,
};

function summaryText(
  { t, number }: PageWords,
  { marks, learners, sessions }: Extract<MarksInTable, { kind: "read" }>,
  changes: readonly MarkChange[],
): string {
  const same = marks.length - changes.length;
  const counted = (count: number) => ({ count, number: number(count) });
  return [
    t("common.learnerCount", counted(learners)),
    t("common.sessionCount", counted(sessions)),
    t("grid.import.read.changes", counted(changes.length)),
    ...(same === 0 ? [] : [t("grid.import.read.same", counted(same))]),
  ].join(" · ");
}

function sessionsView(words: PageWords, { sessions, rows }: MarkableCourse, changes: readonly MarkChange[]) {
  const { t } = words;
  const nameOf = new Map(rows.map((row) => [row.personId, listedName(row)]));
  let left = maxListed.changes;
  return sessions.flatMap((session) => {
    const own = changes.filter(({ eventId }) => eventId === session.eventId);
    if (own.length === 0) return [];
    const listed = own.slice(0, left);
    left -= listed.length;
    const { eventId: id, title, when } = sessionView(words, session);
    return {
      id,
      title,
      when,
      changes: listed.map(({ personId, before, status }) => ({
        name: nameOf.get(personId) ?? "",
        before: t("grid.import.was", {
          status: before === null ? t("grid.cell.blank") : statusView(t, before).text,
        }),
        after: statusView(t, status).text,
      })),
      more: moreText(t, own.length - listed.length),
    };
  });
}

function moreText(t: Translate, count: number): string | null {
  return count <= 0 ? null : t("grid.import.more", { count, number: numberText(t, count) });
}

function problemText(t: Translate, problem: TableProblem): string {
  if (problem.kind === "dates") {
    const times = courseTimes({ timeZone: "UTC" }, t.locale);
    const dates = problem.dates.map((date) => times.date(Date.parse(date)));
    return t("grid.import.left.dates", { head: problem.head, dates: inList(t, dates) });
  }
  if (!("line" in problem)) return t(`grid.import.left.${problem.kind}`, { head: problem.head });
  const line = numberText(t, problem.line);
  if (problem.kind === "status")
    return t("grid.import.left.status", { line, head: problem.head, text: problem.text });
  if (problem.kind === "letter") {
    const statuses = problem.statuses.map((status) => statusView(t, status).text);
    return t("grid.import.left.letter", {
      line,
      head: problem.head,
      text: problem.text,
      statuses: inList(t, statuses),
    });
  }
  return t(`grid.import.left.${problem.kind}`, { line, text: problem.text });
}
