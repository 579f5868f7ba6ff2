import { dayMs } from "../../kernel/clock.ts";
import type { AttendanceRecord, SummaryCourse } from "../attendance/store/attendance-stores.ts";
import { currentAttendanceOf, latestObservation } from "../../domain/attendance.ts";
import { type Course, isReplaced, keyOfCourse, type Member, type Person } from "../../domain/course.ts";
import type { App } from "../../app.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import { letOthersRun, pagesByKey } from "../../kernel/async.ts";
import { withFreshReads } from "../../kernel/request-scope.ts";
import { byKey, slicesOf } from "../../kernel/lists.ts";
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
import { listSessions, uncountedSessions } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { factsOfPeople, joinsIn } from "./counting-facts.ts";
import { type Sending, type SentScore, holdOf } from "./rules/delivery.ts";
import type { LearnerScores } from "./store/desired-scores.ts";

/** What computing scores requires. */
export type GradingApp = Pick<
  App,
  "attendance" | "attendanceSummaries" | "events" | "excuses" | "sessionPlans"
> &
  Pick<App, "columns" | "courseAudit" | "courses" | "deliveries" | "members" | "people"> &
  Pick<App, "pendingRegrades" | "regrades" | "translatorOf" | "clock" | "ids" | "wake">;

type CourseRef = Pick<Course, "id" | "registrationId">;
type Graded = Pick<Person, "id" | "sub">;

/** When the new statuses in summaries were marked (ms), by person id. */
type MarkTimes = ReadonlyMap<string, number>;
type SeenSummary = Pick<AttendanceSummary, "personId" | "sub" | "revision" | "sessions">;
type Published = { markedAt: MarkTimes; summaries: readonly SeenSummary[] };

/** How many learners to read at a time. */
const batchSize = 50;

/**
 * Computes people's scores from everything that is stored now. Repeatable. Only learners get scores, not instructors, preview students,
 * mentors and guests. New facts of former members count. @param sending Whether to expect more about them soon.
 */
export async function gradeMembers(
  app: GradingApp,
  course: CourseRef,
  people: readonly Graded[],
  sending: Sending = "now",
): Promise<void> {
  if (people.length === 0) return;
  for (const batch of slicesOf(await withJoinedAccounts(app, course, people), batchSize)) {
    const published = await publishSummaries(app, course, batch);
    const ids = batch.map(({ id }) => id);
    await scoreLearners(app, course, ids, sending, published);
    if (people.length > batchSize) await letOthersRun();
  }
}

/** Adds the accounts to which these people's earlier accounts are joined, because attendance of an earlier account counts there. */
async function withJoinedAccounts(
  app: GradingApp,
  course: CourseRef,
  people: readonly Graded[],
): Promise<readonly Graded[]> {
  const joins = await joinsIn(app, { registrationId: course.registrationId, courseId: course.id });
  const known = new Set(people.map(({ id }) => id));
  const more = people.flatMap(({ id }) => joins.get(id) ?? []).filter((id) => !known.has(id));
  return more.length === 0 ? people : [...people, ...(await app.people.findMany(more))];
}

const rounds = 50;

/**
 * Of concurrent computations, in any process, the one with the latest facts and policy wins. Each score is stored with what it was computed
 * from. Computations that cross each other are repeated, and all start again if the course changes.
 * @param published What was just written about these people; read if left out.
 */
export async function scoreLearners(
  app: GradingApp,
  course: CourseRef,
  personIds: readonly string[],
  sending: Sending = "now",
  published: Published | null = null,
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  let left = personIds;
  for (let round = 1; left.length > 0; round += 1) {
    if (round > rounds)
      throw new Error(`scores of course ${course.id} kept changing while they were computed`);
    // Read first, so later computations with more facts have a higher revision.
    const regrade = await app.regrades.revisionOf(key);
    const summaries =
      (round === 1 ? published?.summaries : null) ?? (await app.attendanceSummaries.findMany(key, left));
    const seen = { regrade, summaries, leavers: "sent", sending, markedAt: published?.markedAt } as const;
    // A policy that was read before the revision may be an outdated one.
    const across = await withFreshReads(() => scoreSummaries(app, course, seen));
    // A score by the old policy that is written after the new one's is noticed here, or by the regrade that follows.
    left = (await app.regrades.revisionOf(key)) === regrade ? across : left;
  }
  app.wake("deliveries");
}

/**
 * One computation. It reads everything but the summaries after them.
 * @param seen.regrade Revision of the course's regrade, read before the summaries.
 * @param seen.leavers Whether former members get new scores because their facts changed; LMSs refuse most of these.
 * @returns the people whose computation crossed another one, for `scoreLearners`.
 */
export async function scoreSummaries(
  app: GradingApp,
  courseKey: CourseRef,
  seen: {
    regrade: number;
    summaries: readonly SeenSummary[];
    leavers: "sent" | "kept";
    sending: Sending;
    markedAt?: MarkTimes | undefined;
  },
): Promise<string[]> {
  const personIds = seen.summaries.map(({ personId }) => personId);
  if (personIds.length === 0) return [];
  const key = keyOfCourse(courseKey);
  const [course, listed] = await Promise.all([
    app.courses.find(courseKey.id),
    app.members.findMany(key, personIds),
  ]);
  if (course === null || isReplaced(course)) return [];
  const members = byKey(listed, ({ personId }) => personId);
  const [basis, linked] = await Promise.all([
    gradingBasis(app, course, [course.policy]),
    linkedColumns(app, course),
  ]);
  const learners = seen.summaries.flatMap((summary): LearnerScores[] => {
    const member = members.get(summary.personId);
    if (member === undefined) return [];
    const isJoined = member.joinedTo != null;
    if (!isJoined && !isGraded(member)) return [];
    const left = !member.active && seen.leavers === "kept";
    const { personId, sub, revision } = summary;
    const { counted, planned } = learnerBasis(basis, summary, member);
    // The gradebook keeps the grade of an account that is joined to another one.
    const scores = isJoined
      ? new Map<string, SentScore>()
      : scoresOf(course.policy, [...counted, ...leftOut(basis, summary)], planned, linked, app.translatorOf);
    const { listName } = member;
    const markedAt = seen.markedAt?.get(personId);
    const inputs = { regrade: seen.regrade, summary: revision };
    return [{ personId, sub, listName, scores, left, seen: inputs, markedAt }];
  });
  const now = app.clock.now();
  return app.deliveries.setDesired(key, learners, {
    now,
    sending: seen.sending,
    held: holdOf(course, now) !== null,
    newId: () => app.ids.id("dlv"),
  });
}

async function linkedColumns(app: GradingApp, course: Course): Promise<ReadonlySet<string>> {
  if (course.policy.kind !== "one-column") return new Set();
  return linkedColumnsOf(await app.columns.listOfCourse(course.registrationId, course.id));
}

/**
 * Reads the revision before the facts, and repeats a summary that was written in between, so the last one written has seen all facts.
 * @param people At most a hundred; each may have a hundred records.
 */
async function publishSummaries(
  app: GradingApp,
  course: CourseRef,
  people: readonly Graded[],
): Promise<Published> {
  const courseKey = keyOfCourse(course);
  const markedAt = new Map<string, number>();
  const written: SeenSummary[] = [];
  let left = people;
  for (let round = 1; left.length > 0; round += 1) {
    if (round > rounds)
      throw new Error(`attendance summaries of course ${course.id} kept changing while they were written`);
    const ids = left.map((person) => person.id);
    const known = byKey(await app.attendanceSummaries.findMany(courseKey, ids), ({ personId }) => personId);
    const found = await factsOfPeople(app, course, ids);
    const records = Map.groupBy(found, ({ personId }) => personId);
    const summaries = left.map(({ id, sub }) => ({
      personId: id,
      sub,
      seen: known.get(id)?.revision ?? 0,
      sessions: countedSessions(withGone(records.get(id) ?? [], known.get(id)?.sessions ?? [])),
    }));
    for (const id of ids) {
      const at = firstNewMark(records.get(id) ?? [], known.get(id)?.sessions ?? [], app.clock.now());
      if (at !== null) markedAt.set(id, Math.min(at, markedAt.get(id) ?? at));
    }
    const again = new Set(
      await app.attendanceSummaries.publish(courseKey, summaries, () => app.ids.id("std")),
    );
    const published = summaries.filter(({ personId }) => !again.has(personId));
    written.push(...published.map(({ seen, ...summary }) => asWritten(summary, seen, known)));
    left = left.filter((person) => again.has(person.id));
  }
  return { markedAt, summaries: written };
}

/** Adds sessions that no longer count, because an excuse was taken back or an account separated. Their own columns are cleared. */
function withGone(records: readonly AttendanceRecord[], before: readonly CountedSession[]) {
  const known = new Set(records.map(({ eventId }) => eventId));
  const gone = before.filter(({ eventId }) => !known.has(eventId));
  return [...records, ...gone.map(({ eventId }) => ({ eventId, history: [], corrections: [] }))];
}

/** A summary as the store would return it: the first `sub` stays, and the revision grows with each write. */
function asWritten(
  summary: Omit<SeenSummary, "revision">,
  seen: number,
  known: ReadonlyMap<string, { sub: string }>,
): SeenSummary {
  return { ...summary, sub: known.get(summary.personId)?.sub ?? summary.sub, revision: seen + 1 };
}

/** An older mark was delayed for some reason, such as an unmatched person, and says nothing about speed (ms). */
const maxMarkAgeMs = dayMs;

/**
 * When the first status was marked that hadn't been counted before (ms). Null if none was marked within a day, or only presence suggests
 * one.
 */
function firstNewMark(
  records: readonly AttendanceRecord[],
  before: readonly CountedSession[],
  now: number,
): number | null {
  const statusBefore = new Map(before.map(({ eventId, status }) => [eventId, status]));
  const times = records.flatMap((record) => {
    const current = currentAttendanceOf(record);
    if (current === null || current.source === "presence") return [];
    if (current.status === (statusBefore.get(record.eventId) ?? null)) return [];
    const at = current.correction?.at ?? latestObservation(record.history)?.at ?? 0;
    return at >= now - maxMarkAgeMs ? [at] : [];
  });
  return times.length === 0 ? null : Math.min(...times);
}

/** All attendance summaries of a course in order of person ids, one batch at a time. */
export function summarySlices(
  { attendanceSummaries }: Pick<App, "attendanceSummaries">,
  course: SummaryCourse,
  size: number,
) {
  const read = (after: string) => attendanceSummaries.listAfter(course, after, size);
  return pagesByKey(size, ({ personId }) => personId, read);
}

type GradingBasis = {
  /** Null if no policy needs planned sessions. */
  sessions: readonly CourseSession[] | null;
  uncounted: Awaited<ReturnType<typeof uncountedSessions>>;
};

export async function gradingBasis(
  app: Pick<App, "events" | "sessionPlans">,
  course: Pick<Course, "id" | "countsFrom">,
  policies: readonly GradePolicy[],
): Promise<GradingBasis> {
  const sessions = policies.some(needsPlanned) ? await listSessions(app, course) : null;
  return { sessions, uncounted: await uncountedSessions(app, course) };
}

/** Sessions that are left out, so that their columns are cleared. Columns of an earlier term keep their grades. */
function leftOut({ uncounted }: GradingBasis, { sessions }: SeenSummary): CountedSession[] {
  const left = sessions.filter(({ eventId }) => uncounted.get(eventId) === "left-out");
  return left.map(({ eventId }) => ({ eventId, status: null }));
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
