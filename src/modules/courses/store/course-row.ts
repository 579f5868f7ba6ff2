import type { Course } from "../../../domain/course.ts";
import type { NewSpace } from "../../../domain/space-access.ts";
import type { SpaceChange } from "../../spaces/rules/space-change.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** A course as stored: what was chosen in it, without its institution's locks. */
export type CourseRow = Omit<Course, "id" | "locked" | "staff"> &
  LeaseFields & {
    _id: string;
    lastLaunchAt: number | null;
    newSpace: NewSpace;
    /** See course-lists. */
    titleKey?: string | null;
    labelKey?: string | null;
    /** Changes of the Space still to be passed on, and when another process does it (ms). */
    spaceChanges?: SpaceChange[];
    spaceChangeAt?: number | null;
  };
