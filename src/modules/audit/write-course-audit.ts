import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { AuditedPerson, CourseAuditFacts } from "./rules/course-audit.ts";
import { fullName } from "../../domain/person-name.ts";

export type CourseAuditDeps = Pick<App, "courseAudit" | "people" | "clock" | "ids">;

/**
 * Adds a line to a course's audit trail, after the change has taken effect: what, by whom, to whom, why. `before` and
 * `after` are texts as instructors read them; name the learner by `on` (`auditedPerson(person)`) and the session by
 * `session`.
 * @param actor The person's id, whose name is looked up, or both.
 * @param line Id and time of a line planned before, so that it is written once.
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

export function auditedPerson(
  person: Pick<Person, "id" | "name" | "givenName" | "familyName">,
): AuditedPerson {
  return { personId: person.id, name: fullName(person) };
}

/** Begin of an id: sixteen digits keep ids in the order of time. */
export function courseAuditPrefix(at: number): string {
  return `caud_${String(at).padStart(16, "0")}`;
}

const nothing = { on: null, session: null, before: null, after: null, count: null, reason: null };

export async function namedActor(
  deps: Pick<CourseAuditDeps, "people">,
  personId: string,
): Promise<AuditedPerson> {
  const person = await deps.people.find(personId);
  return person === null ? { personId, name: null } : auditedPerson(person);
}
