import { NamedError } from "../../kernel/errors.ts";
import { ensureSpace } from "../courses/ensure-space.ts";
import { spaceOfLink } from "../courses/space-of-link.ts";
import { ensureApiUser } from "../members/ensure-api-user.ts";
import type { Entry, JoinClassDeps } from "./join-class.ts";

/**
 * Makes what an entry will need (the Space, the API user) while the person still looks at the page, so that
 * pressing the button costs one call instead of three.
 */
export async function prepareEntry(
  deps: JoinClassDeps,
  entry: Pick<Entry, "courseId" | "personId" | "courseLinkId" | "role">,
): Promise<void> {
  const course = await deps.courses.find(entry.courseId);
  const person = await deps.people.find(entry.personId);
  if (course === null || person === null)
    throw new NamedError("entry-unknown", "This course is not known any more.");
  if ((await spaceOfLink(deps, course, entry.courseLinkId)) === null) await ensureSpace(deps, course);
  await ensureApiUser(deps, person, entry.role === "instructor" ? "host" : "participant");
}
