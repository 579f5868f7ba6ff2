import type { Course } from "../../../domain/course.ts";
import type { NewSpace } from "../../../domain/space-access.ts";
import type { SpaceChange } from "../../spaces/rules/space-change.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** A course as it is stored: what was chosen in it, without what its institution has locked. */
export type CourseRow = Omit<Course, "id" | "locked" | "staff"> &
  LeaseFields & {
    _id: string;
    lastLaunchAt: number | null;
    newSpace: NewSpace;
    /** See course-lists. */
    titleKey?: string | null;
    labelKey?: string | null;
    /** Changes of the Space that were not told everywhere yet, and when somebody else is to tell them (ms). */
    spaceChanges?: SpaceChange[];
    spaceChangeAt?: number | null;
  };
