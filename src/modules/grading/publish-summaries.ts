import type { App } from "../../app.ts";
import type { AttendanceRecord } from "../attendance/store/attendance-store.ts";
import type { Course, Person } from "../../domain/course.ts";
import { countedSessions } from "../attendance/rules/attendance-summary.ts";

export type PublishSummariesDeps = Pick<App, "attendance" | "attendanceSummaries" | "ids">;

/** Processes with the same learner take turns; an upper bound. */
const rounds = 50;

/**
 * The revision is read before the facts, and a summary written meanwhile is read again, so the last one written has
 * seen all facts. @param people At most a hundred; each may have a hundred records.
 */
export async function publishSummaries(
  deps: PublishSummariesDeps,
  course: Pick<Course, "id" | "registrationId">,
  people: readonly Pick<Person, "id" | "sub">[],
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
