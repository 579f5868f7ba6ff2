import type { App } from "../../app.ts";
import {
  type Entry,
  entryLookBackMs,
  type EntryState,
  entryStateAt,
  type EntryWindow,
  type EntryWindowEvent,
} from "../../domain/entry.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import { settingsInEffect } from "../../domain/join-settings.ts";
import type { EventStore } from "../scheduling/store/event-store.ts";

export type EntryStateDeps = Pick<App, "clock"> & {
  events: Pick<EventStore, "find" | "listForEntryWindow">;
};

export type EntryStateTarget = {
  course: Course;
  link: CourseLink | null;
  member: Pick<Member, "sectionIds" | "sectionsTold" | "student" | "testUser"> | null;
  entry: Pick<Entry, "role">;
};

export type ClosedEntry = Extract<EntryState, { state: "closed" }>;

/** A link's entry window: its course's, with what differs for the link; times that the institution locked stay. */
export function entryWindowOf(
  course: Pick<Course, "door" | "locked">,
  link: Pick<CourseLink, "door"> | null,
): EntryWindow {
  const entryWindow = { ...course.door, ...link?.door };
  if (course.locked?.includes("doorTimes") !== true) return entryWindow;
  const { opens, minutesBefore, minutesAfter } = course.door;
  return { ...entryWindow, opens, minutesBefore, minutesAfter };
}

/** Whether this person may enter now. Reads nothing where the window is always open, as most are. */
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
    staysOut: isGuest(member) && settingsInEffect(course, link).guests === "out",
    sectionIds,
    events,
    oneSession,
    now: deps.clock.now(),
  });
}

function isGuest(member: EntryStateTarget["member"]): boolean {
  return member !== null && !member.student && !member.testUser;
}

/** The sessions around which a link's window opens: its own one, else those of its course. */
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
  // Of another Space only this course's sessions are known; without any, the window is open.
  return { events: events.filter(({ spaceId }) => spaceId === choice.spaceId), oneSession: false };
}
