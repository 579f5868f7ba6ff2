import {
  addToTally,
  emptyTally,
  type GridCell,
  gridCell,
  isGridColumn,
  rateOf,
  type Tally,
} from "./rules/attendance-grid.ts";
import { asKnownStatus } from "../../domain/attendance.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import type { Member } from "../../domain/course.ts";
import type { CountedSession, AttendanceSummary } from "./rules/attendance-summary.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { GridLearners } from "./grid-learners.ts";

export type GridColumn = { session: CourseSession; at: number };

export type GridLine = {
  member: Member;
  cells: readonly GridCell[];
  tally: Tally;
  rate: number | null;
  /** Whether any column has such a cell, counting or not. */
  seen: { facts: boolean; blank: boolean; unknown: boolean; conflict: boolean };
};

/** Sessions begun or with facts, earliest first. @param listed All, latest first, those without a time last. */
export function gridColumns(
  listed: readonly CourseSession[],
  summaries: ReadonlyMap<string, AttendanceSummary>,
  now: number,
): GridColumn[] {
  const known = new Set<string>();
  for (const { sessions } of summaries.values()) {
    for (const { eventId, status } of sessions) if (status !== null) known.add(eventId);
  }
  const columns = listed
    .filter((session) => isGridColumn(session, known.has(session.eventId), now))
    .reverse();
  for (const { eventId } of listed) known.delete(eventId);
  // Of the rest only facts are known.
  const nameless = [...known].sort().map(unknownSession);
  return [...nameless, ...columns].map((session, at) => ({ session, at }));
}

const batchSize = 250;

export async function gridLines(
  columns: readonly GridColumn[],
  { members, summaries }: Pick<GridLearners, "members" | "summaries">,
): Promise<GridLine[]> {
  const placeOf = new Map(columns.map(({ session, at }) => [session.eventId, at]));
  const lines: GridLine[] = [];
  for (const [n, member] of members.entries()) {
    lines.push(lineOf(columns, placeOf, member, summaries.get(member.personId)));
    if (n % batchSize === batchSize - 1) await letOthersRun();
  }
  return lines;
}

function lineOf(
  columns: readonly GridColumn[],
  placeOf: ReadonlyMap<string, number>,
  member: Member,
  summary: AttendanceSummary | undefined,
): GridLine {
  const counted: CountedSession[] = [];
  for (const one of summary?.sessions ?? []) {
    const at = placeOf.get(one.eventId);
    if (at !== undefined) counted[at] = one;
  }
  const tally = emptyTally();
  const seen = { facts: false, blank: false, unknown: false, conflict: false };
  const cells = columns.map(({ session, at }) => {
    const cell = gridCell(session, member, counted[at]);
    if (session.counts) addToTally(tally, cell);
    if (cell.kind === "blank") seen.blank = true;
    if (cell.kind === "status") {
      seen.facts = true;
      if (asKnownStatus(cell.status) === null) seen.unknown = true;
      if (cell.marks.includes("conflict")) seen.conflict = true;
    }
    return cell;
  });
  return { member, cells, tally, rate: rateOf(tally), seen };
}

export function tallyLines(
  columns: readonly GridColumn[],
  lines: readonly GridLine[],
): { session: CourseSession; tally: Tally }[] {
  return columns.map(({ session, at }) => {
    const tally = emptyTally();
    for (const { cells } of lines) {
      const cell = cells[at];
      if (cell !== undefined) addToTally(tally, cell);
    }
    return { session, tally };
  });
}
