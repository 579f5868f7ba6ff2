import type { EventsApp } from "../scheduling/session-owners.ts";
import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { NewSpace } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { spaceUrl } from "../../domain/join-settings.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import { makeOnce } from "../../kernel/make-once.ts";
import { type CourseAuditDeps, courseAuditPrefix, writeCourseAudit } from "../audit/write-course-audit.ts";
import { coursesOpening } from "../courses/change-settings.ts";
import { settleSpace } from "../scheduling/keep-event.ts";
import { createSpaceFor, type EnsureSpaceDeps } from "../spaces/ensure-space.ts";
import type { SpaceChange } from "../spaces/rules/space-right.ts";
import { lookAtSpace, usableSpace, type UsableSpaceDeps } from "../spaces/usable-space.ts";

type LinkSpaceDeps = NameSpaceDeps &
  ApplySpaceChangeDeps &
  Omit<EnsureSpaceDeps, "courses"> &
  Pick<App, "courses" | "events" | "clock" | "ids">;

type NameSpaceDeps = UsableSpaceDeps & Pick<App, "courseLinks" | "courses">;

type NamedSpace = {
  spaceId: string;
  isOwn: boolean;
  /** Courses here that own it or, when it has no owner, link to it. Courses elsewhere are not named. */
  sharedWith: readonly Course[];
};

/**
 * A Space wanted for the whole course must be of the course's environment, and the course must be allowed to have it.
 * The classroom cannot be asked whether it exists. @throws those of `lookAtSpace`
 */
export async function nameSpace(
  deps: NameSpaceDeps,
  course: Course,
  personId: string,
  typed: string,
): Promise<NamedSpace> {
  const { spaceId } = await lookAtSpace(deps, course, personId, typed);
  const holders = await deps.courses.findBySpace(course.environment, spaceId);
  const owners = holders.filter(({ spaceId: now }) => now === spaceId);
  const users = holders.length > 0 ? [] : await coursesOpening(deps, course.environment, spaceId);
  const sharedWith = [...owners, ...users].filter(
    ({ id, registrationId, deploymentId }) =>
      id !== course.id && registrationId === course.registrationId && deploymentId === course.deploymentId,
  );
  return { spaceId, isOwn: spaceId === course.spaceId, sharedWith };
}

/** Future sessions that are counted at most. */
export const maxCounted = 200;

export async function sessionsTiedTo(
  deps: Pick<LinkSpaceDeps, "events" | "clock">,
  course: Pick<Course, "id" | "spaceId">,
): Promise<number> {
  if (course.spaceId === null) return 0;
  const coming = await deps.events.listSince(course.id, deps.clock.now(), maxCounted);
  return coming.filter(({ spaceId, cancelled }) => spaceId === course.spaceId && !cancelled).length;
}

type SpaceDecision = {
  personId: string;
  seen: string | null;
};

/**
 * The earlier Space stays in the classroom; sessions held there stay the course's.
 * @param decision.mayShare The instructor knows of other courses with this Space and wants it.
 * @returns "late": the course has got another Space since; "shared": sharing must be confirmed first.
 * @throws those of `usableSpace`
 */
export async function linkSpace(
  deps: LinkSpaceDeps,
  course: Course,
  { personId, seen, typed, mayShare }: SpaceDecision & { typed: string; mayShare: boolean },
): Promise<"linked" | "late" | "shared"> {
  const named = await nameSpace(deps, course, personId, typed);
  // Pressed twice, or again after a lost answer.
  if (named.isOwn) {
    await settleSpace(deps, course.environment, named.spaceId);
    return "linked";
  }
  if (named.sharedWith.length > 0 && !mayShare) return "shared";
  await usableSpace(deps, course, personId, named.spaceId);
  const change = spaceChange(deps, personId, seen, named.spaceId);
  if (!(await deps.courses.replaceSpace(course, seen, named.spaceId, change))) return "late";
  await applySpaceChange(deps, course, change);
  return "linked";
}

/**
 * Once, however often it is pressed. The earlier Space stays in the classroom, its sessions the course's. @returns the
 * course's Space afterwards, and whether this call made it. @throws the classroom client's errors; the next press tries
 * again.
 */
export async function renewSpace(
  deps: LinkSpaceDeps,
  course: Course,
  { personId, seen, made }: SpaceDecision & { seen: string; made: NewSpace },
  options: CallOptions = { priority: "instructor" },
): Promise<{ spaceId: string; byUs: boolean }> {
  const { courses } = deps;
  const ours = new Map<string, SpaceChange>();
  const spaceId = await makeOnce(deps, {
    read: async () => {
      const now = (await courses.find(course.id))?.spaceId ?? null;
      return now === seen ? null : now;
    },
    claim: (holder, now, until) => courses.claimNewSpace(course.id, seen, { holder, now, until }),
    extend: (holder, until) => courses.extendSpace(course.id, holder, until),
    make: () => createSpaceFor(deps, course, { made, comer: null }, options),
    keep: async (holder, fresh) => {
      const change = spaceChange(deps, personId, seen, fresh);
      const kept = await courses.keepNewSpace(course, { holder, change, made });
      if (kept) ours.set(fresh, change);
      return kept;
    },
    release: (holder) => courses.releaseSpace(course.id, holder),
  });
  const change = ours.get(spaceId);
  if (change !== undefined) await applySpaceChange(deps, course, change);
  return { spaceId, byUs: change !== undefined };
}

type ApplySpaceChangeDeps = CourseAuditDeps &
  EventsApp &
  Pick<App, "onMatchable"> &
  Pick<App, "courses"> & {
    appUrlOf: (environment: Course["environment"]) => string;
  };

type ApplyLeftSpaceChangeDeps = ApplySpaceChangeDeps & Pick<App, "courses">;

function spaceChange(
  { clock, ids }: { clock: Clock; ids: Ids },
  personId: string,
  before: string | null,
  after: string,
): SpaceChange {
  const at = clock.now();
  return { id: ids.id(courseAuditPrefix(at)), personId, at, before, after };
}

/** Into the course's trail; sessions in both Spaces go to the course they belong to now. Repeatable. */
async function applySpaceChange(
  deps: ApplySpaceChangeDeps,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  { id, personId, at, before, after }: SpaceChange,
): Promise<void> {
  const address = (spaceId: string) => spaceUrl(deps.appUrlOf(course.environment), spaceId);
  const facts = {
    what: "space-changed",
    before: before === null ? null : address(before),
    after: address(after),
  } as const;
  await writeCourseAudit(deps, course, personId, facts, { id, at });
  if (before !== null) await settleSpace(deps, course.environment, before);
  await settleSpace(deps, course.environment, after);
  await deps.courses.spaceChangeApplied(course.id, id);
}

/** By another process (ms). */
const retryAfterMs = 60_000;

/** Finishes changes whose process ended too early. @returns false when there are none. */
export async function applyLeftSpaceChange(deps: ApplyLeftSpaceChangeDeps): Promise<boolean> {
  const now = deps.clock.now();
  const left = await deps.courses.claimSpaceChanges(now, now + retryAfterMs);
  if (left === null) return false;
  // A process may end between the last change and noting that it was the last.
  if (left.changes.length === 0) {
    await deps.courses.noSpaceChanges(left.courseId);
    return true;
  }
  const course = await deps.courses.find(left.courseId);
  if (course === null) return true;
  for (const change of left.changes) await applySpaceChange(deps, course, change);
  return true;
}
