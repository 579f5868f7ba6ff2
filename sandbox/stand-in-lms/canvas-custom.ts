// From: variable_expander.rb.
import { canvasIds } from "./canvas-ids.ts";
import type { Course, Enrolment, Person } from "./lms-records.ts";

/** An account admin has no enrolment. */
type Member = { person: Person; enrolment: Enrolment | undefined };

/** For one person in one course; an unknown variable stays `$Literal`, booleans stay booleans. */
export function canvasCustom(
  course: Course,
  who: Member,
  parameters: Record<string, string>,
): Record<string, unknown> {
  const variables = canvasVariables(course, who);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value.startsWith("$") && value.slice(1) in variables ? variables[value.slice(1)] : value,
    ]),
  );
}

function canvasVariables(course: Course, { person, enrolment }: Member): Record<string, unknown> {
  const own = [...(enrolment?.sections ?? [])].sort((one, other) => Number(one) - Number(other));
  const names = new Map(course.sections.map(({ id, name }) => [id, name]));
  return {
    "Canvas.course.id": course.id,
    "Canvas.course.name": course.title,
    "Canvas.course.sectionIds": own.join(","),
    "Canvas.course.sectionSisSourceIds": "",
    "Canvas.course.sectionRestricted": false,
    "com.instructure.User.sectionNames": JSON.stringify(own.map((id) => names.get(id) ?? id)),
    "Canvas.course.previousContextIds": course.history.slice(0, 1).map(canvasIds.course).join(","),
    "Context.id.history": course.history.map(canvasIds.course).join(","),
    "Context.id": canvasIds.course(course.id),
    "Context.title": course.title,
    "Canvas.user.id": person.id,
    "Canvas.user.loginId": person.username,
    "User.id": canvasIds.person(person.id),
    "User.username": person.username,
    "Person.name.full": `${person.given} ${person.family}`,
    "Person.name.given": person.given,
    "Person.name.family": person.family,
    "Person.email.primary": person.email,
    "Person.address.timezone": "America/Denver",
    "Message.locale": "en",
    "com.instructure.User.student_view": enrolment?.role === "test-user",
  };
}
