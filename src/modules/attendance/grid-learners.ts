import type { ShowAttendanceApp } from "./show-attendance.ts";
import { asKnownStatus } from "../../domain/attendance.ts";
import type { Member } from "../../domain/course.ts";
import { plainName } from "../../domain/person.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byKey, slicesOf } from "../../kernel/lists.ts";
import { everyMember, inListOrder } from "../members/people.ts";
import type { ListedMember, MemberKey } from "../members/store/member-store.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import {
  addToTally,
  type AttendanceSummary,
  type CountedSession,
  emptyTally,
  type GridCell,
  gridCell,
  isGraded,
  isGridColumn,
  rateOf,
  type Tally,
} from "./rules/attendance-summary.ts";

export type GridFilter = {
  sectionId: string | null;
  /**
   * low: attended less than `percent` · absent: `times` or more · present, late, excused: at least once, counted or not · blank: a session
   * isn't marked · conflict: the classroom contradicts a correction.
   */
  only: "low" | "present" | "late" | "absent" | "excused" | "blank" | "unknown" | "conflict" | null;
  percent: number;
  times: number;
  /** Parts of a name, or the LMS's user id if names are withheld. */
  search: string;
  order: "name" | "rate";
  page: number;
  perPage: number;
  /** How many of the latest sessions to leave out. */
  back: number;
};

export const wholeGrid: GridFilter = {
  sectionId: null,
  only: null,
  percent: 80,
  times: 3,
  search: "",
  order: "name",
  page: 1,
  perPage: 50,
  back: 0,
};

/** Whether all learners must be read to fill a page. */
export function isNarrowed({ only, search, order }: GridFilter): boolean {
  return only !== null || search.trim() !== "" || order === "rate";
}

/** Each word must occur in the list name. */
function isFound(listName: string, search: string): boolean {
  const name = plainName(listName);
  return plainName(search)
    .split(" ")
    .every((word) => name.includes(word));
}

type GridLearners = {
  members: readonly Member[];
  summaries: ReadonlyMap<string, AttendanceSummary>;
  /** Whether `members` are all who match the section and the name, and not only those of the page. */
  whole: boolean;
  total: number;
};

/** Courses up to this size are read completely, and sums cover everybody. */
const maxWholeSize = 1_000;
const batchSize = 300;

/**
 * The learners of one page, with as few reads as possible. @param asked.allCount Whether every session counts for grades; stored sums cover
 * all sessions. @param asked.everybody For files, which have a column for each session with facts.
 */
export async function gridLearners(
  app: ShowAttendanceApp,
  key: MemberKey,
  filter: GridFilter,
  asked: { allCount: boolean; everybody?: boolean },
): Promise<GridLearners> {
  const few = asked.allCount && asked.everybody !== true ? await thoseWhoMayFit(app, key, filter) : null;
  if (few !== null) return few;
  const narrowed = asked.everybody === true || isNarrowed(filter);
  const all = narrowed || (await isSmall(app, key)) ? await everyMember(app, key) : null;
  if (all === null) {
    const { members, total } = await pageOf(app, key, filter);
    return { members, summaries: await summariesOf(app, key, members), whole: false, total };
  }
  const graded = all.filter(isGraded);
  const members = graded.filter((member) => isSought(member, filter));
  const total = graded.filter((member) => isInSection(member, filter)).length;
  return { members, summaries: await summariesOf(app, key, members), whole: true, total };
}

/** Preselects by attendance rate or absences in the database; null if every member must be read. */
async function thoseWhoMayFit(
  app: ShowAttendanceApp,
  key: MemberKey,
  filter: GridFilter,
): Promise<GridLearners | null> {
  const { only, percent, times } = filter;
  if (only !== "low" && only !== "absent") return null;
  if ((await app.attendanceSummaries.count(key)) <= maxWholeSize) return null;
  const found = await app.attendanceSummaries.listBySums(
    key,
    only === "low" ? { below: percent } : { absent: times },
  );
  const members: ListedMember[] = [];
  for (const batch of slicesOf(found, batchSize)) {
    const ids = batch.map(({ personId }) => personId);
    members.push(...(await app.members.findMany(key, ids)));
    await letOthersRun();
  }
  const sought = members.filter((member) => isGraded(member) && isSought(member, filter));
  return {
    members: sought.sort(inListOrder),
    summaries: byKey(found, ({ personId }) => personId),
    whole: true,
    total: sought.length,
  };
}

function isSought(member: ListedMember, filter: GridFilter): boolean {
  return isInSection(member, filter) && isFound(member.listName, filter.search);
}

function isInSection({ sectionIds }: Member, { sectionId }: GridFilter): boolean {
  return sectionId === null || sectionIds.includes(sectionId);
}

async function isSmall(app: ShowAttendanceApp, key: MemberKey): Promise<boolean> {
  const { total } = await app.members.page(key, null, { skip: 0, limit: 1, learners: true });
  return total <= maxWholeSize;
}

async function pageOf(app: ShowAttendanceApp, key: MemberKey, { sectionId, page, perPage }: GridFilter) {
  const read = (from: number) =>
    app.members.page(key, sectionId, { skip: from, limit: perPage, learners: true });
  const asked = await read((page - 1) * perPage);
  if (asked.members.length > 0 || asked.total === 0) return asked;
  return read((Math.ceil(asked.total / perPage) - 1) * perPage);
}

async function summariesOf(app: ShowAttendanceApp, key: MemberKey, members: readonly Member[]) {
  const found = new Map<string, AttendanceSummary>();
  for (const batch of slicesOf(members, batchSize)) {
    const ids = batch.map(({ personId }) => personId);
    for (const summary of await app.attendanceSummaries.findMany(key, ids))
      found.set(summary.personId, summary);
    await letOthersRun();
  }
  return found;
}

export type GridColumn = { session: CourseSession; at: number };

export type GridLine = {
  member: Member;
  cells: readonly GridCell[];
  tally: Tally;
  rate: number | null;
  /** Whether any column has such a cell, whether it counts or not. */
  seen: { facts: boolean; blank: boolean; unknown: boolean; conflict: boolean };
};

/** Sessions that have begun or have facts, earliest first. @param listed All sessions, latest first, those without a time last. */
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
  // Sessions with attendance about which nothing else is known.
  const nameless = [...known].sort().map(unknownSession);
  return [...nameless, ...columns].map((session, at) => ({ session, at }));
}

const lineBatchSize = 250;

export async function gridLines(
  columns: readonly GridColumn[],
  { members, summaries }: Pick<GridLearners, "members" | "summaries">,
): Promise<GridLine[]> {
  const indexOf = new Map(columns.map(({ session, at }) => [session.eventId, at]));
  const lines: GridLine[] = [];
  for (const [n, member] of members.entries()) {
    lines.push(lineOf(columns, indexOf, member, summaries.get(member.personId)));
    if (n % lineBatchSize === lineBatchSize - 1) await letOthersRun();
  }
  return lines;
}

function lineOf(
  columns: readonly GridColumn[],
  indexOf: ReadonlyMap<string, number>,
  member: Member,
  summary: AttendanceSummary | undefined,
): GridLine {
  const counted: CountedSession[] = [];
  for (const one of summary?.sessions ?? []) {
    const at = indexOf.get(one.eventId);
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

export function tallyLines(columns: readonly GridColumn[], lines: readonly GridLine[]) {
  return columns.map(({ session, at }) => {
    const tally = emptyTally();
    for (const { cells } of lines) {
      const cell = cells[at];
      if (cell !== undefined) addToTally(tally, cell);
    }
    return { session, tally };
  });
}
