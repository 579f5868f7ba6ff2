import type { App } from "../../app.ts";
import { courseName } from "../courses/rules/course-name.ts";
import { toldName } from "../../domain/person-name.ts";
import type { SpaceRequest } from "./rules/space-request.ts";
import { isMadeFor, type RegisteredSpace, type SpaceRight } from "./rules/space-right.ts";

export type ListSpacesDeps = Pick<
  App,
  "courses" | "people" | "registrations" | "spaceRegister" | "spaceRequests"
>;

/** In which course, of which LMS, by the names they have now. */
type InCourse = {
  course: string;
  lms: string;
  /** The institution of the course lets courses use only Spaces that were made for them, and this is none. */
  notOwn: boolean;
};

export type ListedRequest = SpaceRequest &
  InCourse & {
    /** Who asked: their name, else their user id in the LMS; null when they were erased. */
    asker: string | null;
  };

export type ListedRight = SpaceRight &
  InCourse & {
    /** The course through which it was proven; null for another way. */
    through: string | null;
    /** Names of other LMSs that have a part in the Space; told to operators only. */
    sharedWith: readonly string[];
  };

/** What the console tells of Spaces that the tool did not make for a course. */
export type ListedSpaces = {
  requests: ListedRequest[];
  /** Those linked before anybody was asked first. */
  given: ListedRight[];
  /** Those that operators closed; told to operators only. */
  closed: RegisteredSpace[];
};

/** So many of each are listed; whoever decides about them sees the next ones. */
const most = 100;

/** @param within The LMS whose administrator looks; null for operators. */
export async function listSpaces(deps: ListSpacesDeps, within: string | null): Promise<ListedSpaces> {
  const [requests, rights, closed] = await Promise.all([
    deps.spaceRequests.listOpen(within, most),
    deps.spaceRegister.listGiven(within, most),
    within === null ? deps.spaceRegister.listClosed(most) : [],
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
    given: given.sort((one, other) => Number(wasAsked(one)) - Number(wasAsked(other))),
    closed,
  };
}

function wasAsked({ way }: SpaceRight): boolean {
  return way !== "linked-before";
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
  return person === null ? null : (toldName(person) ?? person.sub);
}
