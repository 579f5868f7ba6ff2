import { refusalSentence } from "../../kernel/refusal.ts";
import type { App } from "../../app.ts";
import { type Column, eventOfColumn, resourceIdOfColumn } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Delivery } from "./rules/delivery.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import type { Registration } from "../../domain/registration.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { LineItem, LineItems } from "../../lms/line-items.ts";
import type { ScoreOutcome, ScoreTarget } from "../../lms/scores.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";
import { markedLineItems } from "./marked-line-item.ts";
import { sendAfterMove } from "./send-after-move.ts";

export type LoseColumnDeps = Pick<App, "columns" | "clock" | "wake"> & {
  deliveries: Pick<DeliveryStore, "retryColumn">;
  lineItems: Pick<LineItems, "list">;
};

type Lost = { registration: Registration; course: Course; column: Column };

/**
 * The LMS does not know a line item. Where another one has our mark (restored, or a link saved anew), scores go there.
 * Else a teacher removed it or switched off the activity's grades: nothing is sent until instructors answer.
 */
export async function loseColumn(
  deps: LoseColumnDeps,
  { registration, course, column }: Lost,
  lineItemUrl: string,
): Promise<ScoreOutcome | "no-column"> {
  const { registrationId, courseId, key } = column;
  const known = await deps.columns.find({ registrationId, courseId, key });
  if (known?.lineItemUrl !== lineItemUrl) return { kind: "gone" };
  const items = await itemsOf(deps, registration, course);
  if (items === "course-gone") return courseGone;
  // The gradebook has the column but takes no score.
  if (items.some(({ id }) => id === lineItemUrl)) return notTaken;
  const others = await markedIn(deps, items, column, lineItemUrl);
  if (others.length > 0 || broughtByLink(course.policy, known)) {
    await lookElsewhere(deps, known, lineItemUrl);
    return { kind: "gone" };
  }
  const { linkId } = known;
  const missing = { at: deps.clock.now(), tied: linkId !== null, leftOut: false, linkId };
  await deps.columns.lose(column.id, lineItemUrl, missing);
  return "no-column";
}

/**
 * A missing column is in the gradebook again: restored with our mark, or as the grade of the activity it was tied to, which
 * Moodle's launches keep to themselves for a day (gradebookservices.php, `get_launch_parameters`).
 * @returns whether scores go there now
 */
export async function findAgain(
  deps: LoseColumnDeps,
  { registration, course, column }: Lost,
): Promise<boolean> {
  const { missing = null, registrationId, courseId, key: columnKey } = column;
  if (missing === null || missing.leftOut || !isAsked(course.policy, columnKey)) return false;
  const items = await itemsOf(deps, registration, course);
  if (items === "course-gone") return false;
  const [marked] = await markedIn(deps, items, column, "");
  const tied = items.find(
    ({ resourceLinkId }) => resourceLinkId !== null && resourceLinkId === missing.linkId,
  );
  const item = marked ?? tied;
  if (item === undefined) return false;
  const linkId = item === marked ? null : item.resourceLinkId;
  const move = () => deps.columns.comeBack(column.id, missing.at, { lineItemUrl: item.id, linkId });
  return sendAfterMove(deps, { registrationId, courseId, key: columnKey }, move);
}

/** Of a duplicated activity there is a second column with our mark, which nobody fills and totals may count. */
export async function lookBeside(
  deps: LoseColumnDeps,
  { registration, course, column }: Lost,
): Promise<void> {
  const { id, linkId, lineItemUrl, offered = null } = column;
  if (linkId === null || lineItemUrl === null || eventOfColumn(column.key) !== null) return;
  const items = await itemsOf(deps, registration, course);
  if (items === "course-gone") return;
  if (offered !== null && items.every((item) => item.id !== offered.lineItemUrl)) {
    await deps.columns.endOffer(id, offered);
  }
  const [second] = await markedIn(deps, items, column, lineItemUrl);
  if (second === undefined || offered?.lineItemUrl === second.id) return;
  const { id: there, label, resourceLinkId } = second;
  await deps.columns.offer(id, { linkId: resourceLinkId ?? "", lineItemUrl: there, label });
}

const courseGone: ScoreOutcome = {
  kind: "refused",
  code: "course-gone",
  reason: refusalSentence("course-gone"),
};

const notTaken: ScoreOutcome = {
  kind: "unreachable",
  code: "lms-failed",
  reason: "The LMS failed (status 404).",
};

/** Only a link brings a session's column beside the attendance column. */
function broughtByLink(policy: GradePolicy, { key, linkId, asked = false }: Column): boolean {
  return eventOfColumn(key) !== null && !isAsked(policy, key) && (asked || linkId !== null);
}

/** Whether the policy fills the column: only then it can be made again. */
export function isAsked({ kind }: GradePolicy, key: string): boolean {
  return kind === (eventOfColumn(key) === null ? "one-column" : "column-per-session");
}

/** Scores are due before the address is forgotten, so that a crash loses nothing. */
async function lookElsewhere(deps: LoseColumnDeps, column: Column, lineItemUrl: string): Promise<void> {
  const { registrationId, courseId, key: columnKey } = column;
  // Pauses grow while it is lost again and again.
  const pause = Math.min(1_000 * 2 ** Math.min(column.lost, 10), 15 * 60_000);
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + pause);
  await deps.columns.forget(column.id, lineItemUrl);
}

/**
 * An unpublished column takes no scores. Where another line item has our mark (of two links one is published), scores
 * go there, and back when that one is unpublished.
 */
export async function otherOfSameMark(
  deps: LoseColumnDeps & { courses: Pick<CourseStore, "find"> },
  { registration, lineItemUrl }: ScoreTarget,
  { courseId }: Delivery,
  column: Column,
  refused: ScoreOutcome,
): Promise<ScoreOutcome> {
  if (column.lost > 0) {
    // Both were tried; the next "send again" tries both.
    await deps.columns.keptWell(column.id);
    return refused;
  }
  const course = await deps.courses.find(courseId);
  const items = course === null ? [] : await itemsOf(deps, registration, course);
  if (items === "course-gone") return refused;
  const [other] = await markedIn(deps, items, column, lineItemUrl);
  if (other === undefined) return refused;
  const now = deps.clock.now();
  const { registrationId, key: columnKey } = column;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + 1_000);
  await deps.columns.moveTo(column.id, lineItemUrl, other.id);
  return { kind: "gone" };
}

/** "course-gone" where the LMS does not know the list, either. */
async function itemsOf(
  deps: LoseColumnDeps,
  registration: Registration,
  { lineItemsUrl, gradeScopes: scopes }: Course,
): Promise<LineItem[] | "course-gone"> {
  if (lineItemsUrl === null) return [];
  try {
    return await deps.lineItems.list({ registration, lineItemsUrl, scopes });
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "lms-not-found") return "course-gone";
    throw thrown;
  }
}

async function markedIn(
  deps: LoseColumnDeps,
  items: readonly LineItem[],
  { id, registrationId, courseId, key }: Column,
  lineItemUrl: string,
): Promise<LineItem[]> {
  const columns = await deps.columns.listOfCourse(registrationId, courseId);
  const taken = new Set(columns.filter((one) => one.id !== id).map((one) => one.lineItemUrl));
  return markedLineItems(items, resourceIdOfColumn(key), taken.add(lineItemUrl));
}
