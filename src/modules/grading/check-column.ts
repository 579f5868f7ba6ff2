import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import type { Registration } from "../../domain/registration.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { dayMs, hourMs } from "../../kernel/clock.ts";
import type { LineItem, LineItems } from "../../lms/line-items.ts";
import type { ScoreOutcome, ScoreTarget } from "../../lms/scores.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { requireActiveRegistration } from "../registration/registrations.ts";
import { markedLineItems, takenBy } from "./find-line-item.ts";
import { type Column, type EmptiedColumn, eventOfColumn, resourceIdOfColumn } from "./rules/column.ts";
import type { Delivery } from "./rules/delivery.ts";
import { wasEmptied } from "./rules/compare-with-gradebook.ts";

export type DeliveryApp = Pick<
  App,
  "columns" | "courseLinks" | "courses" | "deliveries" | "events" | "members"
> &
  Pick<App, "deployments" | "registrations" | "lineItems" | "scores" | "restores"> &
  Pick<App, "translatorOf" | "clock" | "ids" | "logger" | "random" | "wake">;

/** changed: a teacher changed the points, and all its scores are due again · gone: the line item is missing. */
export type ColumnCheck =
  /** `points`: 0 if the column has no points, so nothing counts; null if unknown. */
  | { kind: "there"; points: number | null; known: "just-read" | "before" }
  | { kind: "changed" }
  | { kind: "gone" };

/** How long a column counts as just read (ms), so single scores cost no second call. */
export const freshMs = 60_000;

/**
 * Reads a column's line item, at most once a minute, because its points decide what results mean. A change is stored after its scores are
 * due, so a crash loses nothing.
 * @param policyPoints The points of columns that we make.
 * @param wellKnown How old known points may be (ms).
 * @throws NamedError (temporary) if the LMS may answer later.
 */
export async function checkColumn(
  app: DeliveryApp,
  { registration, lineItemUrl, scopes }: ScoreTarget,
  column: Column,
  policyPoints: number,
  wellKnown = freshMs,
): Promise<ColumnCheck> {
  const now = app.clock.now();
  const { looked = null, points: before, registrationId, courseId, key: columnKey } = column;
  if (looked?.lineItemUrl === lineItemUrl && Math.abs(now - looked.at) < wellKnown)
    return { kind: "there", points: before, known: "before" };
  const item = await readOrNull(app.lineItems, { registration, scopes }, lineItemUrl);
  if (item === "gone") return { kind: "gone" };
  if (item === null) return { kind: "there", points: null, known: "just-read" };
  const { points, label } = item;
  const changed = points !== null && points !== (before ?? policyPoints);
  if (changed) await app.deliveries.resendColumn({ registrationId, courseId, columnKey }, now);
  await app.columns.noteCheck(
    column.id,
    { lineItemUrl, at: now },
    { points, label },
    now + untilNextCheck(points),
  );
  return changed ? { kind: "changed" } : { kind: "there", points, known: "just-read" };
}

function untilNextCheck(points: number | null): number {
  return points === 0 ? hourMs : dayMs;
}

/** Null also if the reply is unreadable. */
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

/**
 * Checks a column that is due, usually because no score went there for a day: Canvas accepts scores for a deleted column, only the line item
 * shows changed points, and only the results show that a course was reset. Searches for a missing column. Makes scores due again that were
 * blocked because the course had ended, if it is back. @returns false if none is due
 */
export async function checkDueColumn(app: DeliveryApp): Promise<boolean> {
  const now = app.clock.now();
  const column = await app.columns.claimToCheck(now, now + dayMs);
  if (column === null) return false;
  try {
    await checkDue(app, column);
  } catch (thrown) {
    const { courseId: course, id } = column;
    app.logger.warn({ course, column: id, error: messageOf(thrown) }, "a column could not be checked");
  }
  return true;
}

async function checkDue(app: DeliveryApp, column: Column): Promise<void> {
  const { lineItemUrl, registrationId, courseId, key: columnKey } = column;
  const course = await app.courses.find(courseId);
  if (course === null || course.policy.kind === "no-grades") return;
  const registration = await requireActiveRegistration(app, course);
  if (await findAgain(app, { registration, course, column })) app.wake("deliveries");
  if (lineItemUrl === null) return;
  const target = { registration, lineItemUrl, scopes: course.gradeScopes };
  const check = await checkColumn(app, target, column, course.policy.points, 0);
  if (check.kind === "gone") await loseColumn(app, { registration, course, column }, lineItemUrl);
  else {
    await findSecond(app, { registration, course, column });
    await checkEmptied(app, target, column);
    await app.deliveries.unblock({ registrationId, courseId, columnKey }, "course", app.clock.now());
  }
  app.wake("deliveries");
}

type Lost = { registration: Registration; course: Course; column: Column };

/**
 * The LMS doesn't know a line item. If another one has our mark (restored, or a link saved again), scores go there. Otherwise a teacher
 * removed it or turned off the activity's grades, and nothing is sent until instructors answer.
 */
export async function loseColumn(
  app: DeliveryApp,
  { registration, course, column }: Lost,
  lineItemUrl: string,
): Promise<ScoreOutcome | "no-column"> {
  const { registrationId, courseId, key } = column;
  const known = await app.columns.find({ registrationId, courseId, key });
  if (known?.lineItemUrl !== lineItemUrl) return { kind: "gone" };
  const items = await itemsOf(app, registration, course);
  if (items === "course-gone") return courseGone;
  // The column is in the gradebook, but refuses the score.
  if (items.some(({ id }) => id === lineItemUrl)) return notTaken;
  const others = await markedIn(app, items, column, lineItemUrl);
  if (others.length > 0 || broughtByLink(course.policy, known)) {
    await searchElsewhere(app, known, lineItemUrl);
    return { kind: "gone" };
  }
  const { linkId } = known;
  const missing = { at: app.clock.now(), tied: linkId !== null, leftOut: false, linkId };
  await app.columns.lose(column.id, lineItemUrl, missing);
  return "no-column";
}

/**
 * Looks for a missing column: it may have been restored with our mark, or it is the grade of the activity to which it belonged. Moodle's
 * launches don't name that one for a day (gradebookservices.php, `get_launch_parameters`). @returns whether scores go there now
 */
async function findAgain(app: DeliveryApp, { registration, course, column }: Lost): Promise<boolean> {
  const { missing = null, registrationId, courseId, key: columnKey } = column;
  if (missing === null || missing.leftOut || !isAsked(course.policy, columnKey)) return false;
  const items = await itemsOf(app, registration, course);
  if (items === "course-gone") return false;
  const [marked] = await markedIn(app, items, column, "");
  const tied = items.find(
    ({ resourceLinkId }) => resourceLinkId !== null && resourceLinkId === missing.linkId,
  );
  const item = marked ?? tied;
  if (item === undefined) return false;
  const linkId = item === marked ? null : item.resourceLinkId;
  const move = () => app.columns.comeBack(column.id, missing.at, { lineItemUrl: item.id, linkId });
  return sendAfterMove(app, { registrationId, courseId, key: columnKey }, move);
}

/** A duplicated activity brings a second column with our mark. It gets no scores, but the course total may count it. */
async function findSecond(app: DeliveryApp, { registration, course, column }: Lost): Promise<void> {
  const { id, linkId, lineItemUrl, offered = null } = column;
  if (linkId === null || lineItemUrl === null || eventOfColumn(column.key) !== null) return;
  const items = await itemsOf(app, registration, course);
  if (items === "course-gone") return;
  if (offered !== null && items.every((item) => item.id !== offered.lineItemUrl))
    await app.columns.endOffer(id, offered);
  const [second] = await markedIn(app, items, column, lineItemUrl);
  if (second === undefined || offered?.lineItemUrl === second.id) return;
  const { id: secondUrl, label, resourceLinkId } = second;
  await app.columns.offer(id, { linkId: resourceLinkId ?? "", lineItemUrl: secondUrl, label });
}

const courseGone: ScoreOutcome = { kind: "refused", code: "course-gone" };
const notTaken: ScoreOutcome = { kind: "unreachable", code: "lms-failed" };

/** Only a link brings a session's column in addition to the attendance column. */
function broughtByLink(policy: GradePolicy, { key, linkId, asked = false }: Column): boolean {
  return eventOfColumn(key) !== null && !isAsked(policy, key) && (asked || linkId !== null);
}

/** Whether the policy fills the column. Only such a column can be made again. */
export function isAsked({ kind }: GradePolicy, key: string): boolean {
  return kind === (eventOfColumn(key) === null ? "one-column" : "column-per-session");
}

/** Makes the scores due before it forgets the address, so a crash loses nothing. */
async function searchElsewhere(app: DeliveryApp, column: Column, lineItemUrl: string): Promise<void> {
  const { registrationId, courseId, key: columnKey } = column;
  // The pauses grow while the column is lost again and again.
  const pause = Math.min(1_000 * 2 ** Math.min(column.lost, 10), 15 * 60_000);
  const now = app.clock.now();
  await app.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + pause);
  await app.columns.forget(column.id, lineItemUrl);
}

/**
 * An unpublished column accepts no scores. If another line item has our mark (of two links, one is published), scores go there, and back
 * if that one is unpublished.
 */
export async function otherOfSameMark(
  app: DeliveryApp,
  { registration, lineItemUrl }: ScoreTarget,
  { courseId }: Delivery,
  column: Column,
  refused: ScoreOutcome,
): Promise<ScoreOutcome> {
  if (column.lost > 0) {
    // Both were tried. The next "Send again" tries them again.
    await app.columns.forgetLosses(column.id);
    return refused;
  }
  const course = await app.courses.find(courseId);
  const items = course === null ? [] : await itemsOf(app, registration, course);
  if (items === "course-gone") return refused;
  const [other] = await markedIn(app, items, column, lineItemUrl);
  if (other === undefined) return refused;
  const now = app.clock.now();
  const { registrationId, key: columnKey } = column;
  await app.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + 1_000);
  await app.columns.moveTo(column.id, lineItemUrl, other.id);
  return { kind: "gone" };
}

/** "course-gone" if the LMS doesn't know the list either. */
async function itemsOf(
  app: DeliveryApp,
  registration: Registration,
  { lineItemsUrl, gradeScopes: scopes }: Course,
): Promise<LineItem[] | "course-gone"> {
  if (lineItemsUrl === null) return [];
  try {
    return await app.lineItems.list({ registration, lineItemsUrl, scopes });
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "lms-not-found") return "course-gone";
    throw thrown;
  }
}

async function markedIn(
  app: DeliveryApp,
  items: readonly LineItem[],
  { registrationId, courseId, key }: Column,
  lineItemUrl: string,
): Promise<LineItem[]> {
  const columns = await app.columns.listOfCourse(registrationId, courseId);
  return markedLineItems(items, resourceIdOfColumn(key), takenBy(columns, key).add(lineItemUrl));
}

/**
 * Finds out whether the gradebook lost all grades that arrived. A course that is reset for a new term keeps its columns (Moodle,
 * course/reset.php). Then nothing is sent until an instructor says what counts. @returns whether the gradebook was emptied
 */
export async function checkEmptied(
  app: DeliveryApp,
  target: ScoreTarget,
  { id, registrationId, courseId, key: columnKey }: Column,
): Promise<boolean> {
  const { lineItemUrl, registration, scopes } = target;
  const traits = capabilitiesOf(registration).gradebook;
  // In such an LMS, a teacher empties single grades, and each becomes a conflict.
  if (traits.emptyMeansCleared || !app.scores.canReadResults(scopes)) return false;
  const columnRef = { registrationId, courseId, columnKey };
  const startedAt = app.clock.now();
  const arrived = await app.deliveries.listArrived(columnRef, lineItemUrl);
  if (arrived.length === 0) return false;
  const results = await app.scores.readResults(target);
  if (!wasEmptied(arrived, results)) return false;
  const lastAt = Math.max(...arrived.map(({ accepted }) => accepted.at));
  const emptied: EmptiedColumn = { at: startedAt, lastAt, grades: arrived.length };
  if (!(await app.columns.noteEmptied(id, lineItemUrl, emptied))) return false;
  await app.deliveries.loseGrades(columnRef);
  return true;
}

/** @throws NamedError "gradebook-emptied" until an instructor says why */
export function requireGrades({ emptied = null }: Pick<Column, "emptied">): void {
  if (emptied !== null) throw refusal("gradebook-emptied");
}

/** How long scores wait for a column's new address (ms). A score sent earlier would become idle again. */
const waitMs = 2_000;

/**
 * Sends a column's scores to its new line item. They are due before the move and after it, so a crash loses none.
 * @returns false if the column didn't move
 */
export async function sendAfterMove(
  app: Pick<App, "clock" | "deliveries" | "wake">,
  { registrationId, courseId, key: columnKey }: Pick<Column, "registrationId" | "courseId" | "key">,
  move: () => Promise<boolean>,
): Promise<boolean> {
  const now = app.clock.now();
  await app.deliveries.retryColumn({ registrationId, courseId, columnKey }, now, now + waitMs);
  if (!(await move())) return false;
  await app.deliveries.retryColumn({ registrationId, courseId, columnKey }, now);
  app.wake("deliveries");
  return true;
}
