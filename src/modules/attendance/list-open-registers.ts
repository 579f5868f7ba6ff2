import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { CourseTimetable, ShownSession } from "../scheduling/show-sessions.ts";
import { isInClass, registerRow } from "./rules/register.ts";

export type ListOpenRegistersDeps = Pick<App, "attendance" | "members" | "clock">;

/** A past session in which some of its learners have no attendance. */
export type OpenRegister = {
  eventId: string;
  title: string | null;
  startsAt: number | null;
  /** Learners it is for, and those of them with attendance. */
  expected: number;
  recorded: number;
};

/** Older sessions are left to the register's own list. */
const maxSessions = 3;
/** How long after its end a session is asked about (ms). */
const lookBackMs = 14 * 24 * 3_600_000;

/** The latest past sessions, in which learners are not recorded; latest first. Costs two reads a session. */
export async function listOpenRegisters(
  deps: ListOpenRegistersDeps,
  course: Pick<Course, "id" | "registrationId">,
  { past }: Pick<CourseTimetable, "past">,
): Promise<OpenRegister[]> {
  const since = deps.clock.now() - lookBackMs;
  const asked = past
    .filter(({ state, counts, startsAt }) => state === "there" && counts && (startsAt ?? 0) >= since)
    .slice(0, maxSessions);
  const registers = await Promise.all(asked.map((session) => openRegister(deps, course, session)));
  return registers.flatMap((one) => (one === null || one.recorded >= one.expected ? [] : [one]));
}

async function openRegister(
  { attendance, members }: ListOpenRegistersDeps,
  { registrationId, id: courseId }: Pick<Course, "id" | "registrationId">,
  session: ShownSession,
): Promise<OpenRegister | null> {
  const { eventId, title, startsAt, sectionIds } = session;
  if (eventId === null) return null;
  const key = { registrationId, courseId };
  const [records, expected] = await Promise.all([
    attendance.listOfEvent(registrationId, courseId, eventId),
    members.countLearners(key, sectionIds),
  ]);
  const recordOf = new Map(records.map((record) => [record.personId, record]));
  const known = await members.findMany(key, [...recordOf.keys()]);
  const recorded = known.filter((member) => {
    const row = registerRow(session, member, recordOf.get(member.personId) ?? null);
    return row !== null && isInClass(row, null) && row.current !== null;
  }).length;
  return { eventId, title, startsAt, expected, recorded };
}
