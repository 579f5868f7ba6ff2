import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { ToldColumn } from "./rules/column.ts";
import { sessionColumnLabel } from "./rules/column-label.ts";
import type { Course } from "../../domain/course.ts";

/** What the column of a session is to say of it; times in milliseconds since the epoch. */
export type WantedColumn = { label: string; dates: Pick<ToldColumn, "startsAt" | "endsAt"> };

/** The name and the dates of a session's column as the session is now. */
export function columnOfSession(
  course: Pick<Course, "timeZone">,
  event: Pick<ClassroomEvent, "title" | "startsAt" | "endsAt"> | null,
): WantedColumn {
  const { title = null, startsAt = null, endsAt = null } = event ?? {};
  return { label: sessionColumnLabel({ title, startsAt }, course.timeZone), dates: { startsAt, endsAt } };
}

/** Whether the LMS was told all of it. */
export function isTold(
  { label, writing, startsAt, endsAt }: ToldColumn,
  { label: wanted, dates }: WantedColumn,
): boolean {
  return writing === null && label === wanted && startsAt === dates.startsAt && endsAt === dates.endsAt;
}
