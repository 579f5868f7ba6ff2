import type { Column } from "../../domain/column.ts";
import type { Course } from "../../domain/course.ts";
import { type Delivery, type DesiredScore, isSameGrade } from "../../domain/delivery.ts";
import type { ShownGrade } from "../../domain/gradebook-traits.ts";
import { judgeShown } from "../../domain/judge-shown.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { ScoreOutcome, Scores, ScoreTarget } from "../../lms/scores.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import { stillAdmitted, type StillAdmittedDeps } from "../registration/still-admitted.ts";
import type { AttemptOutcome } from "./after-attempt.ts";
import { findLineItem, type FindLineItemDeps } from "./find-line-item.ts";
import type { GradebookReading } from "./read-gradebook.ts";

export type SendScoreDeps = Omit<FindLineItemDeps, "deliveries"> &
  StillAdmittedDeps & {
    deliveries: DeliveryStore;
    courses: CourseStore;
    scores: Scores;
  };

/** A score under a claim. */
export type ClaimedScore = { delivery: Delivery; desired: DesiredScore; holder: string };

/** Where an attempt has come to; filled in as it goes. */
export type AttemptPlace = { lineItemUrl: string | null };

/**
 * Makes the LMS have one score, unless a teacher's grade is in the way.
 * @returns "not-now" when the claim was lost or another score is wanted meanwhile.
 * @throws NamedError, temporary or not.
 */
export async function sendScore(
  deps: SendScoreDeps,
  claimed: ClaimedScore,
  reading: GradebookReading,
  place: AttemptPlace,
): Promise<AttemptOutcome | "not-now"> {
  const { delivery } = claimed;
  const course = await deps.courses.find(delivery.courseId);
  if (course === null) {
    return { kind: "refused", code: "course-unknown", reason: "This course is not known any more." };
  }
  const registration = await stillAdmitted(deps, course);
  if (course.policy.kind === "no-grades") {
    return { kind: "refused", code: "no-grades", reason: "This course gives no grades." };
  }
  const column = await openColumn(deps, course, delivery.columnKey);
  const lineItemUrl =
    column.lineItemUrl ?? (await findLineItem(deps, registration, course, course.policy, column));
  place.lineItemUrl = lineItemUrl;
  const target: ScoreTarget = { registration, lineItemUrl, scopes: course.gradeScopes };

  const shown = await shownBefore(deps, target, delivery, reading);
  await notePoints(deps, column, shown);
  const inTheWay = await whyNotToSend(deps, target, claimed, { column, shown });
  if (inTheWay !== null) return inTheWay;
  const outcome = await sent(deps, target, claimed, shown);
  if (outcome === "not-now") return outcome;
  if (outcome.kind === "gone") await loseColumn(deps, column, lineItemUrl);
  if (outcome.kind === "conflict") return settledConflict(deps, target, claimed);
  if (outcome.kind !== "accepted") return outcome;
  if (column.lost > 0) await deps.columns.keptWell(column.id);
  return delivery.overruled === null ? outcome : afterOverruling(deps, target, claimed);
}

async function sent(
  deps: SendScoreDeps,
  target: ScoreTarget,
  { delivery, desired, holder }: ClaimedScore,
  shown: ShownGrade | null | "unknown",
): Promise<ScoreOutcome | "not-now"> {
  const at = await nextTimestamp(deps, delivery.lastSentAt);
  if (!(await deps.deliveries.sending(delivery.id, holder, desired, at))) return "not-now";
  const { score, maximum, comment } = desired;
  const lastComment = commentThere(delivery, target.lineItemUrl, shown);
  return deps.scores.send(target, { sub: delivery.sub, score, maximum, comment, lastComment, at });
}

async function openColumn(deps: SendScoreDeps, course: Course, key: string): Promise<Column> {
  const columnKey = { registrationId: course.registrationId, courseId: course.id, key };
  return (await deps.columns.find(columnKey)) ?? deps.columns.open(columnKey, deps.ids.id("col"));
}

/** A column's points are of interest where a teacher changed them; hardly ever is there something to write. */
async function notePoints(
  deps: SendScoreDeps,
  column: Column,
  shown: ShownGrade | null | "unknown",
): Promise<void> {
  if (shown === "unknown" || shown === null || shown.score === null) return;
  if (shown.maximum !== column.points) await deps.columns.notePoints(column.id, shown.maximum);
}

/** What the gradebook shows before anything is sent; "unknown" also where it can tell nothing of this person. */
async function shownBefore(
  deps: SendScoreDeps,
  target: ScoreTarget,
  delivery: Delivery,
  reading: GradebookReading,
): Promise<ShownGrade | null | "unknown"> {
  const { tells } = deps.scores.gradebookOf(target.registration.family);
  const neverSent = delivery.accepted === null && delivery.unconfirmed.length === 0;
  if (tells === "scored-only" && neverSent) return "unknown";
  return reading.shownTo(target, delivery);
}

/** Null when it is to be sent. */
async function whyNotToSend(
  deps: SendScoreDeps,
  target: ScoreTarget,
  claimed: ClaimedScore,
  { column, shown }: { column: Column; shown: ShownGrade | null | "unknown" },
): Promise<AttemptOutcome | null> {
  if (shown === "unknown") return null;
  const judgement = judge(deps, target, claimed, shown);
  if (judgement === "as-wanted") return { kind: "there" };
  if (judgement === "ours" || (await isOfFormerColumn(deps, target, claimed, { column, shown }))) return null;
  return { kind: "held", shown, kept: false };
}

/** A link that opened the whole course may open one session now: what its line item shows is our other score. */
async function isOfFormerColumn(
  deps: SendScoreDeps,
  { lineItemUrl }: ScoreTarget,
  { delivery }: ClaimedScore,
  { column, shown }: { column: Column; shown: ShownGrade | null },
): Promise<boolean> {
  const columnKey = column.formerKey ?? null;
  if (columnKey === null || shown === null || delivery.accepted?.lineItemUrl === lineItemUrl) return false;
  const { registrationId, courseId, personId } = delivery;
  const former = await deps.deliveries.find({ registrationId, courseId, columnKey, personId });
  const { accepted = null, unconfirmed = [] } = former ?? {};
  const there = [accepted, accepted?.before ?? null].filter((one) => one?.lineItemUrl === lineItemUrl);
  return [...there, ...unconfirmed].some((one) => one !== null && isSameGrade(shown, one));
}

function judge(
  deps: SendScoreDeps,
  { registration, lineItemUrl }: ScoreTarget,
  { delivery, desired }: ClaimedScore,
  shown: ShownGrade | null,
): ReturnType<typeof judgeShown> {
  const traits = deps.scores.gradebookOf(registration.family);
  return judgeShown({ lineItemUrl, traits }, delivery, desired, shown);
}

/** The comment that is in this column: of the score that arrived there, also when its answer was lost. */
function commentThere(
  delivery: Delivery,
  lineItemUrl: string,
  shown: ShownGrade | null | "unknown",
): string | null {
  const { unconfirmed } = delivery;
  const elsewhere = (delivery.accepted?.lineItemUrl ?? lineItemUrl) !== lineItemUrl;
  const accepted = elsewhere ? null : delivery.accepted;
  if (shown === "unknown" || shown === null) return accepted?.comment ?? null;
  const arrived = unconfirmed.findLast((one) => isSameGrade(shown, one));
  return (arrived ?? accepted)?.comment ?? null;
}

/**
 * The LMS does not know the column: every score that was in it is due once more, then its address is forgotten. In this
 * order nothing is missed when the process ends in between.
 */
async function loseColumn(deps: SendScoreDeps, column: Column, lineItemUrl: string): Promise<void> {
  const { registrationId, courseId, key } = column;
  const known = await deps.columns.find({ registrationId, courseId, key });
  if (known?.lineItemUrl !== lineItemUrl) return;
  // One that is lost again and again is looked for ever more rarely.
  const pause = Math.min(1_000 * 2 ** Math.min(known.lost, 10), 15 * 60_000);
  const now = deps.clock.now();
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey: key }, now, now + pause);
  await deps.columns.forget(column.id, lineItemUrl);
}

/** An instructor wanted ours instead of the teacher's. Moodle takes it and goes on showing the teacher's. */
async function afterOverruling(
  deps: SendScoreDeps,
  target: ScoreTarget,
  { delivery, desired }: ClaimedScore,
): Promise<AttemptOutcome> {
  if (!deps.scores.canReadResults(target.scopes)) return { kind: "accepted" };
  const shown = await deps.scores.readResult(target, delivery.sub).catch(() => null);
  const { overruled } = delivery;
  const stays =
    shown !== null && overruled !== null && isSameGrade(shown, overruled) && !isSameGrade(shown, desired);
  return stays ? { kind: "held", shown, kept: true } : { kind: "accepted" };
}

/**
 * The LMS says it has a score with this or a later timestamp (409). That is the expected answer when an earlier
 * attempt got through and its reply was lost, and after a teacher's edit: look before believing it.
 */
async function settledConflict(
  deps: SendScoreDeps,
  target: ScoreTarget,
  claimed: ClaimedScore,
): Promise<AttemptOutcome> {
  const shown = await deps.scores.readResult(target, claimed.delivery.sub).catch((thrown: unknown) => {
    // Without the right to look, the score is sent again with a later timestamp.
    if (thrown instanceof NamedError && thrown.code === "scope-not-granted") return "unknown" as const;
    throw thrown;
  });
  if (shown === "unknown") return { kind: "conflict" };
  const { desired } = claimed;
  const empty = shown === null || shown.score === null;
  if (empty ? desired.score === null : isSameGrade(shown, desired)) return { kind: "accepted" };
  return judge(deps, target, claimed, shown) === "foreign"
    ? { kind: "held", shown, kept: false }
    : { kind: "conflict" };
}

/** Now, but in a later second than `last`; waits for it when need be (at most a second in practice). */
async function nextTimestamp(deps: SendScoreDeps, last: number | null): Promise<number> {
  const now = deps.clock.now();
  if (last === null) return now;
  const earliest = (Math.floor(last / 1000) + 1) * 1000;
  if (now >= earliest) return now;
  // A clock that was set back by more than this is not waited for; the timestamp just goes on counting.
  if (earliest - now > 2_000) return earliest;
  await deps.clock.sleep(earliest - now);
  return deps.clock.now() >= earliest ? deps.clock.now() : earliest;
}
