import type { App } from "../../app.ts";
import { type Column, eventOfColumn, type ToldColumn } from "./rules/column.ts";
import type { ColumnKey } from "./store/column-store.ts";
import { columnOfSession, isTold } from "./column-of-session.ts";

export type WantColumnsToldDeps = Pick<App, "columns" | "courses" | "events" | "clock">;

/** A column that we made for one session. */
export type OwnColumn = Column & { lineItemUrl: string; told: ToldColumn };

/**
 * Has the LMS told of sessions that were renamed or moved since their columns were made. It compares what is with what was
 * told, so it does not matter how often it is called, nor which change was missed.
 */
export async function wantColumnsTold(
  deps: WantColumnsToldDeps,
  { registrationId, courseId }: Omit<ColumnKey, "key">,
): Promise<void> {
  const columns = (await deps.columns.listOfCourse(registrationId, courseId)).filter(isOwnColumn);
  const course = columns.length === 0 ? null : await deps.courses.find(courseId);
  if (course === null) return;
  const eventIds = columns.flatMap(({ key }) => eventOfColumn(key) ?? []);
  const events = await deps.events.findMany(course.environment, eventIds);
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const behind = columns.filter(({ key, told }) => {
    const event = eventOf.get(eventOfColumn(key) ?? "");
    return event !== undefined && !isTold(told, columnOfSession(course, event));
  });
  const ids = behind.map(({ id }) => id);
  if (ids.length > 0) await deps.columns.wantTold(ids, deps.clock.now());
}

/** Whether we made this column for a session: a link's own column is named where the link is. */
export function isOwnColumn(column: Column): column is OwnColumn {
  const { key, lineItemUrl, linkId, told } = column;
  return eventOfColumn(key) !== null && lineItemUrl !== null && linkId === null && told != null;
}
