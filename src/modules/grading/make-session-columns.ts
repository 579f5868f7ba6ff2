import type { App } from "../../app.ts";
import {
  type Column,
  isOurLabel,
  resourceIdOfColumn,
  sessionColumn,
  type WrittenColumn,
} from "./rules/column.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { Grading } from "../../domain/grade-policy.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LineItem, LineItems, LineItemsTarget } from "../../lms/line-items.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";
import type { EventStore } from "../scheduling/store/event-store.ts";
import { makeOnce } from "../../kernel/make-once.ts";
import { columnOfSession, type WantedColumn } from "./column-of-session.ts";
import { markedLineItem } from "./marked-line-item.ts";

export type MakeSessionColumnsDeps = Pick<App, "columns" | "clock" | "ids"> & {
  deliveries: Pick<DeliveryStore, "isWanted">;
  events: Pick<EventStore, "findMany" | "listOfCourse">;
  lineItems: LineItems;
};

type Session = { eventId: string; event: ClassroomEvent | null };

/**
 * Makes a session's line item after those of all earlier sessions, under one claim: gradebooks show columns in order of
 * creation. Existing ones (a link's, a renamed one of ours) are used. @returns its address
 */
export async function makeSessionColumns(
  deps: MakeSessionColumnsDeps,
  target: LineItemsTarget,
  course: Course,
  policy: Grading,
  wanted: { eventId: string; read: () => Promise<string | null> },
): Promise<string> {
  const existing = await wanted.read();
  if (existing !== null) return existing;
  const place = { registrationId: course.registrationId, courseId: course.id };
  const making = await deps.columns.openMaking(place, deps.ids.id("col"));
  let holds = () => Promise.resolve(false);
  return makeOnce(deps, {
    read: wanted.read,
    claim: (holder, now, until) => {
      holds = () => deps.columns.isHeld(making, holder, deps.clock.now());
      return deps.columns.claim(making, holder, now, until);
    },
    extend: (holder, until) => deps.columns.extend(making, holder, until),
    make: async () => {
      // Made while this waited for the claim.
      const made = await wanted.read();
      return made ?? makeUpTo(deps, { target, course, policy, holds }, wanted.eventId);
    },
    keep: async (holder) => {
      await deps.columns.release(making, holder);
      return true;
    },
    release: (holder) => deps.columns.release(making, holder),
  });
}

type ClaimedGradebook = {
  target: LineItemsTarget;
  course: Course;
  policy: Grading;
  holds: () => Promise<boolean>;
};

async function makeUpTo(
  deps: MakeSessionColumnsDeps,
  gradebook: ClaimedGradebook,
  eventId: string,
): Promise<string> {
  const { target, course } = gradebook;
  const place = { registrationId: course.registrationId, courseId: course.id };
  const columns = await deps.columns.listOfCourse(place.registrationId, place.courseId);
  const sessions = await sessionsUpTo(deps, course, columns, eventId);
  // After a crash, a lost reply or a saved link they exist.
  const items = await deps.lineItems.list(target);
  let last = "";
  for (const session of sessions) {
    const key = sessionColumn(session.eventId);
    const there = markedLineItem(items, resourceIdOfColumn(key), takenBy(columns, key));
    const wanted = columnOfSession(course, session.event);
    const [column] = columns.filter((one) => one.key === key);
    const item = there ?? (await created(deps, gradebook, session, wanted));
    const written = writtenOf(item, wanted, there === null ? null : column);
    last = await deps.columns.keepMade({ ...place, key }, deps.ids.id("col"), item.id, written);
  }
  return last;
}

/** Those that want a column and have none, by start, the given one last. */
async function sessionsUpTo(
  deps: MakeSessionColumnsDeps,
  course: Course,
  columns: readonly Column[],
  eventId: string,
): Promise<Session[]> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  // Instructors are asked about removed ones.
  const done = columns.filter(({ lineItemUrl, missing = null }) => lineItemUrl !== null || missing !== null);
  const known = new Set(done.map(({ key }) => key));
  const [event = null] = await deps.events.findMany(course.environment, [eventId]);
  const given: Session = { eventId, event };
  const sessions: Session[] = [given];
  for (const other of await deps.events.listOfCourse(course.id, maxSessions)) {
    const session = { eventId: other.eventId, event: other };
    const columnKey = sessionColumn(other.eventId);
    if (known.has(columnKey) || byBeginning(session, given) >= 0) continue;
    if (await deps.deliveries.isWanted({ ...place, columnKey })) sessions.push(session);
  }
  return sessions.sort(byBeginning);
}

/** The latest ones are read. */
const maxSessions = 2_000;

/** Those without a start come last. */
function byBeginning(one: Session, other: Session): number {
  const [first, second] = [one.event?.startsAt ?? Infinity, other.event?.startsAt ?? Infinity];
  if (first !== second) return first < second ? -1 : 1;
  return one.eventId < other.eventId ? -1 : 1;
}

async function created(
  deps: MakeSessionColumnsDeps,
  { target, course, policy, holds }: ClaimedGradebook,
  { eventId }: Session,
  { label, dates }: WantedColumn,
): Promise<LineItem> {
  // The claim ran out: another process makes them.
  if (!(await holds())) {
    throw refusal("columns-being-made", { temporary: true });
  }
  requireLaunchedLink(course);
  const key = sessionColumn(eventId);
  const { registrationId, id: courseId } = course;
  await deps.columns.noteMaking({ registrationId, courseId, key }, deps.ids.id("col"), label);
  return deps.lineItems.create(target, {
    label,
    scoreMaximum: policy.points,
    resourceId: resourceIdOfColumn(key),
    tag: "attendance-session",
    dates,
  });
}

/**
 * While a teacher chooses in a dialog, a link with a column of its own may be on the way: one of ours would be a second.
 * @throws NamedError "no-launched-link"
 */
export function requireLaunchedLink({
  gradesLink = null,
  lineItemsUrl,
}: Pick<Course, "gradesLink" | "lineItemsUrl">): void {
  if (gradesLink === null || gradesLink.lineItemsUrl !== lineItemsUrl) throw refusal("no-launched-link");
}

/** A found one may be ours, made with a lost answer. */
function writtenOf(
  item: LineItem,
  { label, dates }: WantedColumn,
  found: Column | null | undefined,
): WrittenColumn {
  const wanted = { label, shown: item.label, writing: null, ...dates };
  const ours = found === null || item.label === label;
  if (ours) return wanted;
  const written = found?.told ?? null;
  const wasOurs = written !== null && isOurLabel(written, item.label);
  // Else a teacher named it. Its dates are unknown in either case.
  const unknown = { startsAt: null, endsAt: null };
  return { label: null, shown: wasOurs ? item.label : null, writing: null, ...unknown };
}

function takenBy(columns: readonly Column[], key: string): Set<string | null> {
  return new Set(columns.filter((column) => column.key !== key).map(({ lineItemUrl }) => lineItemUrl));
}
