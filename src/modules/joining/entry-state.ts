import type { App } from "../../app.ts";
import {
  type EntryWindowEvent,
  entryStateAt,
  entryLookBackMs,
  type EntryState,
  type EntryWindow,
} from "../../domain/entry-window.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Entry } from "../../domain/entry.ts";
import type { EventStore } from "../scheduling/store/event-store.ts";

export type EntryStateDeps = Pick<App, "clock"> & {
  events: Pick<EventStore, "find" | "listForEntryWindow">;
};

/** Whose door: what an entry leads to, as far as doors care. */
export type EntryStateTarget = {
  course: Course;
  link: CourseLink | null;
  member: Pick<Member, "sectionIds" | "sectionsTold"> | null;
  entry: Pick<Entry, "role">;
};

/** A door that somebody may not go through now. */
export type ClosedEntry = Extract<EntryState, { state: "closed" }>;

/** The door of a link: its course's, with what is different for the link; times that the institution locked stay. */
export function entryWindowOf(
  course: Pick<Course, "door" | "locked">,
  link: Pick<CourseLink, "door"> | null,
): EntryWindow {
  const entryWindow = { ...course.door, ...link?.door };
  if (course.locked?.includes("doorTimes") !== true) return entryWindow;
  const { opens, minutesBefore, minutesAfter } = course.door;
  return { ...entryWindow, opens, minutesBefore, minutesAfter };
}

/**
 * The door before somebody at this moment. Reads nothing where the door is open at all times, as most are.
 */
export async function entryStateOf(deps: EntryStateDeps, target: EntryStateTarget): Promise<EntryState> {
  const { course, link, member, entry } = target;
  const entryWindow = entryWindowOf(course, link);
  const { events, oneSession } =
    entry.role === "instructor" || entryWindow.opens === "always"
      ? { events: [], oneSession: false }
      : await entryWindowEvents(deps, course, link);
  const knowsSections = member !== null && (member.sectionsTold || member.sectionIds.length > 0);
  const sectionIds = knowsSections ? member.sectionIds : null;
  return entryStateAt({
    entryWindow,
    role: entry.role,
    sectionIds,
    events,
    oneSession,
    now: deps.clock.now(),
  });
}

/** The sessions around which the door of a link opens: its own one, else those of its course. */
export async function entryWindowEvents(
  deps: EntryStateDeps,
  course: Course,
  link: CourseLink | null,
): Promise<{ events: EntryWindowEvent[]; oneSession: boolean }> {
  if (link?.choice.kind === "session") {
    const event = await deps.events.find(course.environment, link.choice.eventId);
    return { events: event === null ? [] : [event], oneSession: true };
  }
  const since = deps.clock.now() - entryLookBackMs;
  const events = await deps.events.listForEntryWindow(course.id, since);
  const { choice } = link ?? {};
  if (choice?.kind !== "space") return { events, oneSession: false };
  // Of another Space only what is this course's is known, such as nothing of another course's; a door without any is open.
  return { events: events.filter(({ spaceId }) => spaceId === choice.spaceId), oneSession: false };
}
