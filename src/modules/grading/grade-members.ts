import type { App } from "../../app.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import { letOthersRun } from "../../kernel/async.ts";
import {
  type AttendanceSummary,
  type CountedSession,
  countedSessions,
  isGraded,
  linkedColumnsOf,
  needsPlanned,
  plannedFor,
  scoresOf,
  sessionsThatCount,
} from "../attendance/rules/attendance-summary.ts";
import type { AttendanceRecord } from "../attendance/store/attendance-store.ts";
import { listSessions, type ListSessionsDeps, uncountedSessions } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import type { Sending } from "./rules/score-state.ts";
import type { LearnerScores } from "./store/want-scores.ts";

export type GradeMemberDeps = ScoreLearnersDeps & Pick<App, "attendance">;

type Place = Pick<Course, "id" | "registrationId">;
type Graded = Pick<Person, "id" | "sub">;

/**
 * From everything stored now. Repeatable. Only learners get scores, not instructors, preview students, mentors and
 * guests; new facts of former members count.
 */
export async function gradeMember(deps: GradeMemberDeps, course: Place, person: Graded): Promise<void> {
  await gradeMembers(deps, course, [person]);
}

/** Learners per read. */
const batchSize = 50;

/** As `gradeMember`, for many people at once. @param sending Whether more about them is expected soon. */
export async function gradeMembers(
  deps: GradeMemberDeps,
  course: Place,
  people: readonly Graded[],
  sending: Sending = "now",
): Promise<void> {
  for (let from = 0; from < people.length; from += batchSize) {
    const some = people.slice(from, from + batchSize);
    await publishSummaries(deps, course, some);
    await scoreLearners(
      deps,
      course,
      some.map(({ id }) => id),
      sending,
    );
    if (from + batchSize < people.length) await letOthersRun();
  }
}

type ScoreLearnersDeps = GradingBasisDeps &
  Pick<
    App,
    | "courses"
    | "members"
    | "columns"
    | "attendanceSummaries"
    | "regrades"
    | "deliveries"
    | "translatorOf"
    | "wake"
    | "clock"
    | "ids"
  >;

/** An upper bound for crossing computations. */
const rounds = 50;

/**
 * Of concurrent computations, in any process, the one with the latest facts and policy stays: what each saw is stored
 * with the score, those that cross are repeated, and after a change of the course it starts anew.
 */
export async function scoreLearners(
  deps: ScoreLearnersDeps,
  place: Place,
  personIds: readonly string[],
  sending: Sending = "now",
): Promise<void> {
  const key = { registrationId: place.registrationId, courseId: place.id };
  let left = personIds;
  for (let round = 1; left.length > 0; round += 1) {
    if (round > rounds)
      throw new Error(`scores of course ${place.id} kept changing while they were computed`);
    // Read first: later computations with more have a higher one.
    const regrade = await deps.regrades.revisionOf(key);
    const summaries = await deps.attendanceSummaries.findMany(key, left);
    const across = await scoreSummaries(deps, place, { regrade, summaries, leavers: "sent", sending });
    // A score by an old policy, written after the new one's, is seen here or by the regrade that follows.
    left = (await deps.regrades.revisionOf(key)) === regrade ? across : left;
  }
  deps.wake("deliveries");
}

/**
 * One computation; all but the summaries is read here, after them.
 * @param seen.regrade Revision of the course's regrade, read before the summaries.
 * @param seen.leavers Whether former members get new scores (their facts changed); LMSs refuse most.
 * @returns people whose computation crossed another one; for `scoreLearners`.
 */
export async function scoreSummaries(
  deps: ScoreLearnersDeps,
  place: Place,
  seen: {
    regrade: number;
    summaries: readonly AttendanceSummary[];
    leavers: "sent" | "kept";
    sending: Sending;
  },
): Promise<string[]> {
  const course = await deps.courses.find(place.id);
  if (course === null || seen.summaries.length === 0) return [];
  const key = { registrationId: course.registrationId, courseId: course.id };
  const personIds = seen.summaries.map(({ personId }) => personId);
  const members = new Map(
    (await deps.members.findMany(key, personIds)).map((member) => [member.personId, member]),
  );
  const basis = await gradingBasis(deps, course, [course.policy]);
  const linked = await linkedColumns(deps, course);
  const learners = seen.summaries.flatMap((summary): LearnerScores[] => {
    const member = members.get(summary.personId);
    if (member === undefined || !isGraded(member)) return [];
    const left = !member.active && seen.leavers === "kept";
    const { personId, sub, revision } = summary;
    const { counted, planned } = learnerBasis(basis, summary, member);
    const scores = scoresOf(course.policy, counted, planned, linked, deps.translatorOf);
    const { listName } = member;
    return [{ personId, sub, listName, scores, left, seen: { regrade: seen.regrade, summary: revision } }];
  });
  return deps.deliveries.want(key, learners, {
    now: deps.clock.now(),
    sending: seen.sending,
    newId: () => deps.ids.id("dlv"),
  });
}

async function linkedColumns(deps: ScoreLearnersDeps, course: Course): Promise<ReadonlySet<string>> {
  if (course.policy.kind !== "one-column") return new Set();
  return linkedColumnsOf(await deps.columns.listOfCourse(course.registrationId, course.id));
}

/**
 * The revision is read before the facts, and a summary written meanwhile is read again, so the last one written has
 * seen all facts. @param people At most a hundred; each may have a hundred records.
 */
async function publishSummaries(
  deps: Pick<App, "attendance" | "attendanceSummaries" | "ids">,
  course: Place,
  people: readonly Graded[],
): Promise<void> {
  const { registrationId, id: courseId } = course;
  const place = { registrationId, courseId };
  let left = people;
  for (let round = 1; left.length > 0; round += 1) {
    if (round > rounds)
      throw new Error(`attendance summaries of course ${courseId} kept changing while they were written`);
    const ids = left.map((person) => person.id);
    const before = await deps.attendanceSummaries.findMany(place, ids);
    const seen = new Map(before.map(({ personId, revision }) => [personId, revision]));
    const records = byPerson(await deps.attendance.listOfPeople(registrationId, courseId, ids));
    const summaries = left.map(({ id, sub }) => ({
      personId: id,
      sub,
      seen: seen.get(id) ?? 0,
      sessions: countedSessions(records.get(id) ?? []),
    }));
    const again = new Set(await deps.attendanceSummaries.publish(place, summaries, () => deps.ids.id("std")));
    left = left.filter((person) => again.has(person.id));
  }
}

function byPerson(records: readonly AttendanceRecord[]): Map<string, AttendanceRecord[]> {
  const found = new Map<string, AttendanceRecord[]>();
  for (const record of records) {
    const own = found.get(record.personId);
    if (own === undefined) found.set(record.personId, [record]);
    else own.push(record);
  }
  return found;
}

export type GradingBasisDeps = ListSessionsDeps & Pick<App, "sessionPlans">;

type GradingBasis = {
  /** Null when no policy needs planned sessions. */
  sessions: readonly CourseSession[] | null;
  uncounted: ReadonlySet<string>;
};

export async function gradingBasis(
  deps: GradingBasisDeps,
  course: Pick<Course, "id" | "countsFrom">,
  policies: readonly GradePolicy[],
): Promise<GradingBasis> {
  const sessions = policies.some(needsPlanned) ? await listSessions(deps, course) : null;
  return { sessions, uncounted: await uncountedSessions(deps, course) };
}

export function learnerBasis(
  { sessions, uncounted }: GradingBasis,
  summary: Pick<AttendanceSummary, "sessions">,
  member: Pick<Member, "sectionIds" | "joinedAt">,
): { counted: readonly CountedSession[]; planned: number } {
  const counted = sessionsThatCount(summary.sessions, uncounted);
  // Saves ten thousand sets in a large course.
  if (sessions === null) return { counted, planned: counted.length };
  return { counted, planned: plannedFor(sessions, member, counted) };
}
