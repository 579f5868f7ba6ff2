import type { App } from "../../app.ts";
import { pausedUntil } from "../registration/rules/lms-pause.ts";
import { aboutToWrite, eventOfColumn, isOurLabel } from "./rules/column.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { LineItems } from "../../lms/line-items.ts";
import type { ColumnToUpdate } from "./store/column-store.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/require-active-registration.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { columnOfSession, isUpToDate } from "./column-of-session.ts";
import { isOwnColumn, type OwnColumn } from "./enqueue-column-updates.ts";

export type UpdateColumnDeps = RequireActiveRegistrationDeps &
  Pick<App, "columns" | "courses" | "events" | "clock" | "ids" | "logger"> & {
    lineItems: Pick<LineItems, "update">;
  };

const minute = 60_000;
const maxPauseMs = 24 * 60 * minute;
/** Then it waits for the session's next change. */
const maxAttempts = 12;

/**
 * Under a claim. A teacher's name stays. The new name is stored before it is sent, so a crash before the answer does
 * not matter. @returns false when nothing is due.
 */
export async function updateColumn(deps: UpdateColumnDeps): Promise<boolean> {
  const { columns, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const claimed = await columns.claimUpdate(holder, now, now + leaseMs);
  if (claimed === null) return false;
  const { column } = claimed;
  await withClaim(
    deps,
    { until: now + leaseMs, extend: (until) => columns.extend(column.id, holder, until) },
    async () => columns.settleUpdate(claimed, holder, await nextAfter(deps, claimed, holder)),
  );
  return true;
}

/** Null when told, or impossible. */
async function nextAfter(
  deps: UpdateColumnDeps,
  { column, failures: before }: ColumnToUpdate,
  holder: string,
): Promise<{ at: number; failures: number } | null> {
  try {
    if (isOwnColumn(column)) await sendUpdate(deps, column, holder);
    return null;
  } catch (thrown) {
    const until = pausedUntil(thrown);
    if (until !== null) return { at: until, failures: before };
    const failures = before + 1;
    const { courseId } = column;
    deps.logger.warn(
      { course: courseId, column: column.id, failures, error: messageOf(thrown) },
      "the column of a changed session could not be brought up to date",
    );
    // A missing column is made with its present name for the next score.
    const gone = thrown instanceof NamedError && thrown.code === "lms-not-found";
    if (gone || failures >= maxAttempts) return null;
    return { at: deps.clock.now() + Math.min(minute * 2 ** failures, maxPauseMs), failures };
  }
}

async function sendUpdate(deps: UpdateColumnDeps, column: OwnColumn, holder: string): Promise<void> {
  const { id, told: written, lineItemUrl } = column;
  const course = await deps.courses.find(column.courseId);
  if (course === null || course.policy.kind === "no-grades") return;
  const event = await deps.events.find(course.environment, eventOfColumn(column.key) ?? "");
  if (event === null) return;
  const { label, dates } = columnOfSession(course, event);
  if (isUpToDate(written, { label, dates })) return;
  const registration = await requireActiveRegistration(deps, course);
  const target = { registration, scopes: course.gradeScopes };
  const moved = written.startsAt !== dates.startsAt || written.endsAt !== dates.endsAt;
  const seen = { ours: false, held: false };
  const item = await deps.lineItems.update(target, lineItemUrl, async (present) => {
    seen.ours = present.label === label || isOurLabel(written, present.label);
    seen.held = await deps.columns.saveWritten(
      id,
      holder,
      seen.ours ? aboutToWrite(written, label) : written,
    );
    if (!seen.held) return null; // another process does it
    // Dates changed by a teacher stay until the session moves.
    return { ...(seen.ours ? { label } : {}), ...(moved ? { dates } : {}) };
  });
  if (!seen.held) return;
  const shown = seen.ours ? item.label : written.shown;
  await deps.columns.saveWritten(id, holder, { label, shown, writing: null, ...dates });
}
