import {
  asKnownStatus,
  type AttendanceFacts,
  countedMinutes,
  type CurrentAttendance,
  currentAttendanceOf,
  type KnownStatus,
  type SessionMinutes,
  wholePercent,
} from "../../../domain/attendance.ts";
import type { Member } from "../../../domain/course.ts";
import {
  commentOf,
  type Grade,
  type GradedSession,
  gradeOf,
  gradeOfSession,
  type GradePolicy,
  isCompleted,
} from "../../../domain/grade-policy.ts";
import type { CommentWordsOf } from "../../../domain/grade-sentence.ts";
import { everyCourse, given, withCourse } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { attendanceColumn, type Column, eventOfColumn, sessionColumn } from "../../grading/rules/column.ts";
import type { SentScore } from "../../grading/rules/delivery.ts";
import { type CourseSession, isBeforeTheirs, isForSections } from "../../scheduling/rules/course-session.ts";
import { compareText } from "../../../kernel/lists.ts";

export type CountedSession = {
  eventId: string;
  /** As in `currentAttendanceOf`; null if the only statement was taken back. */
  status: string | null;
  /** For display; left out if there are none. Grades don't depend on it. */
  marks?: readonly FactMark[];
  /** As in `countedMinutes`; left out instead of null. */
  minutes?: SessionMinutes;
};

/** corrected: by an instructor · note: it has a note · conflict: the classroom has contradicted it since. */
type FactMark = "corrected" | "note" | "conflict";

/** Everything from which a learner's grades are computed: the sessions with facts. */
export const attendanceSummaryRecord = describeRecord("Standing", {
  id: null,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    personId: field.text,
    sub: field.text,
    revision: field.number,
    sessions: field.json<readonly CountedSession[]>(),
    /** Keys of the limits about which the learner got a mail, each once. */
    told: field.texts.optional,
  },
  hidden: {
    /** 0 to 100, rounded as on pages; 200 if `rateOf` is null. */
    percent: field.number.optional,
    absent: field.number.optional,
  },
  indexes: [
    index.unique("registrationId", "courseId", "personId"),
    index("registrationId", "courseId", "percent"),
    index("registrationId", "courseId", "absent"),
  ],
  personalData: {
    key: "standings",
    holds: "which sessions count for a learner's score, and which limits of attendance they had a mail about",
    stored: withCourse,
    person: [everyCourse],
    given: given(everyCourse, "courseId sessions told"),
    names: [{ path: "personId", among: "courses", both: "keep" }],
  },
});
export type AttendanceSummary = ItemOf<typeof attendanceSummaryRecord>;

/** The sessions of a summary, in an order that doesn't depend on that of the records. */
export function countedSessions(records: readonly (AttendanceFacts & { eventId: string })[]) {
  return records
    .map((record): CountedSession => {
      const current = currentAttendanceOf(record);
      const marks = current === null ? [] : marksOf(current);
      const minutes = countedMinutes(record);
      return {
        eventId: record.eventId,
        status: current?.status ?? null,
        ...(marks.length === 0 ? {} : { marks }),
        ...(minutes === null ? {} : { minutes }),
      };
    })
    .sort((a, b) => compareText(a.eventId, b.eventId));
}

/** What a page shows next to a status. */
export function marksOf({ correction, notes, conflicting }: CurrentAttendance): FactMark[] {
  return [
    ...(correction === null ? [] : (["corrected"] as const)),
    ...(notes === null || notes === "" ? [] : (["note"] as const)),
    ...(conflicting === null ? [] : (["conflict"] as const)),
  ];
}

/**
 * Whether the member is listed as a learner, whatever other roles they have. False for preview students, mentors and guests, and for
 * accounts that are joined to another one.
 */
export function isGraded(member: Pick<Member, "testUser" | "student" | "joinedTo">): boolean {
  return !member.testUser && member.student && member.joinedTo == null;
}

type GradedAs = Pick<Member, "testUser" | "student" | "joinedTo" | "active" | "sectionIds">;

/** Whether a learner's summary must be computed again: an office's excuse is for the sessions of their sections, and pages show it. */
export function changesSummary(before: GradedAs, after: GradedAs): boolean {
  if (!isGraded(after)) return false;
  if (!isGraded(before) || (after.active && !before.active)) return true;
  const sections = new Set(before.sectionIds);
  return sections.size !== after.sectionIds.length || after.sectionIds.some((id) => !sections.has(id));
}

export function needsPlanned(policy: GradePolicy): boolean {
  if (policy.kind !== "one-column") return false;
  return policy.denominator.kind === "planned" || policy.completion.kind === "share";
}

/**
 * Counts the sessions of the learner's sections since they joined that count and aren't cancelled, past and future, and every one with a
 * status. @param counted Without sessions that don't count.
 */
export function plannedFor(
  sessions: readonly Pick<CourseSession, "eventId" | "startsAt" | "cancelled" | "sectionIds" | "counts">[],
  member: Pick<Member, "sectionIds" | "joinedAt">,
  counted: readonly CountedSession[],
): number {
  const planned = new Set(counted.flatMap(({ eventId, status }) => (status === null ? [] : [eventId])));
  for (const session of sessions) {
    const isTheirs = isForSections(session, member.sectionIds) && !isBeforeTheirs(session, member);
    if (session.counts && !session.cancelled && isTheirs) planned.add(session.eventId);
  }
  return planned.size;
}

/** One grade for all sessions. A status counts even if its session was cancelled later. */
export function gradeTogether(policy: GradePolicy, counted: readonly CountedSession[], planned: number) {
  return gradeOf(policy, withStatus(counted), planned);
}

/** Only sessions with a status can count. */
export function withStatus(counted: readonly CountedSession[]): GradedSession[] {
  return counted.flatMap(({ status, minutes }) => {
    if (status === null) return [];
    return [{ status, ...(minutes === undefined ? {} : { minutes }) }];
  });
}

/**
 * Scores by column; other columns get nothing more. @param linkedColumns Filled in addition to the column for all sessions.
 * @param textsOf The words for comments.
 */
export function scoresOf(
  policy: GradePolicy,
  counted: readonly CountedSession[],
  planned: number,
  linkedColumns: ReadonlySet<string>,
  textsOf: CommentWordsOf,
): Map<string, SentScore> {
  const scores = new Map<string, SentScore>();
  if (policy.kind === "no-grades") return scores;
  const { points: maximum } = policy;
  for (const [column, grade] of gradesByColumn(policy, counted, planned, linkedColumns)) {
    const comment = policy.comment ? commentOf(policy, grade, textsOf) : null;
    const inProgress = grade.score !== null && !isCompleted(grade);
    scores.set(column, { score: grade.score, maximum, comment, inProgress });
  }
  return scores;
}

export function gradesByColumn(
  policy: GradePolicy,
  counted: readonly CountedSession[],
  planned: number,
  linkedColumns: ReadonlySet<string>,
): Map<string, Grade> {
  const grades = new Map<string, Grade>();
  if (policy.kind === "no-grades") return grades;
  if (policy.kind === "one-column") grades.set(attendanceColumn, gradeTogether(policy, counted, planned));
  for (const session of counted) {
    const column = sessionColumn(session.eventId);
    if (policy.kind === "one-column" && !linkedColumns.has(column)) continue;
    grades.set(column, gradeOfSession(policy, withStatus([session])));
  }
  return grades;
}

/** Columns of single sessions that instructors made with links, and not the policy. */
export function linkedColumnsOf(columns: readonly Pick<Column, "key" | "linkId" | "asked">[]): Set<string> {
  const linked = columns.filter(
    ({ key, linkId, asked }) => eventOfColumn(key) !== null && (linkId !== null || asked !== false),
  );
  return new Set(linked.map(({ key }) => key));
}

/** Ids of sessions that don't count for any grade. */
export type Uncounted = Pick<ReadonlySet<string>, "has" | "size">;

export function sessionsThatCount(counted: readonly CountedSession[], uncounted: Uncounted) {
  return uncounted.size === 0 ? counted : counted.filter(({ eventId }) => !uncounted.has(eventId));
}

export type GridCell =
  | { kind: "status"; status: string; marks: readonly FactMark[] }
  /** Nothing is recorded; the session is, or may be, for them. */
  | { kind: "blank" }
  /** Nothing is recorded; the session is for another section, or was before they joined the course. */
  | { kind: "elsewhere" }
  /** Nothing is recorded; they have left the course. */
  | { kind: "away" };

export type Tally = Record<KnownStatus | "unknown" | "blank", number>;

export function emptyTally(): Tally {
  return { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, unknown: 0, blank: 0 };
}

/** @param counted From their attendance summary; undefined if it has nothing. */
export function gridCell(
  session: Pick<CourseSession, "sectionIds" | "startsAt">,
  member: Pick<Member, "active" | "sectionIds" | "sectionsTold" | "joinedAt">,
  counted: CountedSession | undefined,
): GridCell {
  if (counted !== undefined && counted.status !== null)
    return { kind: "status", status: counted.status, marks: counted.marks ?? [] };
  if (!member.active) return { kind: "away" };
  if (isBeforeTheirs(session, member)) return { kind: "elsewhere" };
  const maybe = member.sectionIds.length === 0 && !member.sectionsTold;
  return { kind: maybe || isForSections(session, member.sectionIds) ? "blank" : "elsewhere" };
}

export function addToTally(tally: Tally, cell: GridCell): void {
  if (cell.kind === "blank") tally.blank += 1;
  if (cell.kind === "status") tally[asKnownStatus(cell.status) ?? "unknown"] += 1;
}

/** Present and late as a share (0 to 1) of present, late and absent. Null if there are none. */
export function rateOf({ PRESENT, LATE, ABSENT }: Pick<Tally, "PRESENT" | "LATE" | "ABSENT">): number | null {
  const known = PRESENT + LATE + ABSENT;
  return known === 0 ? null : (PRESENT + LATE) / known;
}

/** Present and late as a share (0 to 1) of everybody in a session but the excused, recorded or not. Null while nobody is recorded. */
export function attendedShare({ PRESENT, LATE, ABSENT, EXCUSED, blank }: Tally): number | null {
  if (PRESENT + LATE + ABSENT + EXCUSED === 0) return null;
  return (PRESENT + LATE) / Math.max(1, PRESENT + LATE + ABSENT + blank);
}

/** As `attendedShare`; null while less than half of the class is recorded. */
export function shareOfClass(tally: Tally): number | null {
  const known = tally.PRESENT + tally.LATE + tally.ABSENT;
  return known === 0 || known < tally.blank ? null : attendedShare(tally);
}

/** How many of the latest sessions are compared with those before. */
export const latestSize = 4;

/** The shares attended of the latest recorded sessions and of those before; null with fewer than two before. @param statuses Latest first. */
export function latelyAndBefore(statuses: readonly string[]): { lately: number; before: number } | null {
  const recorded = statuses.map(asKnownStatus).filter((known) => known !== null && known !== "EXCUSED");
  const share = (some: typeof recorded) => some.filter((known) => known !== "ABSENT").length / some.length;
  if (recorded.length < latestSize + 2) return null;
  return { lately: share(recorded.slice(0, latestSize)), before: share(recorded.slice(latestSize)) };
}

/** `percent`: 0 to 100, rounded as on pages; 200 if `rateOf` is null. */
export function attendanceSums(sessions: readonly Pick<CountedSession, "status">[]) {
  const tally = emptyTally();
  for (const { status } of sessions) {
    if (status !== null) addToTally(tally, { kind: "status", status, marks: [] });
  }
  const rate = rateOf(tally);
  return { percent: rate === null ? 200 : wholePercent(rate), absent: tally.ABSENT };
}

/** Whether a session has begun and isn't cancelled, or has facts and wasn't cancelled here. @param now Milliseconds since the epoch. */
export function isGridColumn(
  { startsAt, cancelled, cancelledHere }: Pick<CourseSession, "startsAt" | "cancelled" | "cancelledHere">,
  hasFacts: boolean,
  now: number,
): boolean {
  if (cancelledHere === true) return false;
  return hasFacts || (!cancelled && startsAt !== null && startsAt <= now);
}
