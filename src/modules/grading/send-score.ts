import { type Course, keyOfCourse } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { ScoreOutcome, ScoreTarget } from "../../lms/scores.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { requireActiveRegistration } from "../registration/registrations.ts";
import type { Attempted, AttemptOutcome, AttemptResult, ClaimedScore } from "./after-attempt.ts";
import { findLineItem } from "./find-line-item.ts";
import {
  type ColumnCheck,
  type DeliveryApp,
  freshMs,
  checkColumn,
  checkEmptied,
  loseColumn,
  otherOfSameMark,
  requireGrades,
} from "./check-column.ts";
import {
  type Delivery,
  hasArrived,
  inPoints,
  isInProgress,
  isSameGrade,
  isToCompare,
} from "./rules/delivery.ts";
import type { Column } from "./rules/column.ts";
import {
  compareWithGradebook,
  type GradebookGrade,
  inColumnsPoints,
  judgeRestored,
} from "./rules/compare-with-gradebook.ts";

export type GradebookReading = {
  /** "unknown": the LMS gives no answer; null: there is no grade. @throws NamedError (temporary) if it may answer later. */
  reportedFor: (target: ScoreTarget, delivery: Delivery) => Promise<GradebookGrade | null | "unknown">;
};

/** Sends a score unless a teacher's grade blocks it. @throws NamedError, temporary or not. */
export async function sendScore(app: DeliveryApp, claimed: ClaimedScore, reading: GradebookReading) {
  const { delivery } = claimed;
  const course = await app.courses.find(delivery.courseId);
  if (course === null) return nowhere({ kind: "refused", code: "course-unknown" });
  const registration = await requireActiveRegistration(app, course);
  if (course.policy.kind === "no-grades") return nowhere({ kind: "refused", code: "no-grades" });
  const column = await openColumn(app, course, delivery.columnKey);
  if (column.missing != null) {
    // The column may be back: restored, or turned on again.
    await app.columns.checkBy({ id: column.id }, app.clock.now() + missingCheckMs);
    app.wake("columns");
    return nowhere("no-column");
  }
  requireGrades(column);
  const lineItemUrl =
    column.lineItemUrl ?? (await findLineItem(app, registration, course, course.policy, column));
  const lineItem: ScoreTarget = { registration, lineItemUrl, scopes: course.gradeScopes };
  const { points } = course.policy;
  const check = await checkColumn(app, lineItem, column, points);
  if (check.kind === "changed") return nowhere("not-now");
  const noteGone = () => loseColumn(app, { registration, course, column }, lineItemUrl);
  if (check.kind === "gone") return nowhere(await noteGone());
  // The points may have changed since.
  const checkAt = app.clock.now() + freshMs;
  if (check.known === "before" && (column.lookAt ?? Infinity) > checkAt)
    await app.columns.checkBy({ id: column.id }, checkAt);
  const checkNow = () => checkColumn(app, lineItem, column, points, 0);
  const again = check.known === "before" ? checkNow : null;
  const target = { ...lineItem, points: check.points };
  const outcome = await sendToColumn(app, target, claimed, { column, reading, again, noteGone });
  return { outcome, lineItemUrl, points: check.points };
}

export function nowhere(outcome: AttemptResult): Attempted {
  return { outcome, lineItemUrl: null, points: null };
}

/** How long the answer about a missing column counts (ms), so a whole class's scores cost one search. */
const missingCheckMs = 20_000;

type KnownColumn = {
  column: Column;
  reading: GradebookReading;
  /** Null right after a check. */
  again: (() => Promise<ColumnCheck>) | null;
  noteGone: () => Promise<AttemptOutcome | "no-column">;
};

async function sendToColumn(
  app: DeliveryApp,
  target: ColumnTarget,
  claimed: ClaimedScore,
  known: KnownColumn,
): Promise<AttemptResult> {
  const { column, reading, again } = known;
  const reported = await reportedBefore(app, target, claimed, reading);
  if (reported === "unknown" && isOnlyToCompare(claimed)) return { kind: "there" };
  if (lacksOurs(target, claimed, reported) && (await checkEmptied(app, target, column))) return "not-now";
  const inTheWay = await whyNotToSend(app, target, claimed, { column, reported });
  // After a change of points, our own grade shows other points.
  if (inTheWay?.kind === "held" && again !== null && (await again()).kind === "changed") return "not-now";
  if (inTheWay !== null) return inTheWay;
  const outcome = await sent(app, target, claimed, reported);
  return outcome === "not-now" ? outcome : afterSending(app, target, claimed, known, outcome);
}

/** Whether our grade is missing there, because a person or a reset emptied it. */
function lacksOurs(
  { lineItemUrl }: ColumnTarget,
  { delivery: { accepted } }: ClaimedScore,
  reported: GradebookGrade | null | "unknown",
): boolean {
  if (reported === "unknown" || (reported !== null && reported.score !== null)) return false;
  return accepted?.lineItemUrl === lineItemUrl && accepted.score !== null;
}

async function afterSending(
  app: DeliveryApp,
  target: ColumnTarget,
  claimed: ClaimedScore,
  { column, again, noteGone }: KnownColumn,
  outcome: ScoreOutcome,
): Promise<AttemptResult> {
  if (outcome.kind === "gone") return noteGone();
  if (outcome.kind === "conflict") return settledConflict(app, target, claimed);
  if (outcome.kind === "refused" && ofUnpublished.includes(outcome.code)) {
    // Canvas gives the same answer for a deleted column.
    if (again !== null && (await again()).kind === "gone") return noteGone();
    return otherOfSameMark(app, target, claimed.delivery, column, outcome);
  }
  if (outcome.kind !== "accepted") return outcome;
  if (column.lost > 0) await app.columns.forgetLosses(column.id);
  return claimed.delivery.overruled === null ? outcome : afterOverruling(app, target, claimed);
}

/** Refusals that concern the whole column, perhaps because it was deleted. */
const ofUnpublished: readonly string[] = ["column-unpublished", "not-applicable"];

type ColumnTarget = ScoreTarget & { points: number | null };

async function sent(
  app: DeliveryApp,
  target: ColumnTarget,
  { delivery, desired, holder }: ClaimedScore,
  reported: GradebookGrade | null | "unknown",
): Promise<ScoreOutcome | "not-now"> {
  const at = await nextTimestamp(app, delivery.lastSentAt);
  const { points } = target;
  const noted = { ...desired, ...(points === null ? {} : { points }) };
  if (!(await app.deliveries.sending(delivery.id, holder, noted, at))) return "not-now";
  const { score, maximum, comment } = desired;
  // With 0 points, scores can't be converted.
  const scaled =
    score === null || points === null || points === 0
      ? { score, maximum }
      : inPoints({ score, maximum }, points);
  const lastComment = lastCommentIn(delivery, target.lineItemUrl, reported);
  const inProgress = isInProgress(desired);
  return app.scores.send(target, { sub: delivery.sub, ...scaled, comment, lastComment, inProgress, at });
}

async function openColumn(app: DeliveryApp, course: Course, key: string): Promise<Column> {
  const columnKey = { ...keyOfCourse(course), key };
  return (await app.columns.find(columnKey)) ?? app.columns.open(columnKey, app.ids.id("col"));
}

/** The restored backup says that the LMS has this score, so it only has to be compared. */
function isOnlyToCompare({ delivery, desired }: ClaimedScore): boolean {
  return isToCompare(delivery) && hasArrived(delivery, desired);
}

/** "unknown" also if the gradebook has nothing about this person. */
async function reportedBefore(
  app: DeliveryApp,
  target: ColumnTarget,
  { delivery, restoredAt }: ClaimedScore,
  reading: GradebookReading,
): Promise<GradebookGrade | null | "unknown"> {
  const { resultsInclude } = capabilitiesOf(target.registration).gradebook;
  const { accepted, unconfirmed, foreign } = delivery;
  // If we saw a teacher's grade, it can be read again.
  const neverSent = accepted === null && unconfirmed.length === 0 && foreign === null;
  // The score may have been sent after the restored backup.
  if (resultsInclude === "graded-only" && neverSent && restoredAt === null) return "unknown";
  const read = await reading.reportedFor(target, delivery);
  return read === "unknown" ? read : inItsPoints(app, target, read);
}

/** The grade in the column's present points. */
function inItsPoints(app: DeliveryApp, { registration, points }: ColumnTarget, read: GradebookGrade | null) {
  if (read === null) return null;
  return inColumnsPoints({ traits: capabilitiesOf(registration).gradebook, points }, read);
}

async function whyNotToSend(
  app: DeliveryApp,
  target: ColumnTarget,
  claimed: ClaimedScore,
  { column, reported }: { column: Column; reported: GradebookGrade | null | "unknown" },
): Promise<AttemptOutcome | null> {
  if (reported === "unknown") return null;
  const judgement = judge(app, target, claimed, reported);
  if (judgement === "as-wanted") return { kind: "there" };
  if (judgement === "ours" || (await isOfFormerColumn(app, target, claimed, { column, reported })))
    return null;
  return conflictWith(app, target, reported, claimed.restoredAt);
}

function conflictWith(
  app: DeliveryApp,
  { registration, points }: ColumnTarget,
  reported: GradebookGrade | null,
  restoredAt: number | null,
): AttemptOutcome {
  const { resultsIn } = capabilitiesOf(registration).gradebook;
  const conflict = { kind: "held", overridden: false, restoredAt } as const;
  if (reported?.score == null || points === null || points === 0 || resultsIn !== "as-sent")
    return { ...conflict, reported };
  const { score, maximum } = reported;
  return { ...conflict, reported: { ...reported, ...inPoints({ score, maximum }, points) } };
}

/** A link may have changed from the course to one session. Its line item then shows our other score. */
async function isOfFormerColumn(
  app: DeliveryApp,
  { lineItemUrl }: ScoreTarget,
  { delivery }: ClaimedScore,
  { column, reported }: { column: Column; reported: GradebookGrade | null },
): Promise<boolean> {
  const columnKey = column.formerKey ?? null;
  if (columnKey === null || reported === null || delivery.accepted?.lineItemUrl === lineItemUrl) return false;
  const { registrationId, courseId, personId } = delivery;
  const former = await app.deliveries.find({ registrationId, courseId, columnKey, personId });
  const { accepted = null, unconfirmed = [] } = former ?? {};
  const written = [accepted, accepted?.before ?? null].filter((one) => one?.lineItemUrl === lineItemUrl);
  return [...written, ...unconfirmed].some((one) => one !== null && isSameGrade(reported, one));
}

function judge(
  app: DeliveryApp,
  { registration, lineItemUrl, points }: ColumnTarget,
  { delivery, desired, restoredAt }: ClaimedScore,
  reported: GradebookGrade | null,
): ReturnType<typeof compareWithGradebook> {
  const traits = capabilitiesOf(registration).gradebook;
  const judged = restoredAt === null ? compareWithGradebook : judgeRestored;
  return judged({ lineItemUrl, traits, points }, delivery, desired, reported);
}

/** The comment of the score that arrived there, even if there was no answer. */
function lastCommentIn(delivery: Delivery, lineItemUrl: string, reported: GradebookGrade | null | "unknown") {
  const elsewhere = (delivery.accepted?.lineItemUrl ?? lineItemUrl) !== lineItemUrl;
  const accepted = elsewhere ? null : delivery.accepted;
  if (reported === "unknown" || reported === null) return accepted?.comment ?? null;
  const arrived = delivery.unconfirmed.findLast((one) => isSameGrade(reported, one));
  return (arrived ?? accepted)?.comment ?? null;
}

/** Moodle accepts ours and may still show the teacher's. */
async function afterOverruling(
  app: DeliveryApp,
  target: ColumnTarget,
  { delivery, desired }: ClaimedScore,
): Promise<AttemptOutcome> {
  if (!app.scores.canReadResults(target.scopes)) return { kind: "accepted" };
  const read = await app.scores.readResult(target, delivery.sub).catch(() => null);
  const reported = inItsPoints(app, target, read);
  const { overruled } = delivery;
  const stays =
    reported !== null &&
    overruled !== null &&
    isSameGrade(reported, overruled) &&
    !isSameGrade(reported, desired);
  return stays ? { kind: "held", reported, overridden: true } : { kind: "accepted" };
}

/** After a 409 (a same or later timestamp), the result shows whether an earlier attempt arrived or a teacher edited the grade. */
async function settledConflict(
  app: DeliveryApp,
  target: ColumnTarget,
  claimed: ClaimedScore,
): Promise<AttemptOutcome> {
  const read = await app.scores.readResult(target, claimed.delivery.sub).catch((thrown: unknown) => {
    // Without the right to read, the score is sent again with a later timestamp.
    if (thrown instanceof NamedError && thrown.code === "scope-not-granted") return "unknown" as const;
    throw thrown;
  });
  if (read === "unknown") return { kind: "conflict" };
  const reported = inItsPoints(app, target, read);
  const { desired } = claimed;
  const empty = reported === null || reported.score === null;
  if (empty ? desired.score === null : isSameGrade(reported, desired)) return { kind: "accepted" };
  return judge(app, target, claimed, reported) === "foreign"
    ? conflictWith(app, target, reported, claimed.restoredAt)
    : { kind: "conflict" };
}

/** The present time, but in a later second than `last`. Waits if necessary (at most a second in practice). */
async function nextTimestamp(app: DeliveryApp, last: number | null): Promise<number> {
  const now = app.clock.now();
  if (last === null) return now;
  const earliest = (Math.floor(last / 1000) + 1) * 1000;
  if (now >= earliest) return now;
  // If a clock was set back further, we don't wait; timestamps continue from the last one.
  if (earliest - now > 2_000) return earliest;
  await app.clock.sleep(earliest - now);
  return app.clock.now() >= earliest ? app.clock.now() : earliest;
}
