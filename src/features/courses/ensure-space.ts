import type { Course } from "../../domain/course.ts";
import type { NewSpace } from "../../domain/space-access.ts";
import type { Matchable } from "../../domain/receipt.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { CallOptions } from "../../classroom/call-options.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { SpaceUserStore } from "../../storage/space-user-store.ts";
import { makeOnce } from "../make-once.ts";
import { newSpaceOf } from "./change-settings.ts";
import { type Comer, peopleOfSpace, type PeopleOfSpaceDeps } from "./people-of-space.ts";
import { refuseForeignSpace } from "./space-rights.ts";

export type EnsureSpaceDeps = Omit<PeopleOfSpaceDeps, "classroomOf"> & {
  courses: CourseStore;
  spaceUsers: Pick<SpaceUserStore, "noteMade">;
  classroomOf: (
    environment: Course["environment"],
  ) => Pick<ClassroomClient, "usersHaveRoles" | "createApiUser" | "createSpace">;
  /** Called after a Space was made: receipts may have waited for it. */
  onMatchable: (what: Matchable) => Promise<void>;
  clock: Clock;
  ids: Ids;
};

/**
 * The id of the course's Space, made now when it has none: once, however many people arrive together, and told who its hosts
 * and participants are as far as they are known.
 * @param comer Who enters; null when nobody does.
 * @param options How urgent it is. `onPermit` is called, too, when somebody else makes it: nothing is held up here.
 * @throws the classroom client's errors; the next caller tries again. NamedError "space-id-taken" when the classroom gave it
 * a Space that is somebody's; those of `refuseForeignSpace` when the course has one that it may not use.
 */
export async function ensureSpace(
  deps: EnsureSpaceDeps,
  course: Course,
  comer: Comer | null,
  options: CallOptions = { priority: "door" },
): Promise<string> {
  if (course.spaceId !== null) {
    await refuseForeignSpace(deps, course, course.spaceId);
    return course.spaceId;
  }
  const { courses } = deps;
  let made = newSpaceOf(course);
  return makeOnce(deps, {
    onOthersMake: options.onPermit,
    read: async () => {
      const current = await courses.find(course.id);
      if (current === null)
        throw new NamedError("course-unknown", "This course is not known any more.", { status: 404 });
      return current.spaceId;
    },
    claim: (holder, now, until) => courses.claimSpace(course.id, holder, now, until),
    extend: (holder, until) => courses.extendSpace(course.id, holder, until),
    make: async () => {
      // As it is set at this moment: a page of the course may have been open for long.
      made = newSpaceOf((await courses.find(course.id)) ?? course);
      return createSpaceFor(deps, course, { ...made, comer }, options);
    },
    keep: async (holder, spaceId) => {
      const kept = await courses.keepSpace(course.id, holder, spaceId, made, deps.clock.now());
      if (kept) await deps.onMatchable({ kind: "space", environment: course.environment, id: spaceId });
      return kept;
    },
    release: (holder) => courses.releaseSpace(course.id, holder),
  });
}

/**
 * Makes a Space for a course, after the users it is told of (document part 4), and writes down whom it was told of.
 * @returns its id
 */
export async function createSpaceFor(
  deps: Omit<EnsureSpaceDeps, "courses">,
  course: Course,
  { access, waitingRoom, comer }: NewSpace & { comer: Comer | null },
  options: CallOptions,
): Promise<string> {
  const people = await peopleOfSpace(deps, course, comer, options);
  const wanted = { name: spaceName(course), access, waitingRoom, ...people };
  const { spaceId, told } = await deps.classroomOf(course.environment).createSpace(wanted, options);
  await deps.spaceUsers.noteMade(course, spaceId, told, deps.clock.now());
  return spaceId;
}

/** A name a teacher recognises in the classroom's own lists. */
function spaceName(course: Course): string {
  const parts = [course.label, course.title].filter(
    (part, index, all) => part !== "" && all.indexOf(part) === index,
  );
  return parts.join(" - ") || "Online classroom";
}
