import { z } from "zod";
import type { App } from "../../app.ts";
import { assumedLengthMs } from "../../domain/classroom-event.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { weekMs } from "../../kernel/clock.ts";
import { refusal } from "../../kernel/refusal.ts";
import { auditedById, writeCourseAudit } from "../audit/audit.ts";
import { factsOfPeople, joinsIn } from "../grading/counting-facts.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { markSession, tappedRow } from "./mark-session.ts";
import { isGraded } from "./rules/attendance-summary.ts";
import type { LearnerWord, MarkedRow, Says } from "./rules/records.ts";
import { registerRow } from "./rules/register.ts";
import type { MarksApp } from "./run-mark.ts";
import type { ShowAttendanceApp } from "./show-attendance.ts";
import { showGridCell } from "./show-learner.ts";

export type WordsApp = ShowAttendanceApp & MarksApp & Pick<App, "learnerWords">;

/** The longest reason that a learner or an office may give (UTF-16 units, as browsers count). */
export const maxReasonLength = 200;
/** How many messages a learner may send in a course within a week. */
export const maxWords = 5;
/** How long after a session a learner may say that they were there (ms). */
const hereWithinMs = 2 * weekMs;

/** What a learner may say about a session now; null for nothing. @param status As recorded; null if nothing is recorded. */
export function whatToReport(
  { startsAt, endsAt, cancelled }: Pick<CourseSession, "startsAt" | "endsAt" | "cancelled">,
  status: string | null,
  now: number,
): Says | null {
  if (startsAt === null || cancelled) return null;
  if (now < startsAt) return status === null ? "absent" : null;
  const ended = endsAt ?? startsAt + assumedLengthMs;
  const isOpen = now >= ended && now < ended + hereWithinMs;
  return isOpen && (status === null || status === "ABSENT") ? "here" : null;
}

/** off: not offered in this course · not-now: the session isn't theirs, or its time is over · too-many: this week. */
export type WordProblem = "off" | "reason" | "not-now" | "too-many" | "answered";

/** Stores what a learner says about one of their sessions. @returns why it was refused, or null. @throws NamedError "session-unknown" */
export async function sayWord(
  app: WordsApp,
  course: Course,
  member: Member,
  { eventId, says, reason }: { eventId: string; says: Says; reason: string },
): Promise<WordProblem | null> {
  if (!course.learnerWords) return "off";
  if (reason === "" || reason.length > maxReasonLength) return "reason";
  const session = (await listSessions(app, course)).find((one) => one.eventId === eventId);
  if (session === undefined) throw refusal("session-unknown", { status: 404 });
  if ((await whatMemberMayReport(app, course, member, session)) !== says) return "not-now";
  const problem = await keepWord(app, course, member, { eventId, says, reason });
  if (problem !== null) return problem;
  const by = await auditedById(app, member.personId);
  const { title, startsAt } = session;
  const what = says === "absent" ? ("word-absent" as const) : ("word-here" as const);
  const about = { on: by, session: { eventId, title, startsAt }, reason };
  await writeCourseAudit(app, course, by, { what, ...about });
  return null;
}

async function whatMemberMayReport(app: WordsApp, course: Course, member: Member, session: CourseSession) {
  if (!member.active || !isGraded(member)) return null;
  const records = await factsOfPeople(app, course, [member.personId]);
  const record = records.find(({ eventId }) => eventId === session.eventId) ?? null;
  const row = registerRow(session, member, record);
  return row === null ? null : whatToReport(session, row.current?.status ?? null, app.clock.now());
}

async function keepWord(
  app: WordsApp,
  course: Course,
  { personId }: Member,
  { eventId, says, reason }: Pick<LearnerWord, "eventId" | "says" | "reason">,
): Promise<"too-many" | "answered" | null> {
  const key = keyOfCourse(course);
  const now = app.clock.now();
  const word: LearnerWord = {
    id: app.ids.id("wrd"),
    ...key,
    eventId,
    personId,
    says,
    reason,
    at: now,
    answer: null,
    answeredBy: null,
    answeredAt: null,
  };
  const before = await app.learnerWords.find({ ...key, eventId, personId });
  if (!(await app.learnerWords.say(word))) return "answered";
  // Counted after storing, because two requests at the same moment would both find room.
  const inWeek = await app.learnerWords.countOfPerson(key, personId, now - weekMs);
  if (before !== null || inWeek <= maxWords) return null;
  await app.learnerWords.remove(word.id);
  return "too-many";
}

/** `at`: when the message was sent. `was`: the mark that was shown next to it, "" for none. */
export const answeredWord = z.object({
  eventId: z.string().max(300),
  personId: z.string().max(100),
  at: z.number(),
  answer: z.enum(["excused", "present", "no"]),
  was: z.string().max(100),
});

/**
 * Stores a mark together with the answer. If there are two answers, the stored one counts, and only its mark is made. If a crash interrupts
 * this, the worker finishes it. @returns false, without marking, if the message or the mark has changed. @throws NamedError
 * "session-unknown", "learner-unknown"
 */
export async function answerWord(
  app: WordsApp,
  course: Course,
  actor: string,
  { eventId, personId, at, answer, was }: z.infer<typeof answeredWord>,
): Promise<boolean> {
  const word = await app.learnerWords.find({ ...keyOfCourse(course), eventId, personId });
  if (word?.at !== at || word.answer !== null) return false;
  const status = { excused: "EXCUSED", present: "PRESENT", no: null } as const;
  const rows: MarkedRow[] = [];
  if (status[answer] !== null) {
    const counts = (await joinsIn(app, keyOfCourse(course))).get(personId) ?? personId;
    const cell = await showGridCell(app, course, { eventId, personId: counts });
    const row = tappedRow(cell, { was, status: status[answer], note: null });
    if (row === null) return false;
    rows.push(row);
  }
  const answers = { personId, at, answer };
  const mark = await markSession(app, course, actor, {
    eventId,
    rows,
    everybody: null,
    reason: null,
    answers,
  });
  return mark.missed.length === 0;
}

/** What a learner has said about their sessions, and may say, by session. */
export async function myWords(
  app: Pick<App, "clock" | "learnerWords">,
  course: Course,
  member: Member,
): Promise<
  (session: Parameters<typeof whatToReport>[0] & { eventId: string | null }, status: string | null) => MyWord
> {
  const words = await app.learnerWords.listOfPerson(keyOfCourse(course), member.personId);
  const byEvent = new Map(words.map((word) => [word.eventId, word]));
  const maySay = course.learnerWords && member.active && isGraded(member);
  const now = app.clock.now();
  return (session, status) => {
    const word = session.eventId === null ? null : (byEvent.get(session.eventId) ?? null);
    const says = maySay && session.eventId !== null ? whatToReport(session, status, now) : null;
    const isOver = word !== null && word.says === says && word.answer !== null;
    return { said: word, says: isOver ? null : says };
  };
}

export type MyWord = { said: LearnerWord | null; says: Says | null };
