import type { App } from "../../app.ts";
import type { Column } from "./rules/column.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { LineItems } from "../../lms/line-items.ts";
import type { ScoreTarget } from "../../lms/scores.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/require-active-registration.ts";
import { lookForEmptied, type LookForEmptiedDeps } from "./emptied-column.ts";
import { findAgain, lookBeside, loseColumn, type LoseColumnDeps } from "./lose-column.ts";

export type LookAtColumnDeps = Pick<App, "columns" | "deliveries" | "clock"> & {
  lineItems: Pick<LineItems, "get">;
};

/** changed: a teacher changed the points, and all its scores are due again · gone: the line item is missing. */
export type ColumnLook =
  /** `points`: 0 where the column has none and nothing counts; null: not known. */
  | { kind: "there"; points: number | null; known: "just-read" | "before" }
  | { kind: "changed" }
  | { kind: "gone" };

/** How long a look is good for sending (ms), so that single scores cost no second call. */
export const freshMs = 60_000;
/** Then a column is read whatever is sent (ms). */
const dayMs = 24 * 60 * 60_000;
/** A column of 0 points is likely to get some (ms). */
const hourMs = 60 * 60_000;

/**
 * Reads a column's line item, mostly once a minute: results depend on its points. A change is stored after its scores
 * are due, so that a crash loses nothing.
 * @param policyPoints The points of columns we make.
 * @param wellKnown How old known points may be (ms).
 * @throws NamedError (temporary) when the LMS may answer later.
 */
export async function lookAtColumn(
  deps: LookAtColumnDeps,
  { registration, lineItemUrl, scopes }: ScoreTarget,
  column: Column,
  policyPoints: number,
  wellKnown = freshMs,
): Promise<ColumnLook> {
  const now = deps.clock.now();
  const { looked = null, points: before, registrationId, courseId, key: columnKey } = column;
  if (looked?.lineItemUrl === lineItemUrl && Math.abs(now - looked.at) < wellKnown) {
    return { kind: "there", points: before, known: "before" };
  }
  const item = await readOrNull(deps.lineItems, { registration, scopes }, lineItemUrl);
  if (item === "gone") return { kind: "gone" };
  if (item === null) return { kind: "there", points: null, known: "just-read" };
  const { points, label } = item;
  const changed = points !== null && points !== (before ?? policyPoints);
  if (changed) await deps.deliveries.resendColumn({ registrationId, courseId, columnKey }, now);
  await deps.columns.noteLook(
    column.id,
    { lineItemUrl, at: now },
    { points, label },
    now + untilNextLook(points),
  );
  return changed ? { kind: "changed" } : { kind: "there", points, known: "just-read" };
}

function untilNextLook(points: number | null): number {
  return points === 0 ? hourMs : dayMs;
}

/** Null also for an unreadable reply. */
async function readOrNull(lineItems: Pick<LineItems, "get">, ...where: Parameters<LineItems["get"]>) {
  try {
    const { scoreMaximum, label } = await lineItems.get(...where);
    return { points: scoreMaximum, label };
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    if (thrown.code === "lms-not-found") return "gone";
    if (thrown.temporary) throw thrown;
    return null;
  }
}

export type LookAtOldColumnDeps = LookAtColumnDeps &
  RequireActiveRegistrationDeps &
  LoseColumnDeps &
  LookForEmptiedDeps &
  Pick<App, "columns" | "courses" | "deliveries" | "logger" | "wake"> & {
    lineItems: Pick<LineItems, "get" | "list">;
  };

/**
 * Looks at a column that is due, mostly as no score went there for a day: Canvas takes scores for a deleted column, only
 * the line item shows changed points, and only the results that a course was reset. A missing one is looked for. Scores
 * kept back as the course had ended are due again when it is back. @returns false when none is due.
 */
export async function lookAtOldColumn(deps: LookAtOldColumnDeps): Promise<boolean> {
  const now = deps.clock.now();
  const column = await deps.columns.claimToLook(now, now + dayMs);
  if (column === null) return false;
  try {
    await lookAtOld(deps, column);
  } catch (thrown) {
    const { courseId: course, id } = column;
    deps.logger.warn({ course, column: id, error: messageOf(thrown) }, "a column could not be looked at");
  }
  return true;
}

async function lookAtOld(deps: LookAtOldColumnDeps, column: Column): Promise<void> {
  const { lineItemUrl, registrationId, courseId, key: columnKey } = column;
  const course = await deps.courses.find(courseId);
  if (course === null || course.policy.kind === "no-grades") return;
  const registration = await requireActiveRegistration(deps, course);
  if (await findAgain(deps, { registration, course, column })) deps.wake("deliveries");
  if (lineItemUrl === null) return;
  const target = { registration, lineItemUrl, scopes: course.gradeScopes };
  const look = await lookAtColumn(deps, target, column, course.policy.points, 0);
  if (look.kind === "gone") await loseColumn(deps, { registration, course, column }, lineItemUrl);
  else {
    await lookBeside(deps, { registration, course, column });
    await lookForEmptied(deps, target, column);
    await deps.deliveries.unblock({ registrationId, courseId, columnKey }, "course", deps.clock.now());
  }
  deps.wake("deliveries");
}
