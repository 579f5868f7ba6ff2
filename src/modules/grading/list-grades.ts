import type { App } from "../../app.ts";
import { asKnownStatus, type KnownStatus } from "../../domain/attendance.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import type { Course } from "../../domain/course.ts";
import { type Grade, gradeOf } from "../../domain/grade-policy.ts";
import { gradeTogether, isGraded } from "../attendance/rules/attendance-summary.ts";
import { fullName } from "../../domain/person-name.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { ListedMember } from "../members/store/member-store.ts";
import { everyMember } from "../members/every-member.ts";
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
  /** Of the sessions that count for grades. */
  counts: Readonly<Record<KnownStatus | "unknown", number>>;
  /** Null when each session has its own column. */
  grade: Grade | null;
};

export type GradeList = {
  sessions: CourseSession[];
  slices: AsyncGenerator<LearnerGrade[]>;
};

const batchSize = 250;

/** Learners with their statuses and grades, as computed now. @param sectionId Null for everybody. */
export async function listGrades(
  deps: ListGradesDeps,
  course: Course,
  sectionId: string | null,
): Promise<GradeList> {
  const sessions = (await listSessions(deps, course)).reverse();
  return { sessions, slices: gradesOf(deps, course, sectionId, sessions) };
}

async function* gradesOf(
  deps: ListGradesDeps,
  course: Course,
  sectionId: string | null,
  sessions: readonly CourseSession[],
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
        ...gradeIn(course, basis, summaries.get(member.personId)?.sessions ?? [], member),
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
  known: Counted,
  member: ListedMember,
): Pick<LearnerGrade, "counts" | "grade"> {
  const { counted, planned } = learnerBasis(basis, { sessions: known }, member);
  const counts = { PRESENT: 0, LATE: 0, ABSENT: 0, EXCUSED: 0, unknown: 0 };
  for (const { status } of counted) if (status !== null) counts[asKnownStatus(status) ?? "unknown"] += 1;
  if (policy.kind === "no-grades") return { counts, grade: gradeOf(policy, [], 0) };
  return { counts, grade: policy.kind === "one-column" ? gradeTogether(policy, counted, planned) : null };
}
