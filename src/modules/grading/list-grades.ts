import type { App } from "../../app.ts";
import { asKnownStatus, type KnownStatus } from "../../domain/attendance.ts";
import { type DayRange, isBounded, isWithin } from "../scheduling/rules/day-range.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import type { Course } from "../../domain/course.ts";
import { type Grade, gradeOf } from "../../domain/grade-policy.ts";
import { gradeTogether, isGraded } from "../attendance/rules/attendance-summary.ts";
import { fullName } from "../../domain/person-name.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { ListedMember } from "../members/store/member-store.ts";
import { everyMember } from "../members/people.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type ListGradesDeps = GradingBasisDeps & Pick<App, "members" | "people" | "attendanceSummaries">;

export type LearnerGrade = {
  sub: string;
  /** Null when the LMS withholds names. */
  name: string | null;
  active: boolean;
  sectionIds: readonly string[];
  /** By session; null without facts. */
  statuses: readonly (string | null)[];
  /** Of the sessions that count for grades, within the days. */
  counts: Readonly<Record<KnownStatus | "unknown", number>>;
  /** Null when each session has its own column. */
  grade: Grade | null;
};

export type GradeList = {
  sessions: CourseSession[];
  slices: AsyncGenerator<LearnerGrade[]>;
};

const batchSize = 250;

/**
 * Learners with their statuses and grades, as computed now.
 * @param wanted.sectionId Null for everybody.
 * @param wanted.days Of the sessions that are listed and counted; a grade is of all sessions.
 */
export async function listGrades(
  deps: ListGradesDeps,
  course: Course,
  { sectionId, days }: { sectionId: string | null; days: DayRange },
): Promise<GradeList> {
  const all = (await listSessions(deps, course)).reverse();
  const sessions = all.filter(({ startsAt }) => isWithin(days, startsAt, course.timeZone));
  const listed = isBounded(days) ? new Set(sessions.map(({ eventId }) => eventId)) : null;
  return { sessions, slices: gradesOf(deps, course, sectionId, { sessions, listed }) };
}

async function* gradesOf(
  deps: ListGradesDeps,
  course: Course,
  sectionId: string | null,
  { sessions, listed }: { sessions: readonly CourseSession[]; listed: ReadonlySet<string> | null },
): AsyncGenerator<LearnerGrade[]> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const basis = await gradingBasis(deps, course, [course.policy]);
  const learners = (await everyMember(deps, place)).filter(
    (member) => isGraded(member) && (sectionId === null || member.sectionIds.includes(sectionId)),
  );
  for (let from = 0; from < learners.length; from += batchSize) {
    const wanted = learners.slice(from, from + batchSize);
    const ids = wanted.map(({ personId }) => personId);
    const people = new Map((await deps.people.findMany(ids)).map((one) => [one.id, one]));
    const summaries = new Map(
      (await deps.attendanceSummaries.findMany(place, ids)).map((one) => [one.personId, one]),
    );
    yield wanted.map((member) => {
      const person = people.get(member.personId);
      return {
        sub: person?.sub ?? member.personId,
        name: person === undefined ? null : fullName(person),
        active: member.active,
        sectionIds: member.sectionIds,
        ...statusesIn(sessions, summaries.get(member.personId)?.sessions ?? []),
        ...gradeIn(course, basis, { known: summaries.get(member.personId)?.sessions ?? [], listed }, member),
      };
    });
    await letOthersRun();
  }
}

type Counted = Parameters<typeof learnerBasis>[1]["sessions"];

function statusesIn(sessions: readonly CourseSession[], counted: Counted): Pick<LearnerGrade, "statuses"> {
  const byId = new Map(counted.map(({ eventId, status }) => [eventId, status]));
  return { statuses: sessions.map(({ eventId }) => byId.get(eventId) ?? null) };
}

function gradeIn(
  { policy }: Course,
  basis: Parameters<typeof learnerBasis>[0],
  { known, listed }: { known: Counted; listed: ReadonlySet<string> | null },
  member: ListedMember,
): Pick<LearnerGrade, "counts" | "grade"> {
  const { counted, planned } = learnerBasis(basis, { sessions: known }, member);
  const counts = { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, unknown: 0 };
  for (const { eventId, status } of counted) {
    if (status !== null && listed?.has(eventId) !== false) counts[asKnownStatus(status) ?? "unknown"] += 1;
  }
  if (policy.kind === "no-grades") return { counts, grade: gradeOf(policy, [], 0) };
  return { counts, grade: policy.kind === "one-column" ? gradeTogether(policy, counted, planned) : null };
}
