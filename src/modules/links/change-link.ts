import type { App } from "../../app.ts";
import type { CourseLink, LinkChoice } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { CourseLinkStore } from "./store/course-link-store.ts";
import { settleSpace, type SettleSpaceDeps } from "../scheduling/keep-event.ts";
import { usableSpace, type UsableSpaceDeps } from "../spaces/usable-space.ts";

export type ChangeLinkDeps = UsableSpaceDeps & SettleSpaceDeps & Pick<App, "courseLinks">;

export type WantedSpace = { kind: "course-space" } | { kind: "space"; typed: string };

/**
 * To another Space, or back to its course's; future sessions in both Spaces go to the course they belong to now.
 * @throws NamedError "link-unknown", and those of `usableSpace`.
 */
export async function changeLink(
  deps: ChangeLinkDeps,
  course: Course,
  personId: string,
  courseLinkId: string | null,
  wanted: WantedSpace,
): Promise<void> {
  const link = courseLinkId === null ? null : await deps.courseLinks.find(courseLinkId);
  if (link?.courseId !== course.id) throw unknownLink();
  const choice = await choiceOf(deps, course, personId, wanted);
  await deps.courseLinks.choose(link.id, choice);
  for (const spaceId of new Set([...spaceOf(choice), ...spaceOf(link.choice)]))
    await settleSpace(deps, course.environment, spaceId);
}

function spaceOf(choice: LinkChoice): string[] {
  return choice.kind === "space" ? [choice.spaceId] : [];
}

/** A wanted Space as a choice; naming the course's own Space is not stored as another one. */
export async function choiceOf(
  deps: UsableSpaceDeps,
  course: Course,
  personId: string,
  wanted: WantedSpace,
): Promise<Exclude<LinkChoice, { kind: "session" }>> {
  if (wanted.kind === "course-space") return wanted;
  const spaceId = await usableSpace(deps, course, personId, wanted.typed);
  return spaceId === course.spaceId ? { kind: "course-space" } : { kind: "space", spaceId };
}

/** The link that a person came through; null when it is not of this course. */
export async function linkOfCourse(
  deps: { courseLinks: CourseLinkStore },
  course: Course,
  courseLinkId: string | null,
): Promise<CourseLink | null> {
  const link = courseLinkId === null ? null : await deps.courseLinks.find(courseLinkId);
  return link?.courseId === course.id ? link : null;
}

function unknownLink(): NamedError {
  return refusal("link-unknown", {
    status: 404,
  });
}
