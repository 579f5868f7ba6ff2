import type { Course } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";
import type { RegisterRow } from "../../domain/register.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { InstructorVisit } from "./instructor-visit.ts";

/** Names of those who changed something in the classroom, by their user id there, as far as they came through us. */
export async function observersOf(
  deps: { people: Pick<PersonStore, "findByApiUser"> },
  { course }: InstructorVisit,
  rows: readonly Pick<RegisterRow, "facts">[],
): Promise<Map<string, string>> {
  return namesOfUsers(
    deps,
    course,
    rows.flatMap(({ facts }) => facts.history.map(({ updatedBy }) => updatedBy)),
  );
}

/** Names of users of the classroom who came through the course's LMS; others are left out. */
export async function namesOfUsers(
  deps: { people: Pick<PersonStore, "findByApiUser"> },
  course: Pick<Course, "environment" | "registrationId">,
  userIds: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const ids = new Set(userIds.flatMap((id) => id ?? []));
  const found = await Promise.all(
    [...ids].slice(0, 50).map(async (id) => {
      const person = await deps.people.findByApiUser(course.environment, id);
      return person === null || person.registrationId !== course.registrationId
        ? null
        : ([id, personName(person, "instructor")] as const);
    }),
  );
  return new Map(found.filter((one) => one !== null));
}
