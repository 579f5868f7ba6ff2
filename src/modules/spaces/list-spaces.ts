import type { App } from "../../app.ts";
import { courseName } from "../courses/rules/course-name.ts";
import { fullName } from "../../domain/person-name.ts";
import type { SpaceRequest } from "./rules/space-request.ts";
import { isMadeFor, type RegisteredSpace, type SpaceRight } from "./rules/space-right.ts";
import { maxRows } from "./rules/limits.ts";

export type ListSpacesDeps = Pick<
  App,
  "courses" | "people" | "registrations" | "spaceRegister" | "spaceRequests"
>;

/** A course and its LMS by their present names. */
type InCourse = {
  course: string;
  lms: string;
  /** Not made for the course, while its institution allows only such Spaces. */
  notOwn: boolean;
};

export type ListedRequest = SpaceRequest &
  InCourse & {
    /** Name, else LMS user id; null when erased. */
    asker: string | null;
  };

export type ListedRight = SpaceRight &
  InCourse & {
    /** The course through which it was proven. */
    through: string | null;
    /** Other LMSs that use the Space; operators only. */
    sharedWith: readonly string[];
  };

/** Spaces not made for their course, for the console. */
export type ListedSpaces = {
  requests: ListedRequest[];
  /** Linked before requests existed. */
  given: ListedRight[];
  /** Closed by operators; operators only. */
  closed: RegisteredSpace[];
};

/** @param within The LMS whose administrator looks; null for operators. */
export async function listSpaces(deps: ListSpacesDeps, within: string | null): Promise<ListedSpaces> {
  const [requests, rights, closed] = await Promise.all([
    deps.spaceRequests.listOpen(within, maxRows),
    deps.spaceRegister.listGiven(within, maxRows),
    within === null ? deps.spaceRegister.listClosed(maxRows) : [],
  ]);
  const given = await Promise.all(rights.map((right) => listedRight(deps, right, within)));
  return {
    requests: await Promise.all(
      requests.map(async (request) => ({
        ...request,
        ...(await inCourse(deps, request, async () =>
          isMadeFor(await deps.spaceRegister.find(request), request.registrationId),
        )),
        asker: await askerOf(deps, request.personId),
      })),
    ),
    given,
    closed,
  };
}

async function listedRight(
  deps: ListSpacesDeps,
  right: SpaceRight,
  within: string | null,
): Promise<ListedRight> {
  const { throughCourseId, registrationId } = right;
  const through = throughCourseId === null ? null : await deps.courses.find(throughCourseId);
  const others = within === null ? await otherLmss(deps, right) : [];
  return {
    ...right,
    ...(await inCourse(deps, { courseId: right.courseId, registrationId }, () => right.madeForLms)),
    through: through === null ? null : courseName(through),
    sharedWith: others,
  };
}

async function otherLmss(deps: ListSpacesDeps, right: SpaceRight): Promise<string[]> {
  const rights = await deps.spaceRegister.rightsTo(right);
  const ids = new Set(rights.map(({ registrationId }) => registrationId));
  ids.delete(right.registrationId);
  return Promise.all([...ids].map((id) => lmsName(deps, id)));
}

async function inCourse(
  deps: ListSpacesDeps,
  { courseId, registrationId }: { courseId: string; registrationId: string },
  isOwn: () => boolean | Promise<boolean>,
): Promise<InCourse> {
  const course = await deps.courses.find(courseId);
  return {
    course: course === null ? courseId : courseName(course),
    lms: await lmsName(deps, registrationId),
    notOwn: course?.ownSpacesOnly === true && !(await isOwn()),
  };
}

async function lmsName(deps: ListSpacesDeps, id: string): Promise<string> {
  return (await deps.registrations.find(id))?.name ?? id;
}

async function askerOf(deps: ListSpacesDeps, personId: string): Promise<string | null> {
  const person = await deps.people.find(personId);
  return person === null ? null : (fullName(person) ?? person.sub);
}
