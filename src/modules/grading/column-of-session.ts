import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { WrittenColumn } from "./rules/column.ts";
import { sessionColumnLabel } from "./rules/column-label.ts";
import type { Course } from "../../domain/course.ts";

/** Times in milliseconds since the epoch. */
export type WantedColumn = { label: string; dates: Pick<WrittenColumn, "startsAt" | "endsAt"> };

export function columnOfSession(
  course: Pick<Course, "timeZone">,
  event: Pick<ClassroomEvent, "title" | "startsAt" | "endsAt"> | null,
): WantedColumn {
  const { title = null, startsAt = null, endsAt = null } = event ?? {};
  return { label: sessionColumnLabel({ title, startsAt }, course.timeZone), dates: { startsAt, endsAt } };
}

export function isUpToDate(
  { label, writing, startsAt, endsAt }: WrittenColumn,
  { label: wanted, dates }: WantedColumn,
): boolean {
  return writing === null && label === wanted && startsAt === dates.startsAt && endsAt === dates.endsAt;
}
