import type { App } from "../../app.ts";
import { type AttendanceFacts, currentAttendanceOf } from "../../domain/attendance.ts";
import type { Person } from "../../domain/course.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { unknownCourse } from "./erase-course.ts";

export type ListAttendanceDeps = AuditDeps &
  Pick<App, "courses" | "members" | "people" | "attendance" | "events">;

export type AttendanceRow = {
  eventId: string;
  session: string | null;
  startsAt: number | null;
  person: Pick<Person, "sub" | "name"> | null;
  status: string | null;
  source: "classroom" | "instructor" | "presence" | "code" | null;
  notes: string | null;
  reason: string | null;
};

const batchSize = 100;

/** As rows, read while written; the audit log notes it. @throws NamedError "no-such-course", before the first row */
export async function* listAttendance(
  deps: ListAttendanceDeps,
  courseId: string,
): AsyncGenerator<AttendanceRow> {
  const course = await deps.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId, environment } = course;
  await writeAudit(deps, { what: "course-exported", registrationId, on: course.title || course.id });
  const sessions = new Map<string, Promise<Pick<AttendanceRow, "session" | "startsAt">>>();
  const sessionOf = async (eventId: string) => {
    const event = await deps.events.find(environment, eventId);
    return { session: event?.title ?? null, startsAt: event?.startsAt ?? null };
  };
  for (let after = ""; ;) {
    const members = await deps.members.listAfter({ registrationId, courseId }, after, batchSize);
    const ids = members.map(({ personId }) => personId);
    const people = new Map((await deps.people.findMany(ids)).map((person) => [person.id, person]));
    for (const one of await deps.attendance.listOfPeople(registrationId, courseId, ids)) {
      const session = sessions.get(one.eventId) ?? sessionOf(one.eventId);
      sessions.set(one.eventId, session);
      const { eventId, personId } = one;
      yield { eventId, ...(await session), person: people.get(personId) ?? null, ...currentIn(one) };
    }
    if (members.length < batchSize) return;
    after = ids.at(-1) ?? "";
  }
}

function currentIn(facts: AttendanceFacts): Pick<AttendanceRow, "status" | "source" | "notes" | "reason"> {
  const current = currentAttendanceOf(facts);
  if (current === null) return { status: null, source: null, notes: null, reason: null };
  const { status, source, notes, correction } = current;
  return { status, source, notes, reason: correction?.reason ?? null };
}
