import type { App } from "../../app.ts";
import { isDeepStrictEqual } from "node:util";
import type { Course } from "../../domain/course.ts";
import type { NewSpace } from "../../domain/course-link.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { makeOnce } from "../../kernel/make-once.ts";
import { newSpaceOf } from "../courses/change-settings.ts";
import { type Comer, type PeopleOfSpace, peopleOfSpace, type PeopleOfSpaceDeps } from "./people-of-space.ts";
import { type IsSpaceOrigin, originElsewhere } from "./space-elsewhere.ts";
import { refuseForeignSpace } from "./space-rights.ts";

export type EnsureSpaceDeps = Omit<PeopleOfSpaceDeps, "classroomOf"> &
  Pick<App, "courses" | "spaceUsers" | "onMatchable" | "clock" | "ids"> & {
    classroomOf: (
      environment: Course["environment"],
    ) => Pick<ClassroomClient, "usersHaveRoles" | "createApiUser" | "createSpace">;
    isSpaceOrigin: IsSpaceOrigin;
  };

/**
 * The course's Space, made once, however many people arrive together, with its hosts and participants as far as known,
 * and as the settings say when it is kept: its access cannot be changed later, so one made while they changed stays
 * unused.
 * @param comer Who enters; null for nobody.
 * @param options `onPermit` is also called when another process makes the Space: nothing waits here.
 * @throws the classroom client's errors (the next caller tries again); NamedError "space-id-taken" when the new Space
 *   is somebody's already, "space-elsewhere" when it is on another host; those of `refuseForeignSpace`.
 */
export async function ensureSpace(
  deps: EnsureSpaceDeps,
  course: Course,
  comer: Comer | null,
  options: CallOptions = { priority: "entry" },
): Promise<string> {
  if (course.spaceId !== null) {
    await refuseForeignSpace(deps, course, course.spaceId);
    return course.spaceId;
  }
  const { courses } = deps;
  const read = async () => {
    const current = await courses.find(course.id);
    if (current === null) throw refusal("course-unknown", { status: 404 });
    return current;
  };
  let made = newSpaceOf(course);
  return makeOnce(deps, {
    onOthersMake: options.onPermit,
    read: async () => (await read()).spaceId,
    claim: (holder, now, until) => courses.claimSpace(course.id, holder, now, until),
    extend: (holder, until) => courses.extendSpace(course.id, holder, until),
    make: async () => {
      // As set now: the page may have been open for long.
      made = newSpaceOf(await read());
      return createSpaceFor(deps, course, { made, comer }, options);
    },
    keep: async (holder, spaceId) => {
      let now = await read();
      while (isDeepStrictEqual(newSpaceOf(now), made)) {
        const seen = now.settingsRevision;
        if (await courses.keepSpace(course.id, holder, spaceId, { made, seen }, deps.clock.now())) {
          await deps.onMatchable({ kind: "space", environment: course.environment, id: spaceId });
          return true;
        }
        now = await read();
        if (now.settingsRevision === seen) return false; // the claim was lost
      }
      await courses.keepUnused(course, spaceId, deps.clock.now());
      await courses.releaseSpace(course.id, holder);
      return false;
    },
    release: (holder) => courses.releaseSpace(course.id, holder),
  });
}

export type CreateSpaceDeps = Omit<EnsureSpaceDeps, "courses"> & Pick<App, "courses">;

/**
 * After its users (document part 4), and records whom it was told of. A Space on another host is kept unused, and no
 * other is made, until an operator settles where Spaces are. @returns its id. @throws NamedError "space-elsewhere"
 */
export async function createSpaceFor(
  deps: CreateSpaceDeps,
  course: Course,
  { made, comer }: { made: NewSpace; comer: Comer | null },
  options: CallOptions,
): Promise<string> {
  const origin = await originElsewhere(deps, course);
  if (origin !== null) throw isElsewhere(origin);
  const kept = (await deps.courses.keptElsewhere(course)).find((one) => isDeepStrictEqual(one.made, made));
  if (kept !== undefined) return kept.spaceId;
  const people = await peopleOfSpace(deps, course, comer, options);
  const space = { name: spaceName(course), ...made };
  const client = deps.classroomOf(course.environment);
  const { spaceId, elsewhere, listed } = await client
    .createSpace({ ...space, ...people }, options)
    .catch((thrown: unknown) => {
      // A user may be gone from the classroom; that must not keep everybody out of the course.
      const isRefused = thrown instanceof NamedError && thrown.code === "classroom-refused";
      if (!isRefused || isDeepStrictEqual(people, only(comer))) throw thrown;
      return client.createSpace({ ...space, ...only(comer) }, options);
    });
  await deps.spaceUsers.noteMade(course, spaceId, listed, deps.clock.now());
  if (elsewhere === null) return spaceId;
  await deps.courses.keepUnused(course, spaceId, deps.clock.now(), { origin: elsewhere, made });
  throw isElsewhere(elsewhere);
}

function only(comer: Comer | null): PeopleOfSpace {
  if (comer === null) return { ownerUserId: null };
  const { userId, role } = comer;
  return role === "instructor"
    ? { ownerUserId: userId, hostUserIds: [userId] }
    : { ownerUserId: null, participantUserIds: [userId] };
}

function isElsewhere(origin: string): NamedError {
  return refusal("space-elsewhere", { status: 502, details: { origin } });
}

function spaceName(course: Course): string {
  const parts = [course.label, course.title].filter(
    (part, index, all) => part !== "" && all.indexOf(part) === index,
  );
  return parts.join(" - ") || "Online classroom";
}
