import type { Course } from "../../domain/course.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import { timeZoneOf } from "./rules/time-zone.ts";
import type { CourseStore } from "../courses/store/course-store.ts";

/** From an instructor's launch. It is the person's own (`$Person.address.timezone`), so a first guess to change. */
export async function saveTimeZone(
  deps: { courses: Pick<CourseStore, "suggestTimeZone"> },
  course: Course,
  launch: Launch,
): Promise<void> {
  if (course.timeZone !== null || launch.rights.role !== "instructor") return;
  const timeZone = timeZoneOf(launch.custom[customParameter.timeZone] ?? "");
  if (timeZone !== null) await deps.courses.suggestTimeZone(course.id, timeZone);
}
