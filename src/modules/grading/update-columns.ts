import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { byKey } from "../../kernel/lists.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { dayMs, minuteMs } from "../../kernel/clock.ts";
import { requireActiveRegistration } from "../registration/registrations.ts";
import { pausedUntil } from "../registration/rules/registration.ts";
import type { GradingApp } from "./grade-members.ts";
import type { DeliveryApp } from "./check-column.ts";
import {
  aboutToWrite,
  type Column,
  eventOfColumn,
  isOurLabel,
  sessionColumn,
  sessionColumnLabel,
  type WrittenColumn,
} from "./rules/column.ts";
import type { ColumnKey, ColumnToUpdate } from "./store/column-store.ts";

const maxPauseMs = dayMs;
/** After this many attempts, we wait for the session's next change. */
const maxAttempts = 12;

/**
 * Updates a column in the LMS, under a claim. A teacher's name stays. The new name is stored before it is sent, so a crash before the answer
 * does no harm. @returns false if none is due
 */
export async function updateColumn(app: DeliveryApp): Promise<boolean> {
  const { columns, clock } = app;
  const holder = app.ids.id("hold");
  const now = clock.now();
  const claimed = await columns.claimUpdate(holder, now, now + leaseMs);
  if (claimed === null) return false;
  await withClaim(
    app,
    { until: now + leaseMs, extend: (until) => columns.extend(claimed.column.id, holder, until) },
    async () => columns.settleUpdate(claimed, holder, await nextAfter(app, claimed, holder)),
  );
  return true;
}

/** When to try again; null if the LMS has the update, or can't have it. */
async function nextAfter(app: DeliveryApp, { column, failures: before }: ColumnToUpdate, holder: string) {
  try {
    if (isOwnColumn(column)) await sendUpdate(app, column, holder);
    return null;
  } catch (thrown) {
    const until = pausedUntil(thrown);
    if (until !== null) return { at: until, failures: before };
    const failures = before + 1;
    app.logger.warn(
      { course: column.courseId, column: column.id, failures, error: messageOf(thrown) },
      "the column of a changed session could not be brought up to date",
    );
    // A missing column is made with its present name for the next score.
    const isGone = thrown instanceof NamedError && thrown.code === "lms-not-found";
    if (isGone || failures >= maxAttempts) return null;
    return { at: app.clock.now() + Math.min(minuteMs * 2 ** failures, maxPauseMs), failures };
  }
}

async function sendUpdate(app: DeliveryApp, column: OwnColumn, holder: string): Promise<void> {
  const { id, told: written, lineItemUrl } = column;
  const course = await app.courses.find(column.courseId);
  if (course === null || course.policy.kind === "no-grades") return;
  const event = await app.events.find(course.environment, eventOfColumn(column.key) ?? "");
  if (event === null) return;
  const { label, dates } = columnOfSession(course, event);
  if (isUpToDate(written, { label, dates })) return;
  const registration = await requireActiveRegistration(app, course);
  const target = { registration, scopes: course.gradeScopes };
  const moved = written.startsAt !== dates.startsAt || written.endsAt !== dates.endsAt;
  const seen = { ours: false, claimed: false };
  const item = await app.lineItems.update(target, lineItemUrl, async (present) => {
    seen.ours = present.label === label || isOurLabel(written, present.label);
    seen.claimed = await app.columns.saveWritten(
      id,
      holder,
      seen.ours ? aboutToWrite(written, label) : written,
    );
    if (!seen.claimed) return null; // another process does it
    // Dates that a teacher changed stay until the session moves.
    return { ...(seen.ours ? { label } : {}), ...(moved ? { dates } : {}) };
  });
  if (!seen.claimed) return;
  const gradebookLabel = seen.ours ? item.label : written.shown;
  await app.columns.saveWritten(id, holder, { label, shown: gradebookLabel, writing: null, ...dates });
}

type OwnColumn = Column & { lineItemUrl: string; told: WrittenColumn };

/** Compares with what the LMS was sent, so missed and repeated calls do no harm. */
export async function enqueueColumnUpdates(
  app: GradingApp,
  { registrationId, courseId }: Omit<ColumnKey, "key">,
): Promise<void> {
  const columns = (await app.columns.listOfCourse(registrationId, courseId)).filter(isOwnColumn);
  const course = columns.length === 0 ? null : await app.courses.find(courseId);
  if (course === null) return;
  const eventIds = columns.flatMap(({ key }) => eventOfColumn(key) ?? []);
  const events = await app.events.findMany(course.environment, eventIds);
  const eventOf = byKey(events, ({ eventId }) => eventId);
  const behind = columns.filter(({ key, told: written }) => {
    const event = eventOf.get(eventOfColumn(key) ?? "");
    return event !== undefined && !isUpToDate(written, columnOfSession(course, event));
  });
  const ids = behind.map(({ id }) => id);
  if (ids.length > 0) await app.columns.requestUpdate(ids, app.clock.now());
}

/** A link's own column gets its name from the link. */
function isOwnColumn(column: Column): column is OwnColumn {
  const { key, lineItemUrl, linkId, told: written } = column;
  return eventOfColumn(key) !== null && lineItemUrl !== null && linkId === null && written != null;
}

/** Times in milliseconds since the epoch. */
export type DesiredColumn = { label: string; dates: Pick<WrittenColumn, "startsAt" | "endsAt"> };

export function columnOfSession(
  course: Pick<Course, "timeZone">,
  event: Pick<ClassroomEvent, "title" | "startsAt" | "endsAt"> | null,
): DesiredColumn {
  const { title = null, startsAt = null, endsAt = null } = event ?? {};
  return { label: sessionColumnLabel({ title, startsAt }, course.timeZone), dates: { startsAt, endsAt } };
}

function isUpToDate(
  { label, writing, startsAt, endsAt }: WrittenColumn,
  { label: desiredLabel, dates }: DesiredColumn,
): boolean {
  return writing === null && label === desiredLabel && startsAt === dates.startsAt && endsAt === dates.endsAt;
}

/** Whether a session that is gone leaves a column without grades in the gradebook, because only people delete columns. */
export async function leavesColumn(
  { columns }: Pick<App, "columns">,
  { registrationId, id: courseId, policy }: Pick<Course, "registrationId" | "id" | "policy">,
  eventId: string,
): Promise<boolean> {
  if (policy.kind !== "column-per-session") return false;
  const column = await columns.find({ registrationId, courseId, key: sessionColumn(eventId) });
  return column?.lineItemUrl != null && column.missing == null;
}
