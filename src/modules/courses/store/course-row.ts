import type { Course } from "../../../domain/course.ts";
import type { NewSpace } from "../../../domain/course-link.ts";
import type { SpaceChange } from "../../spaces/rules/space-right.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

export type CourseRow = Omit<Course, "id" | "locked" | "staff"> &
  LeaseFields & {
    _id: string;
    lastLaunchAt: number | null;
    newSpace: NewSpace;
    titleKey?: string | null;
    labelKey?: string | null;
    /** The last week that weekly mails were made of, by its Monday ("2026-11-16"). */
    mailedWeek?: string;
    /** Still to be passed on, and when another process does it (ms). */
    spaceChanges?: SpaceChange[];
    spaceChangeAt?: number | null;
  };

/** How a seen revision is compared; records of earlier versions have none. */
export function atRevision(seen: number) {
  return seen === 0 ? { $in: [0, null] } : seen;
}

/** Scores may be sent, or columns made, that could not be. */
export function grantsMore(
  {
    gradeScopes,
    gradesLink = null,
  }: Pick<Course, "gradeScopes"> & {
    gradesLink?: Course["gradesLink"] | undefined;
  },
  before: CourseRow,
): boolean {
  const newLink = gradesLink !== null && gradesLink.lineItemsUrl !== before.gradesLink?.lineItemsUrl;
  return newLink || gradeScopes.some((scope) => !before.gradeScopes.includes(scope));
}
