import type { AnsweredWord, AttendanceMark, MarkedRow } from "./rules/records.ts";
import type { App } from "../../app.ts";
import { type AttendanceFacts, currentAttendanceOf } from "../../domain/attendance.ts";
import { joinedFacts } from "../../domain/counting-facts.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId, byKey, slicesOf } from "../../kernel/lists.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { factsOfEvents } from "../grading/counting-facts.ts";
import { gradeMembers, type GradingApp } from "../grading/grade-members.ts";
import type { CourseAuditEntry } from "../audit/rules/course-audit.ts";
import { auditedById, auditedPerson, courseAuditPrefix } from "../audit/audit.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import {
  type RowDecision,
  attendanceBefore,
  decideInClass,
  decideRow,
  isInClass,
  registerRow,
} from "./rules/register.ts";

export type MarksApp = GradingApp & Pick<App, "attendanceMarks" | "learnerWords">;

/** How long after a failure to try again (ms). */
const retryAfterMs = 30_000;

/** Continues the mark that has been due longest: its process was killed, or no page waits for it. @returns false if none is due. */
export async function runNextMark(app: MarksApp): Promise<boolean> {
  const holder = app.ids.id("hold");
  const now = app.clock.now();
  const mark = await app.attendanceMarks.claimDue(holder, now, now + leaseMs);
  if (mark === null) return false;
  await carryOut(app, mark, holder, Number.POSITIVE_INFINITY);
  return true;
}

/** Writes corrections, then the change log, then grades. Each step can be repeated. @param until When the worker takes over (ms). */
export async function carryOut(
  app: MarksApp,
  mark: AttendanceMark,
  holder: string,
  until: number,
): Promise<AttendanceMark> {
  const { attendanceMarks: marks, clock } = app;
  try {
    return await withClaim(app, { until: 0, extend: (to) => marks.extend(mark.id, holder, to) }, () =>
      steps(app, mark, holder, until),
    );
  } catch (thrown) {
    await marks.release(mark.id, holder, clock.now() + retryAfterMs);
    throw thrown;
  }
}

async function steps(
  app: MarksApp,
  begun: AttendanceMark,
  holder: string,
  until: number,
): Promise<AttendanceMark> {
  const { attendanceMarks: marks, clock } = app;
  const course = await app.courses.find(begun.courseId);
  let mark = begun;
  if (course !== null && mark.state === "facts") {
    mark = (await keepAnswer(app, mark))
      ? await writeMarkFacts(app, course, mark, holder, until)
      : { ...mark, rows: [], missed: [mark.answers?.personId ?? ""], state: "grades" };
    if (mark.state === "facts" || clock.now() > until) {
      await marks.release(mark.id, holder, clock.now());
      return mark;
    }
  }
  if (course !== null) await gradeMarked(app, course, mark);
  await marks.finish(mark.id, holder, clock.now());
  return { ...mark, state: "done" };
}

/** Learners in one commit of the embedded engine. If a process is killed, these are repeated. */
const batchSize = 200;

/** Writes corrections and the change log. The mark stays in state "facts" if time ran out or the claim was lost. */
async function writeMarkFacts(
  app: MarksApp,
  course: Course,
  begun: AttendanceMark,
  holder: string,
  until: number,
): Promise<AttendanceMark> {
  const sessions = await listSessions(app, course);
  const session = sessions.find(({ eventId }) => eventId === begun.eventId) ?? unknownSession(begun.eventId);
  let mark = begun;
  if (mark.reached === "" && mark.rows.length > 0) {
    const outcome = await writeRows(app, course, mark, session);
    mark = { ...mark, ...outcome };
    const stored = await app.attendanceMarks.progress(mark.id, holder, { ...outcome, reached: first });
    if (!stored) return begun;
  }
  while (mark.everybody !== null) {
    if (app.clock.now() > until) return mark;
    const next = await writeSlice(app, course, mark, session);
    const { last, ...progress } = next;
    if (!(await app.attendanceMarks.progress(mark.id, holder, progress))) return mark;
    mark = { ...mark, ...progress };
    if (last) break;
    await letOthersRun();
  }
  await app.courseAudit.insert(await linesAbout(app, mark, session));
  const stored = await app.attendanceMarks.progress(mark.id, holder, { state: "grades" });
  return stored ? { ...mark, state: "grades" } : mark;
}

/** Stores the answer that belongs to a mark. @returns false if another one is stored, so nothing is marked. */
async function keepAnswer({ learnerWords }: MarksApp, mark: AttendanceMark): Promise<boolean> {
  if (mark.answers === null) return true;
  const { at, answer } = mark.answers;
  const answered = { answer, answeredBy: mark.by.personId, answeredAt: mark.at, answerMark: mark.id };
  return learnerWords.answer(wordKey(mark, mark.answers), at, answered);
}

async function takeAnswerBack({ learnerWords }: MarksApp, mark: AttendanceMark): Promise<void> {
  if (mark.answers !== null) await learnerWords.reopen(wordKey(mark, mark.answers), mark.id);
}

function wordKey({ registrationId, courseId, eventId }: AttendanceMark, { personId }: AnsweredWord) {
  return { registrationId, courseId, eventId, personId };
}

/** Sorts before every person id; the class comes after the rows. */
const first = " ";

/** Marks single learners, each with a line in the change log. */
async function writeRows(
  app: MarksApp,
  course: Course,
  mark: AttendanceMark,
  session: CourseSession,
): Promise<Pick<AttendanceMark, "written" | "missed">> {
  const ids = mark.rows.map(({ personId }) => personId);
  const people = byId(await app.people.findMany(ids));
  const members = byKey(await app.members.findMany(keyOfCourse(course), ids), ({ personId }) => personId);
  const counting = await countingIn(app, course, session);
  const decided = await Promise.all(
    mark.rows.map(async (row) => {
      const { personId } = row;
      const who = { personId, member: members.get(personId) ?? null, counting: counting.get(personId) };
      const one = await writeOne(app, course, mark, who, (facts, at) => decideRow(mark, row, facts, at));
      return { row, ...one };
    }),
  );
  const written = decided.filter(({ decision }) => isDone(decision));
  await app.courseAudit.insert(
    written.map(({ row, facts }) => {
      const person = people.get(row.personId);
      const on = person === undefined ? { personId: row.personId, name: null } : auditedPerson(person);
      return { ...lineAboutRow(mark, session, row, facts), on };
    }),
  );
  const missed = decided
    .filter(({ decision }) => decision.kind === "changed-meanwhile")
    .map(({ row }) => row.personId);
  if (missed.length > 0) await takeAnswerBack(app, mark);
  return { written: written.length, missed };
}

async function writeSlice(app: MarksApp, course: Course, mark: AttendanceMark, session: CourseSession) {
  const { everybody, reached, writtenInClass, missed } = mark;
  const key = keyOfCourse(course);
  const members = await app.members.listAfter(key, reached, batchSize);
  if (everybody === null || members.length === 0) return { reached, writtenInClass, missed, last: true };
  const counting = await countingIn(app, course, session);
  const decided = await Promise.all(
    members.map(async (member) => {
      const { personId } = member;
      const known = counting.get(personId);
      const row = registerRow(session, member, known ?? null);
      if (row === null || !isInClass(row, everybody.sectionId)) return null;
      const who = { personId, member, counting: known };
      const { decision } = await writeOne(app, course, mark, who, (facts) =>
        decideInClass(mark, everybody, facts),
      );
      return { personId, decision };
    }),
  );
  const concerned = decided.filter((one) => one !== null);
  return {
    writtenInClass: writtenInClass + concerned.filter(({ decision }) => isDone(decision)).length,
    missed: [
      ...missed,
      ...concerned
        .filter(({ decision }) => decision.kind === "changed-meanwhile")
        .map(({ personId }) => personId),
    ],
    reached: members.at(-1)?.personId ?? reached,
    last: members.length < batchSize,
  };
}

/** What counts for people besides their own records, by person id. */
async function countingIn(app: MarksApp, course: Course, session: CourseSession) {
  return byKey(await factsOfEvents(app, course, [session]), ({ personId }) => personId);
}

type Marked = {
  personId: string;
  member: Pick<Member, "sectionIds"> | null;
  counting: AttendanceFacts | undefined;
};

/** `facts`: after the decision. */
async function writeOne(
  app: MarksApp,
  course: Course,
  mark: AttendanceMark,
  { personId, member, counting }: Marked,
  decide: (facts: AttendanceFacts, revision: number) => RowDecision,
): Promise<{ decision: RowDecision; facts: AttendanceFacts }> {
  const { registrationId, id: courseId } = course;
  let decision: RowDecision = { kind: "already" };
  let after: AttendanceFacts = { history: [], corrections: [] };
  await app.attendance.correctIf(
    { registrationId, courseId, eventId: mark.eventId, personId },
    { id: app.ids.id("att"), sectionIds: member?.sectionIds ?? [] },
    (own, revision) => {
      const facts = counting === undefined ? own : joinedFacts([own, counting]);
      decision = decide(facts, revision);
      const written = decision.kind === "write" ? [decision.correction] : [];
      after = { history: facts.history, corrections: [...written, ...facts.corrections] };
      return written[0] ?? null;
    },
  );
  return { decision, facts: after };
}

function isDone({ kind }: RowDecision): boolean {
  return kind === "write" || kind === "written";
}

type LineBase = Omit<CourseAuditEntry, "what" | "on" | "before" | "after" | "count">;

function lineOf(mark: AttendanceMark, session: CourseSession, last: string): LineBase {
  const { registrationId, courseId, at, by, reason } = mark;
  const { eventId, title, startsAt } = session;
  return {
    // Derived from the mark, so repetitions write each line once.
    id: `${courseAuditPrefix(at)}_${mark.id}_${last}`,
    registrationId,
    courseId,
    at,
    by,
    session: { eventId, title, startsAt },
    reason,
  };
}

function lineAboutRow(mark: AttendanceMark, session: CourseSession, row: MarkedRow, facts: AttendanceFacts) {
  return {
    ...lineOf(mark, session, row.personId),
    what: row.status === null ? ("attendance-taken-back" as const) : ("attendance-corrected" as const),
    before: attendanceBefore(facts)?.status ?? null,
    after: currentAttendanceOf(facts)?.status ?? null,
    count: null,
  };
}

/** What the change log says about a mark besides its rows. */
async function linesAbout(app: MarksApp, mark: AttendanceMark, session: CourseSession) {
  const { everybody, answers, missed } = mark;
  if (everybody !== null) return [lineAboutClass(mark, session)];
  if (answers === null || missed.length > 0) return [];
  const line = lineOf(mark, session, "answer");
  const on = await auditedById(app, answers.personId);
  return [{ ...line, what: `word-${answers.answer}` as const, on, before: null, after: null, count: null }];
}

function lineAboutClass(mark: AttendanceMark, session: CourseSession): CourseAuditEntry {
  return {
    ...lineOf(mark, session, "class"),
    what: mark.everybody?.who === "blanks" ? "attendance-blanks-filled" : "attendance-set-all",
    on: null,
    before: null,
    after: mark.everybody?.status ?? null,
    count: mark.writtenInClass,
  };
}

const gradedBatchSize = 200;

async function gradeMarked(app: MarksApp, course: Course, mark: AttendanceMark): Promise<void> {
  const marked = await markedBy(app, course, mark);
  for (const batch of slicesOf(marked, gradedBatchSize)) {
    await gradeMembers(app, course, await app.people.findMany(batch));
  }
}

async function markedBy(app: MarksApp, course: Course, mark: AttendanceMark): Promise<string[]> {
  if (mark.everybody === null) return mark.rows.map(({ personId }) => personId);
  const records = await app.attendance.listOfEvent(course.registrationId, course.id, mark.eventId);
  return records
    .filter(({ corrections: [newest] }) => newest?.by === mark.by.personId && newest.at >= mark.at)
    .map(({ personId }) => personId);
}
