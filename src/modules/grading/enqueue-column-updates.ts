import type { App } from "../../app.ts";
import { type Column, eventOfColumn, type WrittenColumn } from "./rules/column.ts";
import type { ColumnKey } from "./store/column-store.ts";
import { columnOfSession, isUpToDate } from "./column-of-session.ts";

export type EnqueueColumnUpdatesDeps = Pick<App, "columns" | "courses" | "events" | "clock">;

export type OwnColumn = Column & { lineItemUrl: string; told: WrittenColumn };

/** Compares with what the LMS was told, so missed and repeated calls do not matter. */
export async function enqueueColumnUpdates(
  deps: EnqueueColumnUpdatesDeps,
  { registrationId, courseId }: Omit<ColumnKey, "key">,
): Promise<void> {
  const columns = (await deps.columns.listOfCourse(registrationId, courseId)).filter(isOwnColumn);
  const course = columns.length === 0 ? null : await deps.courses.find(courseId);
  if (course === null) return;
  const eventIds = columns.flatMap(({ key }) => eventOfColumn(key) ?? []);
  const events = await deps.events.findMany(course.environment, eventIds);
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const behind = columns.filter(({ key, told: written }) => {
    const event = eventOf.get(eventOfColumn(key) ?? "");
    return event !== undefined && !isUpToDate(written, columnOfSession(course, event));
  });
  const ids = behind.map(({ id }) => id);
  if (ids.length > 0) await deps.columns.requestUpdate(ids, deps.clock.now());
}

/** A link's own column is named by the link. */
export function isOwnColumn(column: Column): column is OwnColumn {
  const { key, lineItemUrl, linkId, told: written } = column;
  return eventOfColumn(key) !== null && lineItemUrl !== null && linkId === null && written != null;
}
