import type { Course } from "../../domain/course.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import { timeZoneOf } from "./rules/time-zone.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

/**
 * Takes an instructor's zone, as their launch tells it, for the zone of a course that has none yet. It is the person's
 * own (`$Person.address.timezone`), so it is a first guess: instructors see it and may change it.
 */
export async function saveTimeZone(
  deps: { courses: Pick<CourseStore, "suggestTimeZone"> },
  course: Course,
  launch: Launch,
): Promise<void> {
  if (course.timeZone !== null || launch.rights.role !== "instructor") return;
  const timeZone = timeZoneOf(launch.custom[customParameter.timeZone] ?? "");
  if (timeZone !== null) await deps.courses.suggestTimeZone(course.id, timeZone);
}
