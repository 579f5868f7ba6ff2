import { slicesOf } from "../../../kernel/lists.ts";
import type { GradesApp } from "./grades-page.ts";
import { sessionColumnLabel } from "../rules/column.ts";
import { type DayRange, isBounded, isWithin } from "../../scheduling/rules/time-zone.ts";
import { listedName } from "../../../domain/person.ts";
import { listFacts } from "../../attendance/list-facts.ts";
import { exportWords } from "../../attendance/pages/grid-files.ts";
import { listGrades } from "../list-grades.ts";
import { everyProofRow, type ProofRow } from "../show-grades.ts";
import type { KeysUnder } from "../../../web/translate.ts";
import { columnName, explanationText, gradeInGradebook, policyWords, whyText } from "./grading-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { Answer } from "../../../web/answer.ts";
import { statusView } from "../../../web/page-text.ts";
import { type CourseWords, courseWords, sectionsText } from "../../../web/course-words.ts";
import {
  type TableCell,
  tableFile,
  type TableForm,
  type TableRow,
  type TableRows,
} from "../../../web/table-file.ts";

export const fileKinds = ["proof", "grades", "facts"] as const;

/** `sectionId`: null for everybody. */
type RequestedFile = { kind: (typeof fileKinds)[number]; sectionId: string | null; days: DayRange };

type Pen = CourseWords & { course: InstructorVisit["course"]; sectionId: string | null; days: DayRange };

/** A course's file for spreadsheets, sent while it is read. */
export async function gradesFile(
  app: GradesApp,
  visit: InstructorVisit,
  { kind, days, ...requested }: RequestedFile,
  form: TableForm,
): Promise<Answer> {
  const { course } = visit;
  const words = await courseWords(app, visit);
  const { t } = words;
  const known = words.sections.some((one) => one.lmsSectionId === requested.sectionId);
  const sectionId = known ? requested.sectionId : null;
  const { rows, moments } = writers[kind];
  const about = await exportWords(app, visit, words, { sectionId, days });
  const sums = kind === "facts" ? [] : policyWords(t, course.policy);
  const ofAll = kind === "grades" && isBounded(days) ? [t("grades.files.about.scoresOfAll")] : [];
  return tableFile(app, t, course, form, {
    name: t(`grades.files.names.${kind}`),
    rows: rows(app, { ...words, course, sectionId, days }),
    moments,
    closing: () => [...sums, ...ofAll, ...about],
  });
}

/** `moments`: the positions of columns that contain moments. */
const writers = {
  facts: { rows: factRows, moments: [3, 10] },
  grades: { rows: gradeRows, moments: [] },
  proof: { rows: proofRows, moments: [9] },
};

function authorText(t: CourseWords["t"], by: { name: string } | { classroomUser: string } | null) {
  if (by === null) return null;
  return "name" in by ? by.name : t("cohorts.difference.user", { id: by.classroomUser });
}

async function* factRows(app: GradesApp, pen: Pen): TableRows {
  const { t, course, sectionId, days } = pen;
  yield header(pen, [
    ...(["learner", "lmsId", "session", "sessionStart", "sectionsThen", "source"] as const),
    ...(["status", "note", "reason", "by", "at", "counts"] as const),
    ...(["minutes", "minutesOf", "minutesHidden"] as const),
  ]);
  for await (const facts of listFacts(app, course, sectionId)) {
    const within = facts.filter(({ session }) => isWithin(days, session.startsAt, course.timeZone));
    yield within.map((fact) => {
      const { session, status } = fact;
      return [
        listedName(fact),
        fact.sub,
        session.title ?? t("common.untitledSession"),
        moment(session.startsAt),
        sectionsText(pen, fact.sectionIds),
        t(`grades.files.source.${fact.source}`),
        status === null ? t("grades.files.takenBack") : statusView(t, status).text,
        fact.notes,
        fact.reason,
        authorText(t, fact.by),
        moment(fact.at),
        yesNo(pen, fact.holds),
        fact.minutes?.present ?? null,
        fact.minutes?.of ?? null,
        fact.minutes?.hidden ?? null,
      ];
    });
  }
}

type Column = KeysUnder<"grades.files.columns">;

async function* gradeRows(app: GradesApp, pen: Pen): TableRows {
  const { t, course } = pen;
  const { sessions, slices } = await listGrades(app, course, pen);
  const names = sessions.map((session) => {
    const label = sessionColumnLabel(session, course.timeZone);
    return session.counts ? label : `${label} (${t("grades.files.doesNotCount")})`;
  });
  const first: Column[] = ["learner", "lmsId", "inCourse", "sections"];
  const last: Column[] = [
    "present",
    "late",
    "absent",
    "excused",
    "unknown",
    "score",
    "maximum",
    "explanation",
  ];
  const title = (name: Column) => t(`grades.files.columns.${name}`);
  yield [[...first.map(title), ...names, ...last.map(title)]];
  const maximum = course.policy.kind === "no-grades" ? null : course.policy.points;
  for await (const learners of slices) {
    yield learners.map(({ counts, grade, ...one }) => [
      listedName(one),
      one.sub,
      yesNo(pen, one.active),
      sectionsText(pen, one.sectionIds),
      ...one.statuses.map((status) => (status === null ? null : statusView(t, status).text)),
      counts.PRESENT,
      counts.LATE,
      counts.ABSENT,
      counts.EXCUSED,
      counts.unknown,
      grade?.score ?? null,
      maximum,
      grade === null ? t("grades.files.perSession") : explanationText(t, grade),
    ]);
  }
}

async function* proofRows(app: GradesApp, pen: Pen): TableRows {
  const { course, sectionId, days } = pen;
  yield header(pen, [
    ...(["learner", "lmsId", "inCourse", "sections", "column", "desired", "maximum", "accepted"] as const),
    ...(["acceptedMaximum", "acceptedAt", "teachers", "teachersMaximum", "state", "reason"] as const),
    ...(["notSent"] as const),
  ]);
  const rows = await everyProofRow(app, course);
  // The column of all sessions has no day, so it is always included.
  const requested = rows.filter(
    ({ sectionIds, session }) =>
      (sectionId === null || sectionIds.includes(sectionId)) &&
      (session === null || isWithin(days, session.startsAt, course.timeZone)),
  );
  for (const batch of slicesOf(requested, 500)) yield batch.map((row) => proofCells(pen, row));
}

function proofCells(pen: Pen, row: ProofRow): TableCell[] {
  const { t } = pen;
  const { delivery, state } = row;
  const { desired, accepted, foreign, unreleased: notSent } = delivery;
  return [
    listedName({ ...row, sub: delivery.sub }),
    delivery.sub,
    yesNo(pen, row.active),
    sectionsText(pen, row.sectionIds),
    columnName(t, pen.course, row.session, row.column),
    ...scoreCells(desired),
    ...scoreCells(gradeInGradebook(row)),
    moment(accepted?.at ?? null),
    ...scoreCells(foreign),
    t(`grades.states.${state}`),
    whyText(t, delivery),
    notSent == null ? null : (notSent.score ?? t("grades.cleared")),
  ];
}

function scoreCells(grade: { score: number | null; maximum: number } | null): TableCell[] {
  return grade === null ? [null, null] : [grade.score, grade.maximum];
}

function moment(at: number | null): TableCell {
  return at === null ? null : { at };
}

function header({ t }: Pen, names: readonly Column[]): TableRow[] {
  return [names.map((name) => t(`grades.files.columns.${name}`))];
}

function yesNo({ t }: Pen, yes: boolean): string {
  return t(yes ? "analytics.yes" : "analytics.no");
}
