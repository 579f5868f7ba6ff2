import type { Course, Person } from "../../domain/course.ts";
import { joinUrl } from "../../domain/join-url.ts";
import { NamedError } from "../../kernel/errors.ts";
import { ensureSpace, type EnsureSpaceDeps } from "../courses/ensure-space.ts";
import { spaceOfLink, type SpaceOfLinkDeps } from "../courses/space-of-link.ts";
import { ensureApiUser, type EnsureApiUserDeps } from "../members/ensure-api-user.ts";

export type JoinClassDeps = EnsureSpaceDeps &
  EnsureApiUserDeps &
  SpaceOfLinkDeps & { appUrlOf: (environment: Course["environment"]) => string };

/** Who enters which course, and with what. */
export type Entry = {
  courseId: string;
  personId: string;
  /** The link through which they came; null opens the course's Space. */
  courseLinkId: string | null;
  role: "instructor" | "learner";
  /** The LMS's locale of this launch, such as "de" or "pt-BR"; null when not told. */
  locale: string | null;
  /** A phone or tablet, where the classroom cannot record locally. */
  mobile: boolean;
};

/**
 * Lets a person into their course's Space, or the one that an instructor chose for the link: makes the Space and the API user if need be, and authorizes the
 * entry with the course's parameters on the Space URL (never on the login URL, where they have no effect).
 * @returns the address where the browser goes; it contains a login token that is valid for one hour.
 */
export async function joinClass(deps: JoinClassDeps, entry: Entry, signal?: AbortSignal): Promise<string> {
  const course = await deps.courses.find(entry.courseId);
  const person = await deps.people.find(entry.personId);
  if (course === null || person === null) {
    throw new NamedError(
      "entry-unknown",
      "This course is not known any more. Open the link in your LMS again.",
      {
        status: 404,
      },
    );
  }
  return authorizedUrl(deps, course, person, entry, signal);
}

async function authorizedUrl(
  deps: JoinClassDeps,
  course: Course,
  person: Person,
  entry: Entry,
  signal: AbortSignal | undefined,
): Promise<string> {
  const role = entry.role === "instructor" ? "host" : "participant";
  const spaceId =
    (await spaceOfLink(deps, course, entry.courseLinkId)) ?? (await ensureSpace(deps, course, signal));
  const userId = await ensureApiUser(deps, person, role, signal);
  const redirectUrl = joinUrl({
    appUrl: deps.appUrlOf(course.environment),
    spaceId,
    settings: course.settings,
    role,
    locale: entry.locale,
    mobile: entry.mobile,
  });
  const authorized = await deps
    .classroomOf(course.environment)
    .authorize({ userId, redirectUrl }, { priority: "door", ...(signal === undefined ? {} : { signal }) });
  return authorized.url;
}
