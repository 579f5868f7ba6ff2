import type { Course } from "../../../domain/course.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

/** Why new grades of a course wait for an instructor; `day`: the last on which they went by themselves. */
export type GradesHold = { why: "ended"; day: string } | { why: "hand" };

/**
 * Null where they go by themselves. A last day before the course began here is of an earlier term: a default that its
 * institution left, or a course that the LMS uses again.
 */
export function holdOf(
  { gradesUntil: day, gradesRelease, timeZone, createdAt, countsFrom }: HeldCourse,
  now: number,
): GradesHold | null {
  const dateOf = (at: number) => wallTimeOf(at, timeZone ?? "UTC").date;
  const began = Math.max(createdAt, countsFrom ?? 0);
  if (day !== "" && dateOf(began) <= day && dateOf(now) > day) return { why: "ended", day };
  return gradesRelease === "hand" ? { why: "hand" } : null;
}

type HeldCourse = Pick<Course, "gradesUntil" | "gradesRelease" | "timeZone" | "createdAt" | "countsFrom">;
