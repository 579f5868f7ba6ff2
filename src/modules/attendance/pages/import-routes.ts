import { type AttendanceMark } from "../rules/records.ts";
import {
  compareMarks,
  markableCourse,
  type MarkableCourse,
  type MarkChange,
  saveMarks,
} from "../mark-session.ts";
import type { Router } from "express";
import { z } from "zod";
import { knownStatuses } from "../../../domain/attendance.ts";
import { listedName } from "../../../domain/person-name.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type MarksInTable, marksInTable, type TableProblem } from "../rules/marks-in-table.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, type ReadPage } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type CourseWords, courseWords } from "../../../web/course-words.ts";
import { inList, numberText, statusView } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { readTable } from "../../../web/posted-files.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import {
  carriedMarks,
  type ImportForm,
  maxChanges,
  maxTableLength,
  readCarried,
  readImport,
  tableWords,
} from "./import-form.ts";
import { maxNoteLength } from "./register-form.ts";
import { type AttendancePagesApp, sessionView, statusChoices } from "./session-view.ts";

/** `missed`: marks whose record had changed. `underWay`: marks that are still being saved. */
export const importNews = z.object({ saved: z.number(), missed: z.number(), underWay: z.number() });
type ImportNews = z.infer<typeof importNews>;

const path = "/course/grid/import";

/** For instructors: marks from a spreadsheet, which they see as a difference before it is saved. @param grid Where saving leads. */
export function importRoutes(app: AttendancePagesApp, grid: ReadPage<ImportNews>): Router {
  const pages = coursePages(app);
  // A table in a form is longer than in its file.
  const form = { maxBytes: 5 * 1024 * 1024 };
  const typing = { who: "corrections", fields: readImport, form } as const;
  const shown = pages.read(path, { ...typing, isForm: true, address: () => ({}) }, ({ visit, typed }) =>
    importPage(app, visit, typed === null ? null : readImport(typed.posted)),
  );
  pages.typed(`${path}/difference`, { ...typing, typedAt: path }, ({ visit, fields, typed }) =>
    importDifferencePage(app, visit, fields, typed !== null),
  );
  // A table that is too long to be kept with the session comes along, and no address can lead to it.
  pages.change(`${path}/edit`, typing, async ({ visit, fields }) =>
    fields.table === "" ? shown.after({}, null) : importPage(app, visit, fields),
  );
  pages.change(
    `${path}/save`,
    {
      who: "corrections",
      fields: (posted) => ({ changes: readCarried(posted), ...readImport(posted) }),
      form,
    },
    async ({ visit, fields: { changes, reason } }) => {
      const { course, session } = visit;
      if (changes === null || reason.length > maxNoteLength) throw refusal("bad-request", { status: 400 });
      const why = reason === "" ? null : reason;
      const marks = await saveMarks(app, course, session.personId, { changes, reason: why });
      await app.sessions.typed.drop(session, path);
      return grid.after({}, newsOf(marks));
    },
  );
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

export type ImportPage = CourseFrame & {
  table: string;
  reason: string;
  maxReasonLength: number;
  /** Statuses with their letters, as a cell may say them. */
  statuses: readonly { label: string; letter: string }[];
  /** An example of a table, line by line. */
  example: readonly (readonly string[])[];
  problem: { field: "table" | "reason"; text: string } | null;
};

export type ImportDifferencePage = CourseFrame & {
  zone: string;
  reason: string;
  /** Of how many marks of how many sessions. */
  summary: string;
  sessions: readonly {
    id: string;
    title: string;
    when: string;
    changes: readonly { name: string; before: string; after: string }[];
    more: string | null;
  }[];
  problems: readonly string[];
  moreProblems: string | null;
  /** Fields that carry the marks. */
  marks: readonly string[];
  /** To be carried to where it is edited; null where the session keeps it. */
  table: string | null;
  save: string;
};

const importView = defineView<ImportPage>("course/grid-import");
const differenceView = defineView<ImportDifferencePage>("course/grid-import-difference");

/** Nobody reads more; what is not listed is counted. */
const maxListed = { changes: 200, problems: 30 };

/** Where marks of a spreadsheet are pasted. */
async function importPage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  typed: ImportForm | null,
  problem: ImportPage["problem"] = null,
): Promise<PageAnswer> {
  const { t } = await courseWords(app, visit);
  const [first, second] = statusChoices(t);
  const view = {
    title: t("grid.import.title", { course: courseNameOf(t, visit.course) }),
    table: typed?.table ?? "",
    reason: typed?.reason ?? t("grid.import.usualReason"),
    maxReasonLength: maxNoteLength,
    statuses: knownStatuses.map((status) => ({
      label: statusView(t, status).text,
      letter: t(`grid.cell.letters.${status}`),
    })),
    example: [
      [t("grades.files.columns.learner"), t("guide.sample.session"), "2026-03-09"],
      [t("grid.import.example.one"), first?.label ?? "", second?.label ?? ""],
      [t("grid.import.example.other"), t("grid.cell.letters.EXCUSED"), ""],
    ],
    problem,
  };
  return page(importView, view, problem === null ? {} : { status: 422 });
}

/** What the table changes, before it is saved; the form again when it can't be read. @param isKept With the session, for the form. */
async function importDifferencePage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  form: ImportForm,
  isKept: boolean,
): Promise<PageAnswer> {
  const { course } = visit;
  const words = await courseWords(app, visit);
  const { t } = words;
  const refused = (text: string, field: "table" | "reason" = "table") =>
    importPage(app, visit, form, { field, text });
  if (form.table.length > maxTableLength) return refused(t("grid.import.problems.tooLong"));
  if (form.reason.length > maxNoteLength)
    return refused(t("register.problems.tooLong", { most: maxNoteLength }), "reason");
  const known = await markableCourse(app, course);
  const read = marksInTable(readTable(form.table), tableWords(app, t, course, known));
  if (read.kind === "refused") {
    const unclear = read.problems.find(({ kind }) => kind === "dates");
    if (unclear !== undefined) return refused(problemText(t, unclear));
    const values = {
      id: t("grades.files.columns.lmsId"),
      learner: t("grades.files.columns.learner"),
    };
    return refused(t(`grid.import.problems.${read.why}`, values));
  }
  const changes = await compareMarks(app, course, known, read.marks);
  if (changes.length > maxChanges)
    return refused(t("grid.import.problems.tooMany", { most: numberText(t, maxChanges) }));
  return page(differenceView, {
    title: t("grid.import.title", { course: courseNameOf(t, course) }),
    zone: words.times.place(app.clock.now()),
    reason: form.reason,
    summary: summaryText(t, read, changes),
    sessions: sessionsView(words, known, changes, app.clock.now()),
    problems: read.problems.slice(0, maxListed.problems).map((problem) => problemText(t, problem)),
    moreProblems: moreText(t, read.problems.length - maxListed.problems),
    marks: carriedMarks(changes),
    table: isKept ? null : form.table,
    save: t("grid.import.save", { count: changes.length, number: numberText(t, changes.length) }),
  });
}

function summaryText(
  t: Translate,
  { marks, learners, sessions }: Extract<MarksInTable, { kind: "read" }>,
  changes: readonly MarkChange[],
): string {
  const same = marks.length - changes.length;
  return [
    t("common.learnerCount", { count: learners, number: numberText(t, learners) }),
    t("common.sessionCount", { count: sessions, number: numberText(t, sessions) }),
    t("grid.import.read.changes", { count: changes.length, number: numberText(t, changes.length) }),
    ...(same === 0 ? [] : [t("grid.import.read.same", { count: same, number: numberText(t, same) })]),
  ].join(" · ");
}

function sessionsView(
  words: CourseWords,
  { sessions, rows }: MarkableCourse,
  changes: readonly MarkChange[],
  now: number,
): ImportDifferencePage["sessions"] {
  const { t } = words;
  const nameOf = new Map(rows.map((row) => [row.personId, listedName(row)]));
  let left = maxListed.changes;
  return sessions.flatMap((session) => {
    const own = changes.filter(({ eventId }) => eventId === session.eventId);
    if (own.length === 0) return [];
    const shown = own.slice(0, left);
    left -= shown.length;
    const { eventId: id, title, when } = sessionView(words, session, now);
    return {
      ...{ id, title, when },
      changes: shown.map(({ personId, before, status }) => ({
        name: nameOf.get(personId) ?? "",
        before: t("grid.import.was", {
          status: before === null ? t("grid.cell.blank") : statusView(t, before).text,
        }),
        after: statusView(t, status).text,
      })),
      more: moreText(t, own.length - shown.length),
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
      ...{ head: problem.head, text: problem.text },
      statuses: inList(t, statuses),
    });
  }
  return t(`grid.import.left.${problem.kind}`, { line, text: problem.text });
}
