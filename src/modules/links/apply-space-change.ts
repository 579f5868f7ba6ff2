import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { spaceUrl } from "../../domain/join-settings.ts";
import type { SpaceChange } from "../spaces/rules/space-change.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import { settleSpace, type SettleSpaceDeps } from "../scheduling/keep-event.ts";
import { type CourseAuditDeps, courseAuditPrefix, writeCourseAudit } from "../audit/write-course-audit.ts";

export type ApplySpaceChangeDeps = CourseAuditDeps &
  SettleSpaceDeps &
  Pick<App, "courses"> & {
    appUrlOf: (environment: Course["environment"]) => string;
  };

export type ApplyLeftSpaceChangeDeps = ApplySpaceChangeDeps & Pick<App, "courses">;

export function spaceChange(
  { clock, ids }: { clock: Clock; ids: Ids },
  personId: string,
  before: string | null,
  after: string,
): SpaceChange {
  const at = clock.now();
  return { id: ids.id(courseAuditPrefix(at)), personId, at, before, after };
}

/** Into the course's trail; sessions in both Spaces go to the course they belong to now. Repeatable. */
export async function applySpaceChange(
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
