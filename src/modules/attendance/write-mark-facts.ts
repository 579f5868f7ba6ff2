import type { App } from "../../app.ts";
import { type AttendanceMark, decideInClass, decideRow, type RowDecision } from "./rules/attendance-mark.ts";
import type { AttendanceFacts } from "../../domain/attendance.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import type { Course, Member } from "../../domain/course.ts";
import { isInClass, registerRow } from "./rules/register.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { auditedPerson } from "../audit/write-course-audit.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";
import { lineAboutClass, lineAboutRow } from "./mark-lines.ts";

export type WriteMarkFactsDeps = ListSessionsDeps &
  Pick<App, "attendance" | "attendanceMarks" | "courseAudit" | "members" | "people" | "clock" | "ids">;

/** Learners per commit of the embedded engine; a killed process repeats them. */
const batchSize = 200;

/** Corrections and the trail. The mark stays at "facts" when time ran out or the claim was lost. */
export async function writeMarkFacts(
  deps: WriteMarkFactsDeps,
  course: Course,
  begun: AttendanceMark,
  holder: string,
  until: number,
): Promise<AttendanceMark> {
  const sessions = await listSessions(deps, course);
  const session = sessions.find(({ eventId }) => eventId === begun.eventId) ?? unknownSession(begun.eventId);
  let mark = begun;
  if (mark.reached === "" && mark.rows.length > 0) {
    const outcome = await writeRows(deps, course, mark, session);
    mark = { ...mark, ...outcome };
    const kept = await deps.attendanceMarks.progress(mark.id, holder, { ...outcome, reached: first });
    if (!kept) return begun;
  }
  while (mark.everybody !== null) {
    if (deps.clock.now() > until) return mark;
    const next = await writeSlice(deps, course, mark, session);
    const { last, ...progress } = next;
    if (!(await deps.attendanceMarks.progress(mark.id, holder, progress))) return mark;
    mark = { ...mark, ...progress };
    if (last) break;
    await letOthersRun();
  }
  if (mark.everybody !== null) await deps.courseAudit.insert([lineAboutClass(mark, session)]);
  const kept = await deps.attendanceMarks.progress(mark.id, holder, { state: "grades" });
  return kept ? { ...mark, state: "grades" } : mark;
}

/** Before every person id, and after the rows. */
const first = " ";

/** Learners marked by name, each with a line in the trail. */
async function writeRows(
  deps: WriteMarkFactsDeps,
  course: Course,
  mark: AttendanceMark,
  session: CourseSession,
): Promise<Pick<AttendanceMark, "written" | "missed">> {
  const ids = mark.rows.map(({ personId }) => personId);
  const people = new Map((await deps.people.findMany(ids)).map((one) => [one.id, one]));
  const members = new Map(
    (await deps.members.findMany({ registrationId: course.registrationId, courseId: course.id }, ids)).map(
      (member) => [member.personId, member],
    ),
  );
  const decided = await Promise.all(
    mark.rows.map(async (row) => ({
      row,
      ...(await writeOne(deps, course, mark, members.get(row.personId) ?? null, row.personId, (facts, at) =>
        decideRow(mark, row, facts, at),
      )),
    })),
  );
  const written = decided.filter(({ decision }) => isDone(decision));
  await deps.courseAudit.insert(
    written.map(({ row, facts }) => {
      const person = people.get(row.personId);
      const on = person === undefined ? { personId: row.personId, name: null } : auditedPerson(person);
      return { ...lineAboutRow(mark, session, row, facts), on };
    }),
  );
  return {
    written: written.length,
    missed: decided
      .filter(({ decision }) => decision.kind === "changed-meanwhile")
      .map(({ row }) => row.personId),
  };
}

async function writeSlice(
  deps: WriteMarkFactsDeps,
  course: Course,
  mark: AttendanceMark,
  session: CourseSession,
): Promise<Pick<AttendanceMark, "reached" | "writtenInClass" | "missed"> & { last: boolean }> {
  const { everybody, reached, writtenInClass, missed } = mark;
  const key = { registrationId: course.registrationId, courseId: course.id };
  const members = await deps.members.listAfter(key, reached, batchSize);
  if (everybody === null || members.length === 0) return { reached, writtenInClass, missed, last: true };
  const decided = await Promise.all(
    members.map(async (member) => {
      const record = await deps.attendance.find({ ...key, eventId: mark.eventId, personId: member.personId });
      const row = registerRow(session, member, record);
      if (row === null || !isInClass(row, everybody.sectionId)) return null;
      const { decision } = await writeOne(deps, course, mark, member, member.personId, (facts) =>
        decideInClass(mark, everybody, facts),
      );
      return { personId: member.personId, decision };
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

/** `facts`: after the decision. */
async function writeOne(
  deps: WriteMarkFactsDeps,
  course: Course,
  mark: AttendanceMark,
  member: Pick<Member, "sectionIds"> | null,
  personId: string,
  decide: (facts: AttendanceFacts, revision: number) => RowDecision,
): Promise<{ decision: RowDecision; facts: AttendanceFacts }> {
  const { registrationId, id: courseId } = course;
  let decision: RowDecision = { kind: "already" };
  let after: AttendanceFacts = { history: [], corrections: [] };
  await deps.attendance.correctIf(
    { registrationId, courseId, eventId: mark.eventId, personId },
    { id: deps.ids.id("att"), sectionIds: member?.sectionIds ?? [] },
    (facts, revision) => {
      decision = decide(facts, revision);
      const said = decision.kind === "write" ? [decision.correction] : [];
      after = { history: facts.history, corrections: [...said, ...facts.corrections] };
      return said[0] ?? null;
    },
  );
  return { decision, facts: after };
}

function isDone({ kind }: RowDecision): boolean {
  return kind === "write" || kind === "written";
}
