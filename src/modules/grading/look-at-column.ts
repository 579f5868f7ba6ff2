import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Column } from "./rules/column.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { LineItems } from "../../lms/line-items.ts";
import type { ScoreTarget } from "../../lms/scores.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/require-active-registration.ts";
import { loseColumn, type LoseColumnDeps } from "./lose-column.ts";

export type LookAtColumnDeps = Pick<App, "columns" | "deliveries" | "clock"> & {
  lineItems: Pick<LineItems, "get">;
};

/** changed: a teacher changed the points, and all its scores are due again · gone: the line item is missing. */
export type ColumnLook =
  | { kind: "there"; points: number | null; known: "just-read" | "before" }
  | { kind: "changed" }
  | { kind: "gone" };

/** How long a look is good for sending (ms), so that single scores cost no second call. */
const freshMs = 60_000;

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
  await deps.columns.noteLook(column.id, { lineItemUrl, at: now }, { points, label });
  return changed ? { kind: "changed" } : { kind: "there", points, known: "just-read" };
}

/** Null also for an unreadable reply. */
async function readOrNull(lineItems: Pick<LineItems, "get">, ...where: Parameters<LineItems["get"]>) {
  try {
    const { scoreMaximum, label } = await lineItems.get(...where);
    return { points: scoreMaximum > 0 ? scoreMaximum : null, label };
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
  Pick<App, "columns" | "courses" | "deliveries" | "logger" | "wake"> & {
    lineItems: Pick<LineItems, "get" | "list">;
  };

const day = 24 * 60 * 60_000;

/** They end when the course is opened again, or a launch grants the scope. */
const ofCourse = ["course-gone", "course-concluded", "scope-not-granted"] as const;

/**
 * Looks at a column without a score for a day: Canvas takes scores for a deleted column, and only the line item shows
 * changed points. Scores refused as the course had ended are due again when it is back. @returns false when none is
 * due.
 */
export async function lookAtOldColumn(deps: LookAtOldColumnDeps): Promise<boolean> {
  const now = deps.clock.now();
  const column = await deps.columns.claimToLook(now - day, now);
  if (column === null) return false;
  try {
    await lookAtOld(deps, column);
  } catch (thrown) {
    const { courseId: course, id } = column;
    deps.logger.warn({ course, column: id, error: messageOf(thrown) }, "a column could not be looked at");
  }
  return true;
}

/** Scores that no launch had granted the scope for are due once one does. @param before What was granted until now. */
export async function retryGranted(
  deps: Pick<App, "deliveries" | "clock" | "wake">,
  { registrationId, id: courseId, gradeScopes }: Pick<Course, "registrationId" | "id" | "gradeScopes">,
  before: readonly string[],
): Promise<void> {
  if (gradeScopes.every((scope) => before.includes(scope))) return;
  await deps.deliveries.retryRefused({ registrationId, courseId }, ["scope-not-granted"], deps.clock.now());
  deps.wake("deliveries");
}

async function lookAtOld(deps: LookAtOldColumnDeps, column: Column): Promise<void> {
  const { lineItemUrl, registrationId, courseId, key: columnKey } = column;
  const course = await deps.courses.find(courseId);
  if (course === null || lineItemUrl === null || course.policy.kind === "no-grades") return;
  const registration = await requireActiveRegistration(deps, course);
  const target = { registration, lineItemUrl, scopes: course.gradeScopes };
  const look = await lookAtColumn(deps, target, column, course.policy.points, 0);
  if (look.kind === "gone") await loseColumn(deps, { registration, course, column }, lineItemUrl);
  else
    await deps.deliveries.retryRefused({ registrationId, courseId, columnKey }, ofCourse, deps.clock.now());
  deps.wake("deliveries");
}
