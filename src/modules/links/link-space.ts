import { type ChosenSpace, choiceOf, leadLink, linkOfCourse, type LinksApp, spaceChange } from "./links.ts";
import type { NewSpace } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { spaceUrl } from "../../domain/join-settings.ts";
import { refusal } from "../../kernel/refusal.ts";
import { makeOnce } from "../../kernel/with-claim.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { coursesOpening } from "../courses/change-settings.ts";
import { settleSpace } from "../scheduling/keep-event.ts";
import { type SpaceMakingApp, createSpaceFor } from "../spaces/ensure-space.ts";
import type { SpaceChange } from "../spaces/rules/space-right.ts";
import { checkSpace, usableSpace } from "../spaces/space-rights.ts";

/**
 * Checks a Space for the whole course. It must belong to the course's account, and the course must be allowed to have it. The classroom can't
 * be asked whether it exists.
 * @returns `sharedWith`: courses here that own it or, if it has no owner, link to it. Courses elsewhere aren't named. @throws the errors of
 * `checkSpace`
 */
export async function nameSpace(app: LinksApp, course: Course, personId: string, typed: string) {
  const { spaceId } = await checkSpace(app, course, personId, typed);
  const holders = await app.courses.findBySpace(course.environment, spaceId);
  const owners = holders.filter(({ spaceId: now }) => now === spaceId);
  const users = holders.length > 0 ? [] : await coursesOpening(app, course.environment, spaceId);
  const sharedWith = [...owners, ...users].filter(
    ({ id, registrationId, deploymentId }) =>
      id !== course.id && registrationId === course.registrationId && deploymentId === course.deploymentId,
  );
  return { spaceId, isOwn: spaceId === course.spaceId, sharedWith };
}

/** How many future sessions are counted at most. */
export const maxCounted = 200;

export async function sessionsTiedTo(
  app: Pick<LinksApp, "events" | "clock">,
  course: Pick<Course, "id" | "spaceId">,
): Promise<number> {
  if (course.spaceId === null) return 0;
  const coming = await app.events.listSince(course.id, app.clock.now(), maxCounted);
  return coming.filter(({ spaceId, cancelled }) => spaceId === course.spaceId && !cancelled).length;
}

type SpaceDecision = { personId: string; seen: string | null };

/**
 * Gives the course another Space. The earlier Space stays in the classroom, and sessions held there stay the course's.
 * @param decision.mayShare The instructor knows that other courses have this Space and wants it anyway.
 * @returns "late": the course has got another Space since. "shared": sharing must be confirmed first.
 * @throws the errors of `usableSpace`
 */
export async function linkSpace(
  app: LinksApp & SpaceMakingApp,
  course: Course,
  { personId, seen, typed, mayShare }: SpaceDecision & { typed: string; mayShare: boolean },
): Promise<"linked" | "late" | "shared"> {
  const named = await nameSpace(app, course, personId, typed);
  // Pressed twice, or again after a lost answer.
  if (named.isOwn) return "linked";
  if (named.sharedWith.length > 0 && !mayShare) return "shared";
  await usableSpace(app, course, personId, named.spaceId);
  const change = spaceChange(app, personId, seen, named.spaceId);
  if (!(await app.courses.replaceSpace(course, seen, named.spaceId, change))) return "late";
  await applySpaceChange(app, course, change);
  return "linked";
}

/**
 * Makes a new Space for the course, once however often the button is pressed. The earlier Space stays in the classroom, and its sessions stay
 * the course's.
 * @returns the course's Space afterwards, and whether this call made it
 * @throws the classroom client's errors. Pressing again tries again.
 */
export async function renewSpace(
  app: LinksApp & SpaceMakingApp,
  course: Course,
  { personId, seen, made }: SpaceDecision & { seen: string; made: NewSpace },
): Promise<{ spaceId: string; byUs: boolean }> {
  const { courses } = app;
  const ours = new Map<string, SpaceChange>();
  const spaceId = await makeOnce(app, {
    read: async () => {
      const now = (await courses.find(course.id))?.spaceId ?? null;
      return now === seen ? null : now;
    },
    claim: (holder, now, until) => courses.claimNewSpace(course.id, seen, { holder, now, until }),
    extend: (holder, until) => courses.extendSpace(course.id, holder, until),
    make: () => createSpaceFor(app, course, { made, entrant: null }, { priority: "instructor" }),
    keep: async (holder, fresh) => {
      const change = spaceChange(app, personId, seen, fresh);
      const stored = await courses.keepNewSpace(course, { holder, noted: change, made });
      if (stored) ours.set(fresh, change);
      return stored;
    },
    release: (holder) => courses.releaseSpace(course.id, holder),
  });
  const change = ours.get(spaceId);
  if (change !== undefined) await applySpaceChange(app, course, change);
  return { spaceId, byUs: change !== undefined };
}

/**
 * Leads a link to another Space, or back to its course's. Future sessions in both Spaces go to the course they belong to now.
 * @throws NamedError "link-unknown", and the errors of `usableSpace`.
 */
export async function changeLink(
  app: LinksApp,
  course: Course,
  personId: string,
  courseLinkId: string | null,
  chosen: ChosenSpace,
): Promise<void> {
  const link = await linkOfCourse(app, course, courseLinkId);
  if (link === null) throw refusal("link-unknown", { status: 404 });
  const choice = await choiceOf(app, course, personId, chosen);
  await applySpaceChange(app, course, await leadLink(app, course, personId, link, { choice }));
}

/** Writes the change into the course's change log, and gives sessions in both Spaces to the course they belong to now. Repeatable. */
async function applySpaceChange(
  app: LinksApp,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  { id, personId, at, before, after, ofLink = false }: SpaceChange,
): Promise<void> {
  const { environment } = course;
  const address = (spaceId: string | null) =>
    spaceId === null ? null : spaceUrl(app.appUrlOf(environment), spaceId);
  const facts = { what: "space-changed", before: address(before), after: address(after) } as const;
  if (!ofLink) await writeCourseAudit(app, course, personId, facts, { id, at });
  for (const spaceId of new Set([before, after]))
    if (spaceId !== null) await settleSpace(app, environment, spaceId);
  await app.courses.spaceChangeApplied(course.id, id);
}

/** After this time, another process finishes a change (ms). */
const retryAfterMs = 60_000;

/** Finishes changes whose process ended too early. @returns false if there are none. */
export async function applyLeftSpaceChange(app: LinksApp): Promise<boolean> {
  const now = app.clock.now();
  const left = await app.courses.claimSpaceChanges(now, now + retryAfterMs);
  if (left === null) return false;
  const course = await app.courses.find(left.courseId);
  if (course !== null) for (const change of left.changes) await applySpaceChange(app, course, change);
  // A process may end between the last change and noting that it was the last.
  await app.courses.noSpaceChanges(left.courseId);
  return true;
}
