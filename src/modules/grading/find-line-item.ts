import type { LineItem, LineItemsTarget } from "../../lms/line-items.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Grading } from "../../domain/grade-policy.ts";
import type { Registration } from "../../domain/registration.ts";
import { makeOnce } from "../../kernel/with-claim.ts";
import { refusal } from "../../kernel/refusal.ts";
import { maxSessions } from "../scheduling/list-sessions.ts";
import {
  type Column,
  eventOfColumn,
  isOurLabel,
  resourceIdOfColumn,
  sessionColumn,
  type WrittenColumn,
} from "./rules/column.ts";
import { columnOfSession, type DesiredColumn } from "./update-columns.ts";
import { compareText } from "../../kernel/lists.ts";

type FindingApp = Pick<App, "clock" | "columns" | "courseLinks" | "deliveries" | "events" | "ids"> &
  Pick<App, "lineItems" | "translatorOf">;

/**
 * The link's own line item; otherwise one of ours found in the course; otherwise a new one, made once for all scores that ask. A session's
 * column is only made by a policy with a column for each session. @throws NamedError "no-grade-service" without the right to have one;
 * "no-session-column".
 */
export async function findLineItem(
  app: FindingApp,
  registration: Registration,
  course: Course,
  policy: Grading,
  column: Column,
): Promise<string> {
  const key = { ...keyOfCourse(course), key: column.key };
  const read = async () => (await app.columns.find(key))?.lineItemUrl ?? null;
  const eventId = eventOfColumn(column.key);
  if (eventId !== null && policy.kind === "column-per-session") {
    return makeSessionColumns(app, gradebookOf(registration, course), course, policy, { eventId, read });
  }
  return makeOnce(app, {
    read,
    claim: (holder, now, until) => app.columns.claim(column.id, holder, now, until),
    extend: (holder, until) => app.columns.extend(column.id, holder, until),
    make: () => foundOrCreated(app, gradebookOf(registration, course), course, policy, column),
    keep: (holder, url) => app.columns.keep(column.id, holder, url),
    release: (holder) => app.columns.release(column.id, holder),
  });
}

function gradebookOf(registration: Registration, course: Course): LineItemsTarget {
  const { lineItemsUrl, gradeScopes: scopes } = course;
  if (lineItemsUrl === null) throw refusal("no-grade-service");
  return { registration, lineItemsUrl, scopes };
}

async function foundOrCreated(
  app: FindingApp,
  target: LineItemsTarget,
  course: Course,
  policy: Grading,
  column: Column,
): Promise<string> {
  const resourceId = resourceIdOfColumn(column.key);
  // If a link now opens something else, its line item still has its old mark.
  const taken = takenBy(await app.columns.listOfCourse(course.registrationId, course.id), column.key);
  // It already exists after a crash, a lost reply or a course copy.
  const existing = markedLineItem(await app.lineItems.list(target, { resourceId }), resourceId, taken);
  if (existing !== null) {
    await app.columns.noteLabel(column.id, existing.label);
    return existing.id;
  }
  if (eventOfColumn(column.key) !== null) {
    // Such a column only comes with a link, which isn't saved in the LMS yet or was deleted there.
    throw refusal("no-session-column");
  }
  requireLaunchedLink(course);
  const created = await app.lineItems.create(target, {
    label: app.translatorOf(course.language)("choose.attendance"),
    scoreMaximum: policy.points,
    resourceId,
    tag: "attendance",
    ...(await linkToTie(app, course)),
  });
  await app.columns.noteLabel(column.id, created.label);
  return created.id;
}

/** The link whose launch named the gradebook, if it opens the course's own Space. */
async function linkToTie(
  { courseLinks }: FindingApp,
  { registrationId, id: courseId, lineItemsUrl, gradesLink = null }: Course,
): Promise<{ resourceLinkId?: string }> {
  if (gradesLink === null || gradesLink.lineItemsUrl !== lineItemsUrl) return {};
  const { linkId } = gradesLink;
  const link = await courseLinks.findByLinkId({ registrationId, courseId, linkId });
  return link?.choice.kind === "course-space" ? { resourceLinkId: linkId } : {};
}

type Session = { eventId: string; event: ClassroomEvent | null };

/**
 * Makes a session's line item after those of all earlier sessions, under one claim, because gradebooks show columns in order of creation.
 * Uses existing ones (a link's, or a renamed one of ours). @returns its address
 */
async function makeSessionColumns(
  app: FindingApp,
  target: LineItemsTarget,
  course: Course,
  policy: Grading,
  session: { eventId: string; read: () => Promise<string | null> },
): Promise<string> {
  const existing = await session.read();
  if (existing !== null) return existing;
  const courseKey = keyOfCourse(course);
  const making = await app.columns.openMaking(courseKey, app.ids.id("col"));
  let holds = () => Promise.resolve(false);
  return makeOnce(app, {
    read: session.read,
    claim: (holder, now, until) => {
      holds = () => app.columns.holdsClaim(making, holder, app.clock.now());
      return app.columns.claim(making, holder, now, until);
    },
    extend: (holder, until) => app.columns.extend(making, holder, until),
    make: async () => {
      // Another process made it while this one waited for the claim.
      const made = await session.read();
      return made ?? makeUpTo(app, { target, course, policy, holds }, session.eventId);
    },
    keep: async (holder) => {
      await app.columns.release(making, holder);
      return true;
    },
    release: (holder) => app.columns.release(making, holder),
  });
}

type ClaimedGradebook = {
  target: LineItemsTarget;
  course: Course;
  policy: Grading;
  holds: () => Promise<boolean>;
};

async function makeUpTo(app: FindingApp, gradebook: ClaimedGradebook, eventId: string): Promise<string> {
  const { target, course } = gradebook;
  const courseKey = keyOfCourse(course);
  const columns = await app.columns.listOfCourse(courseKey.registrationId, courseKey.courseId);
  const sessions = await sessionsUpTo(app, course, columns, eventId);
  // After a crash, a lost reply or a saved link, they exist already.
  const items = await app.lineItems.list(target);
  let last = "";
  for (const session of sessions) {
    const key = sessionColumn(session.eventId);
    const existing = markedLineItem(items, resourceIdOfColumn(key), takenBy(columns, key));
    const desired = columnOfSession(course, session.event);
    const [column] = columns.filter((one) => one.key === key);
    const item = existing ?? (await created(app, gradebook, session, desired));
    const written = writtenOf(item, desired, existing === null ? null : column);
    last = await app.columns.keepMade({ ...courseKey, key }, app.ids.id("col"), item.id, written);
  }
  return last;
}

/** Sessions that need a column and have none, by start; the given session is last. */
async function sessionsUpTo(app: FindingApp, course: Course, columns: readonly Column[], eventId: string) {
  const courseKey = keyOfCourse(course);
  // Instructors are asked about removed columns, so these count as done.
  const done = columns.filter(({ lineItemUrl, missing = null }) => lineItemUrl !== null || missing !== null);
  const known = new Set(done.map(({ key }) => key));
  const [event = null] = await app.events.findMany(course.environment, [eventId]);
  const given: Session = { eventId, event };
  const sessions: Session[] = [given];
  for (const other of await app.events.listOfCourse(course.id, maxSessions)) {
    const session = { eventId: other.eventId, event: other };
    const columnKey = sessionColumn(other.eventId);
    if (known.has(columnKey) || byBeginning(session, given) >= 0) continue;
    if (await app.deliveries.isWanted({ ...courseKey, columnKey })) sessions.push(session);
  }
  return sessions.sort(byBeginning);
}

/** Sessions without a start come last. */
function byBeginning(one: Session, other: Session): number {
  const [first, second] = [one.event?.startsAt ?? Infinity, other.event?.startsAt ?? Infinity];
  return first - second || compareText(one.eventId, other.eventId);
}

async function created(
  app: FindingApp,
  { target, course, policy, holds }: ClaimedGradebook,
  { eventId }: Session,
  { label, dates }: DesiredColumn,
): Promise<LineItem> {
  // The claim ran out, so another process makes them.
  if (!(await holds())) throw refusal("columns-being-made", { temporary: true });
  requireLaunchedLink(course);
  const key = sessionColumn(eventId);
  const { registrationId, id: courseId } = course;
  await app.columns.noteMaking({ registrationId, courseId, key }, app.ids.id("col"), label);
  return app.lineItems.create(target, {
    label,
    scoreMaximum: policy.points,
    resourceId: resourceIdOfColumn(key),
    tag: "attendance-session",
    dates,
  });
}

/**
 * While a teacher chooses in a dialog, a link that brings its column may be under way, and one of ours would be a second.
 * @throws NamedError "no-launched-link"
 */
function requireLaunchedLink({
  gradesLink = null,
  lineItemsUrl,
}: Pick<Course, "gradesLink" | "lineItemsUrl">): void {
  if (gradesLink === null || gradesLink.lineItemsUrl !== lineItemsUrl) throw refusal("no-launched-link");
}

/** What we wrote to a line item. One that we found may be ours, if its creation was answered too late. */
function writtenOf(
  item: LineItem,
  { label, dates }: DesiredColumn,
  found: Column | null | undefined,
): WrittenColumn {
  const desired = { label, shown: item.label, writing: null, ...dates };
  const ours = found === null || item.label === label;
  if (ours) return desired;
  const written = found?.told ?? null;
  const wasOurs = written !== null && isOurLabel(written, item.label);
  // Any other name is a teacher's. We don't know the item's dates in either case.
  const unknown = { startsAt: null, endsAt: null };
  return { label: null, shown: wasOurs ? item.label : null, writing: null, ...unknown };
}

/** Line items of the course's other columns. */
export function takenBy(columns: readonly Column[], key: string): Set<string | null> {
  return new Set(columns.filter((column) => column.key !== key).map(({ lineItemUrl }) => lineItemUrl));
}

/** The line item with our mark, whatever its name; preferably a link's own. @param taken See `takenBy`. */
function markedLineItem(items: readonly LineItem[], resourceId: string, taken: ReadonlySet<string | null>) {
  const marked = markedLineItems(items, resourceId, taken);
  return marked.find((item) => item.resourceLinkId !== null) ?? marked[0] ?? null;
}

export function markedLineItems(
  items: readonly LineItem[],
  resourceId: string,
  taken: ReadonlySet<string | null>,
): LineItem[] {
  return items.filter((item) => item.resourceId === resourceId && !taken.has(item.id));
}
