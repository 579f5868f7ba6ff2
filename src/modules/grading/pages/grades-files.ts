import type { GradesApp } from "./grades-app.ts";
import { sessionColumnLabel } from "../rules/column-label.ts";
import { timeZoneOf } from "../../scheduling/rules/time-zone.ts";
import { zonedIso } from "../../scheduling/rules/zoned-iso.ts";
import { listedName } from "../../../domain/person-name.ts";
import { listFacts } from "../../attendance/list-facts.ts";
import { listGrades } from "../list-grades.ts";
import { everyProofRow, type ProofRow } from "../show-proof.ts";
import type { KeysUnder } from "../../../web/message-key.ts";
import { type CsvCell, csvLine } from "../../../web/csv-line.ts";
import { whyText } from "./delivery-words.ts";
import { columnName, heldByGradebook } from "./gradebook-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import type { Answer } from "../../../web/answer.ts";
import { type Lines, linesFile } from "../../../web/lines-file.ts";
import { statusView } from "../../../web/status-view.ts";
import { type CourseWords, courseWords } from "../../../web/course-words.ts";

/** `sectionId` null: everybody. */
export type WantedFile = { kind: "facts" | "grades" | "proof"; sectionId: string | null };

type Pen = CourseWords & { iso: (at: number) => string; course: InstructorVisit["course"] };

/** A course's file for spreadsheets, written while it is read. */
export async function gradesFile(
  app: GradesApp,
  visit: InstructorVisit,
  wanted: WantedFile,
): Promise<Answer> {
  const { course } = visit;
  const words = await courseWords(app, visit);
  const { t } = words;
  const zone = timeZoneOf(course.timeZone ?? "") ?? "UTC";
  const pen = { ...words, iso: zonedIso(zone), course };
  const known = words.sections.some((one) => one.lmsSectionId === wanted.sectionId);
  const sectionId = known ? wanted.sectionId : null;
  const writers = { facts: factLines, grades: gradeLines, proof: proofLines };
  const lines = writers[wanted.kind](app, pen, sectionId);
  return linesFile(app, t, course, t(`grades.files.names.${wanted.kind}`), lines);
}

async function* factLines(app: GradesApp, pen: Pen, sectionId: string | null): Lines {
  const { t, iso } = pen;
  yield header(pen, [
    ...(["learner", "lmsId", "session", "sessionStart", "sectionsThen", "source"] as const),
    ...(["status", "note", "reason", "by", "at", "counts"] as const),
  ]);
  for await (const facts of listFacts(app, pen.course, sectionId)) {
    const lines = facts.map((fact) => {
      const { session, by, status } = fact;
      return csvLine([
        listedName(fact),
        fact.sub,
        session.title ?? t("review.untitled"),
        session.startsAt === null ? null : iso(session.startsAt),
        sectionsText(pen, fact.sectionIds),
        t(`grades.files.source.${fact.source}`),
        status === null ? t("grades.files.takenBack") : statusView(t, status).text,
        fact.notes,
        fact.reason,
        by === null
          ? null
          : "name" in by
            ? by.name
            : t("grades.files.classroomUser", { id: by.classroomUser }),
        iso(fact.at),
        yesNo(pen, fact.holds),
      ]);
    });
    yield lines.join("");
  }
}

type Column = KeysUnder<"grades.files.columns">;

async function* gradeLines(app: GradesApp, pen: Pen, sectionId: string | null): Lines {
  const { t, course } = pen;
  const { sessions, slices } = await listGrades(app, course, sectionId);
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
  yield csvLine([...first.map(title), ...names, ...last.map(title)]);
  const maximum = course.policy.kind === "no-grades" ? null : course.policy.points;
  for await (const learners of slices) {
    const lines = learners.map(({ counts, grade, ...one }) =>
      csvLine([
        listedName(one),
        one.sub,
        yesNo(pen, one.active),
        sectionsText(pen, one.sectionIds),
        ...one.statuses.map((status) => (status === null ? null : statusView(t, status).text)),
        ...[counts.PRESENT, counts.LATE, counts.ABSENT, counts.EXCUSED, counts.unknown],
        grade?.score ?? null,
        maximum,
        grade === null ? t("grades.files.perSession") : grade.explanation,
      ]),
    );
    yield lines.join("");
  }
}

async function* proofLines(app: GradesApp, pen: Pen, sectionId: string | null): Lines {
  yield header(pen, [
    ...(["learner", "lmsId", "inCourse", "sections", "column", "desired", "maximum", "accepted"] as const),
    ...(["acceptedMaximum", "acceptedAt", "teachers", "teachersMaximum", "state", "reason"] as const),
  ]);
  const { rows } = await everyProofRow(app, pen.course);
  const wanted = rows.filter((row) => sectionId === null || row.sectionIds.includes(sectionId));
  for (let from = 0; from < wanted.length; from += 500) {
    const some = wanted.slice(from, from + 500);
    yield some.map((row) => csvLine(proofCells(pen, row))).join("");
  }
}

function proofCells(pen: Pen, row: ProofRow): CsvCell[] {
  const { t, iso } = pen;
  const { delivery, state } = row;
  const { desired, accepted, foreign } = delivery;
  return [
    listedName({ ...row, sub: delivery.sub }),
    delivery.sub,
    yesNo(pen, row.active),
    sectionsText(pen, row.sectionIds),
    columnName(t, pen.course, row.session, row.column),
    ...scoreCells(desired),
    ...scoreCells(heldByGradebook(row)),
    accepted === null ? null : iso(accepted.at),
    ...scoreCells(foreign),
    t(`grades.states.${state}`),
    state === "delivered" ? null : whyText(t, delivery),
  ];
}

function scoreCells(grade: { score: number | null; maximum: number } | null): CsvCell[] {
  return grade === null ? [null, null] : [grade.score, grade.maximum];
}

function header({ t }: Pen, names: readonly Column[]): string {
  return csvLine(names.map((name) => t(`grades.files.columns.${name}`)));
}

function yesNo({ t }: Pen, yes: boolean): string {
  return t(yes ? "grades.files.yes" : "grades.files.no");
}
