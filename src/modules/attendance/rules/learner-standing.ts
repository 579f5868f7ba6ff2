import { describeRecord, unique, index, type ItemOf } from "../../../domain/record.ts";
import { text, number, json } from "../../../domain/record-fields.ts";
import { everyCourse, given, withCourse } from "../../../domain/held-record.ts";
import { type AttendanceFacts, type AttendanceStanding, standingOf } from "../../../domain/attendance.ts";
import { attendanceColumn, type Column, eventOfColumn, sessionColumn } from "../../grading/rules/column.ts";
import type { Member } from "../../../domain/course.ts";
import { type CourseSession, isForSections } from "../../scheduling/rules/course-session.ts";
import type { SentScore } from "../../grading/rules/delivery.ts";
import type { CommentWordsOf } from "../../../domain/grade-sentence.ts";
import {
  commentOf,
  type Grade,
  gradeOf,
  gradeOfSession,
  type GradePolicy,
} from "../../../domain/grade-policy.ts";

/** One session of a learner as it counts. */
export type CountedSession = {
  eventId: string;
  /** As `standingOf` says; null when nothing holds (an instructor took the only word back). */
  status: string | null;
  /** What tables of attendance tell beside the status; left out where there is nothing. Grades do not depend on it. */
  marks?: readonly FactMark[];
};

/** corrected: an instructor's word holds · note: it has a note · conflict: the classroom says otherwise since. */
export type FactMark = "corrected" | "note" | "conflict";

/** All that grades are computed from of one learner, in one small record: the sessions they have facts of. */
export const standingRecord = describeRecord("Standing", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    personId: text,
    /** The LMS's user id. */
    sub: text,
    /** Grows each time it is written from the facts. */
    revision: number,
    sessions: json<readonly CountedSession[]>(),
  },
  hidden: {
    /** 0 to 100, rounded as it is shown; 200 for nobody's: see `rateOf`. */
    percent: number.optional,
    /** How often they were absent. */
    absent: number.optional,
  },
  indexes: [
    unique("registrationId", "courseId", "personId"),
    index("registrationId", "courseId", "percent"),
    index("registrationId", "courseId", "absent"),
  ],
  held: {
    key: "standings",
    holds: "which sessions count for a learner's score",
    kept: withCourse,
    person: [everyCourse],
    given: given(everyCourse, "courseId sessions"),
    names: [{ path: "personId", among: "courses", both: "keep" }],
  },
});
export type LearnerStanding = ItemOf<typeof standingRecord>;

/** The sessions of a standing, from the records of the facts; in one order, whatever order the records come in. */
export function countedSessions(
  records: readonly (AttendanceFacts & { eventId: string })[],
): CountedSession[] {
  return records
    .map((record): CountedSession => {
      const standing = standingOf(record);
      const marks = standing === null ? [] : marksOf(standing);
      const counted = { eventId: record.eventId, status: standing?.status ?? null };
      return marks.length === 0 ? counted : { ...counted, marks };
    })
    .sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
}

function marksOf({ correction, notes, conflicting }: AttendanceStanding): FactMark[] {
  return [
    ...(correction === null ? [] : (["corrected"] as const)),
    ...(notes === null || notes === "" ? [] : (["note"] as const)),
    ...(conflicting === null ? [] : (["conflict"] as const)),
  ];
}

/** Whether a member's attendance becomes a grade: not an instructor's, a preview student's, a mentor's or a guest's. */
export function isGraded(member: Pick<Member, "role" | "testUser" | "student">): boolean {
  return member.role === "learner" && !member.testUser && member.student;
}

/** What of a member their scores follow from. */
export type GradedAs = Pick<Member, "role" | "testUser" | "student" | "active" | "sectionIds">;

/** Whether a member's scores may be others, under this policy, after such a change of their membership. */
export function changesScores(policy: GradePolicy, before: GradedAs, after: GradedAs): boolean {
  if (!isGraded(after)) return false;
  if (!isGraded(before) || (after.active && !before.active)) return true;
  if (!needsPlanned(policy)) return false;
  const sections = new Set(before.sectionIds);
  return sections.size !== after.sectionIds.length || after.sectionIds.some((id) => !sections.has(id));
}

/** Whether the grade under this policy depends on which sessions are planned. */
export function needsPlanned(policy: GradePolicy): boolean {
  return policy.kind === "one-column" && policy.denominator.kind === "planned";
}

/**
 * How many sessions are planned for a learner, past and coming: those for their sections that are not cancelled and
 * count, and every one that they have a status in, whatever became of it since.
 * @param counted Without sessions that do not count.
 */
export function plannedFor(
  sessions: readonly Pick<CourseSession, "eventId" | "cancelled" | "sectionIds" | "counts">[],
  sectionIds: readonly string[],
  counted: readonly CountedSession[],
): number {
  const planned = new Set(counted.flatMap(({ eventId, status }) => (status === null ? [] : [eventId])));
  for (const session of sessions) {
    if (session.counts && !session.cancelled && isForSections(session, sectionIds))
      planned.add(session.eventId);
  }
  return planned.size;
}

/** The grade of all of a learner's sessions together. A status counts even when its session was cancelled since. */
export function gradeTogether(
  policy: GradePolicy,
  counted: readonly CountedSession[],
  planned: number,
): Grade {
  return gradeOf(
    policy,
    counted.flatMap(({ status }) => (status === null ? [] : [status])),
    planned,
  );
}

/**
 * The scores that a learner should have in the gradebook, by column. Columns that are not named are left alone:
 * whatever waits for them is not sent any more, and what they hold stays.
 * @param linkedColumns Session columns that instructors asked for by links, filled beside a column for all.
 * @param wordsOf For the comments.
 */
export function scoresOf(
  policy: GradePolicy,
  counted: readonly CountedSession[],
  planned: number,
  linkedColumns: ReadonlySet<string>,
  wordsOf: CommentWordsOf,
): Map<string, SentScore> {
  const scores = new Map<string, SentScore>();
  if (policy.kind === "no-grades") return scores;
  const { points: maximum } = policy;
  for (const [column, grade] of gradesByColumn(policy, counted, planned, linkedColumns)) {
    const comment = policy.comment ? commentOf(policy, grade, wordsOf) : null;
    scores.set(column, { score: grade.score, maximum, comment });
  }
  return scores;
}

/** The grades that `scoresOf` makes scores of. */
export function gradesByColumn(
  policy: GradePolicy,
  counted: readonly CountedSession[],
  planned: number,
  linkedColumns: ReadonlySet<string>,
): Map<string, Grade> {
  const grades = new Map<string, Grade>();
  if (policy.kind === "no-grades") return grades;
  if (policy.kind === "one-column") grades.set(attendanceColumn, gradeTogether(policy, counted, planned));
  for (const { eventId, status } of counted) {
    const column = sessionColumn(eventId);
    if (policy.kind === "one-column" && !linkedColumns.has(column)) continue;
    grades.set(column, gradeOfSession(policy, status === null ? [] : [status]));
  }
  return grades;
}

/** Of a course's columns those of single sessions that instructors asked for by links; others came with the policy. */
export function linkedColumnsOf(columns: readonly Pick<Column, "key" | "linkId" | "asked">[]): Set<string> {
  const linked = columns.filter(
    ({ key, linkId, asked }) => eventOfColumn(key) !== null && (linkId !== null || asked !== false),
  );
  return new Set(linked.map(({ key }) => key));
}

/** The sessions that count for grades: an instructor may have said of some that they do not. */
export function sessionsThatCount(
  counted: readonly CountedSession[],
  uncounted: ReadonlySet<string>,
): readonly CountedSession[] {
  return uncounted.size === 0 ? counted : counted.filter(({ eventId }) => !uncounted.has(eventId));
}
