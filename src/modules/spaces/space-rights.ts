import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { otherSpaceOf } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import type { SpaceRightState } from "./rules/space-right.ts";

/** Codes of the refusals; pages offer instructors another Space. */
export const closedSpaceRefusals: readonly string[] = ["space-not-approved", "space-not-own"];

/**
 * Whatever settings, links, logins or sessions say. Asked at every entry: the Space may have been closed or forbidden
 * since. @param spaceId Null for one still to be made. @throws NamedError "space-not-approved" or "space-not-own"
 */
export async function refuseForeignSpace(
  app: Pick<App, "courses">,
  course: Pick<Course, "id" | "environment" | "ownSpacesOnly">,
  spaceId: string | null,
): Promise<void> {
  const rightState = spaceId === null ? "usable" : await app.courses.rightState(course, spaceId);
  if (rightState !== "usable") throw refusalOf(rightState);
}

function refusalOf(rightState: Exclude<SpaceRightState, "usable">): NamedError {
  if (rightState === "not-own") {
    return refusal("space-not-own", { status: 403 });
  }
  return refusal("space-not-approved", { status: 403 });
}

/** Whether an origin may be the classroom's. */
export type IsSpaceOrigin = (environment: Course["environment"], origin: string) => boolean;

/** The origin that the service named for the course's Space, kept unused because it is not a configured one; null for none. */
export async function originElsewhere(
  app: { courses: Pick<CourseStore, "keptElsewhere">; isSpaceOrigin: IsSpaceOrigin },
  course: Pick<Course, "id" | "registrationId" | "environment">,
): Promise<string | null> {
  const kept = await app.courses.keptElsewhere(course);
  return kept.find(({ origin }) => !app.isSpaceOrigin(course.environment, origin))?.origin ?? null;
}

/** The Space an instructor chose for a link; null for the course's own. */
export async function spaceOfLink(
  app: Pick<App, "courseLinks">,
  course: Course,
  courseLinkId: string | null,
): Promise<string | null> {
  if (courseLinkId === null) return null;
  const link = await app.courseLinks.find(courseLinkId);
  return link?.courseId === course.id ? otherSpaceOf(link.choice) : null;
}

/** Whether a course or a link uses a Space. */
export type KnownSpaces = (environment: AccountId, spaceId: string) => Promise<boolean>;

/** Asks once for each Space: webhooks processed together are mostly about the same few. */
export function knownSpaces({ courses, courseLinks }: Pick<App, "courses" | "courseLinks">): KnownSpaces {
  const known = new Map<string, Promise<boolean>>();
  const look = async (environment: AccountId, spaceId: string) =>
    (await courses.findBySpace(environment, spaceId)).length > 0 || courseLinks.anyOpening(spaceId);
  return (environment, spaceId) => {
    const key = JSON.stringify([environment, spaceId]);
    const found = known.get(key) ?? look(environment, spaceId);
    known.set(key, found);
    return found;
  };
}
