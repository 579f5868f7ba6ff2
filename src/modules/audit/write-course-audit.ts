import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { AuditedPerson, CourseAuditFacts } from "./rules/course-audit.ts";
import { toldName } from "../../domain/person-name.ts";

export type CourseAuditDeps = Pick<App, "courseAudit" | "people" | "clock" | "ids">;

/**
 * Writes a line into a course's audit trail: that something was done just now, by whom, to whom or what, and why.
 * Called after it has taken effect, by every feature that lets an instructor change something:
 * `await writeCourseAudit(deps, course, session.personId, { what: "policy-changed", before, after, reason })`,
 * where `session` is the page's; `before` and `after` are texts as instructors read them. Name the learner by `on`
 * (`auditedPerson(person)`) and the session by `session` where there are any.
 * @param actor The person who did it: their id (of the page's session), whose name is looked up, or both.
 * @param line Id and time of the line where it was decided before that it is written, so that it is written once.
 */
export async function writeCourseAudit(
  deps: CourseAuditDeps,
  course: Pick<Course, "id" | "registrationId">,
  actor: string | AuditedPerson,
  facts: CourseAuditFacts,
  line: { id: string; at: number } = newLine(deps),
): Promise<void> {
  const by = typeof actor === "string" ? await namedActor(deps, actor) : actor;
  await deps.courseAudit.insert([
    { ...line, registrationId: course.registrationId, courseId: course.id, by, ...nothing, ...facts },
  ]);
}

function newLine({ clock, ids }: Pick<CourseAuditDeps, "clock" | "ids">): { id: string; at: number } {
  const at = clock.now();
  return { id: ids.id(courseAuditPrefix(at)), at };
}

/** A person as the trail names them. */
export function auditedPerson(
  person: Pick<Person, "id" | "name" | "givenName" | "familyName">,
): AuditedPerson {
  return { personId: person.id, name: toldName(person) };
}

/** What an id begins with, so that ids sort by time: sixteen digits do so far beyond any calendar. */
export function courseAuditPrefix(at: number): string {
  return `caud_${String(at).padStart(16, "0")}`;
}

const nothing = { on: null, session: null, before: null, after: null, count: null, reason: null };

/** The actor with the name they have now. */
export async function namedActor(
  deps: Pick<CourseAuditDeps, "people">,
  personId: string,
): Promise<AuditedPerson> {
  const person = await deps.people.find(personId);
  return person === null ? { personId, name: null } : auditedPerson(person);
}
