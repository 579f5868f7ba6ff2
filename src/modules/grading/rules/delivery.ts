import { everyCourse, given, withCourse } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { attendanceColumn } from "./column.ts";
import type { Course } from "../../../domain/course.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

export const deliveryRecord = describeRecord("Delivery", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    /** "attendance" is the default policy's. */
    columnKey: field.text,
    personId: field.text,
    sub: field.text,
    desired: field.json<DesiredScore>().orNull,
    /** Computed since, and kept back until an instructor releases it; see `holdOf`. Null or left out for none. */
    unreleased: field.json<SentScore>().orNull.optional,
    accepted: field.json<AcceptedScore>().orNull,
    /**
     * refused: needs a person. blocked: due again when the obstacle is gone. held: a teacher changed the grade;
     * nothing is sent until an instructor decides.
     */
    state: field.textOf<"idle" | "waiting" | "blocked" | "delivered" | "refused" | "held">(),
    /** As last seen; null while it is ours. */
    foreign: field.json<ForeignScore>().orNull,
    /** To be replaced by an instructor's decision. */
    overruled: field.json<ForeignScore>().orNull,
    /** Sent since the last accepted one, latest last: each may have arrived. */
    unconfirmed: field.json<readonly SentScore[]>().or([]),
    /** Sent even if it was accepted: into another column, or by request. */
    again: field.flag.or(false),
    attempts: field.number,
    nextTryAt: field.number,
    /** Since when the LMS lacks the desired score (ms). */
    waitingSince: field.number.orNull,
    /** Code of why the last attempt failed, in words of `grades.why` or `errors`; null or left out for none. */
    reason: field.text.orNull.optional,
    refusal: field.text.orNull,
    /** Timestamp of the last score; the next is in a later second (Moodle compares whole seconds). */
    lastSentAt: field.number.orNull,
    /** When the database was restored (ms), until compared. */
    restoredAt: field.numberOf<number | null>().optional,
    /** When the attendance was marked that made it due (ms); null where something else did, or something kept it back. */
    markedAt: field.numberOf<number | null>().optional,
  },
  hidden: {
    /** Due later, as more about this person is expected; see `setDesiredScores`. */
    gathering: field.flag.optional,
    /** Grows with every wanted score, changed or not, and with every sending. */
    revision: field.number.optional,
    /** The computation of `desired`; see SeenInputs. */
    seenRegrade: field.number.optional,
    seenStanding: field.number.optional,
    urgency: field.numberOf<number | null>().optional,
    listName: field.textOf<string | null>().optional,
    ...field.lease,
  },
  indexes: [
    index.unique("registrationId", "courseId", "columnKey", "personId"),
    index("state", "nextTryAt"),
    index("state", "waitingSince"),
    index("registrationId", "state", "nextTryAt"),
    index("registrationId", "courseId", "state", "columnKey", "nextTryAt"),
    index("registrationId", "leaseUntil"),
    index("registrationId", "courseId", "personId", "state"),
    index("registrationId", "courseId", "urgency", "listName", "personId", "columnKey", "state"),
  ],
  personalData: {
    key: "scores",
    holds: "scores with comments, the LMS's answers, and a teacher's own grade found there",
    stored: withCourse,
    person: [everyCourse],
    given: given(
      everyCourse,
      "courseId columnKey desired unreleased accepted foreign overruled state lastSentAt reason",
    ),
    names: [{ path: "personId", among: "courses", both: "sent" }],
  },
});
export type Delivery = ItemOf<typeof deliveryRecord>;

export type DesiredScore = {
  /** Null clears the score in the LMS. */
  score: number | null;
  maximum: number;
  comment: string | null;
  /** Not completed by the course's rule; left out for not. */
  inProgress?: boolean;
  /** Grows with every change; an answer counts for the revision sent. */
  revision: number;
};

/** Refusals of a person: final for a learner of the course; a locked column stays locked. */
export const personalRefusals: readonly string[] = ["not-gradable", "lms-status-400", "lms-status-422"];

/** What blocks a score for now; it ends without a decision about the score. */
export type Obstacle = "lms" | "launch" | "course" | "term" | "person";

const obstacles: Readonly<Record<Obstacle, readonly string[]>> = {
  /** Until an operator lets the LMS, or its deployment, in again. */
  lms: ["platform-inactive", "deployment-refused"],
  /** Until a launch grants the right, or comes from a link. */
  launch: ["scope-not-granted", "no-grade-service", "no-launched-link"],
  /** Until the course is open again, which the next check of its column shows. */
  course: ["course-gone", "course-concluded"],
  /** Until an instructor has said why the gradebook is empty. */
  term: ["gradebook-emptied"],
  /** Until they are a learner of the course again. */
  person: ["person-left"],
};

export function obstacleOf(code: string | null): Obstacle | null {
  const found = (["lms", "launch", "course", "term", "person"] as const).find((one) =>
    obstacles[one].includes(code ?? ""),
  );
  return found ?? null;
}

/** The codes of refusals that end with one obstacle. */
export function codesOf(obstacle: Obstacle): string[] {
  return [...obstacles[obstacle]];
}

/** Why it is not there, as a code; null for no failure. */
export function causeOf({ refusal, reason = null }: Pick<Delivery, "refusal" | "reason">): string | null {
  return refusal ?? reason;
}

export type SentScore = Omit<DesiredScore, "revision"> & {
  /** The column's points when it was sent; left out when unknown. */
  points?: number;
};

export type ForeignScore = {
  score: number | null;
  maximum: number;
  seenAt: number;
  /** When an instructor decided to leave it; null for not. */
  leftAt?: number | null;
  /** Found by the comparison after this restore (ms): a teacher's, or ours from after the backup. */
  restoredAt?: number;
};

/** Its column had 0 points, so nothing counts. */
export function isOfNoPoints({ accepted }: Pick<Delivery, "accepted">): boolean {
  return accepted?.points === 0 && accepted.score !== null;
}

export type AcceptedScore = SentScore & {
  at: number;
  /** When the attendance it brought was marked (ms); left out where it came for another reason. */
  markedAt?: number;
  /** The column that took it; left out when unknown. */
  lineItemUrl?: string;
  /** The last score accepted in another column, where it still is. */
  before?: SentScore & { lineItemUrl: string };
};

/** Fields that change when a score is desired or was tried. */
export type DeliveryChange = Partial<
  Pick<
    Delivery,
    | "state"
    | "accepted"
    | "foreign"
    | "overruled"
    | "unconfirmed"
    | "again"
    | "attempts"
    | "nextTryAt"
    | "waitingSince"
    | "reason"
    | "refusal"
    | "lastSentAt"
    | "restoredAt"
    | "markedAt"
  >
>;

export function isSameScore(one: SentScore, other: SentScore): boolean {
  return (
    one.score === other.score &&
    one.maximum === other.maximum &&
    one.comment === other.comment &&
    isInProgress(one) === isInProgress(other)
  );
}

export function isInProgress({ inProgress = false }: Pick<SentScore, "inProgress">): boolean {
  return inProgress;
}

/** Whether the LMS took this score last, as far as known. */
export function hasArrived(
  { accepted, unconfirmed }: Pick<Delivery, "accepted" | "unconfirmed">,
  score: SentScore,
): boolean {
  return accepted !== null && isSameScore(accepted, score) && unconfirmed.length === 0;
}

/** Whether it is from a restored backup and not compared yet. */
export function isToCompare({ restoredAt = null }: Pick<Delivery, "restoredAt">): boolean {
  return restoredAt !== null;
}

/**
 * A held delivery stays held until the wanted score is the teacher's own, and for good once an instructor left theirs. Clearings of
 * nothing, and scores already there, are not sent. @param now Milliseconds since the epoch.
 */
export function afterWanting(delivery: Omit<Delivery, "id">, score: SentScore, now: number): DeliveryChange {
  if (delivery.state === "held") return stillInConflict(delivery, score, now);
  const settled = isToCompare(delivery) ? null : nothingToSend(delivery, score);
  if (settled !== null) return { state: settled, ...nothingWaits };
  const { nextTryAt, waitingSince, reason = null } = delivery;
  // The LMS asked to wait until then.
  const since =
    delivery.state === "waiting"
      ? { nextTryAt, waitingSince, reason }
      : { nextTryAt: now, waitingSince: now, reason: null };
  return { state: "waiting", attempts: 0, refusal: null, ...since };
}

function nothingToSend(delivery: Omit<Delivery, "id">, score: SentScore): "idle" | "delivered" | null {
  const nothingSent = delivery.accepted === null && delivery.unconfirmed.length === 0;
  if (score.score === null && nothingSent) return "idle";
  return hasArrived(delivery, score) && !delivery.again ? stateOfArrived(score) : null;
}

/** A cleared grade is none, and not one that the gradebook has. */
export function stateOfArrived({ score }: Pick<SentScore, "score">): "idle" | "delivered" {
  return score === null ? "idle" : "delivered";
}

const nothingWaits = { waitingSince: null, reason: null, refusal: null };

function stillInConflict(
  { foreign, accepted }: Omit<Delivery, "id">,
  score: SentScore,
  now: number,
): DeliveryChange {
  if (foreign === null || foreign.leftAt != null || !isSameGrade(foreign, score)) return {};
  const arrived = { ...accepted, ...score, at: now };
  delete arrived.markedAt;
  return { state: stateOfArrived(score), accepted: arrived, foreign: null, overruled: null, ...nothingWaits };
}

/** A score in a column's points, to five decimals; a score out of 0 points has no share and stays as it is. */
export function inPoints({ score, maximum }: { score: number; maximum: number }, points: number) {
  if (maximum === 0) return { score, maximum };
  return { score: Math.round((score / maximum) * points * 1e5) / 1e5, maximum: points };
}

/** LMSs keep about five decimals in their scale; our smallest step is a hundredth. */
const maxScoreDifference = 0.005;

/** The same share of the maximum, as far as gradebooks keep it; of 0 points the same number. */
export function isSameGrade(
  one: { score: number | null; maximum: number },
  other: { score: number | null; maximum: number },
): boolean {
  if (one.score === null || other.score === null) return one.score === other.score;
  if (one.maximum === 0 && other.maximum !== 0) return false;
  const share = one.maximum === 0 ? one.score : (one.score / one.maximum) * other.maximum;
  return Math.abs(share - other.score) < maxScoreDifference;
}

/** In list order. refused: needs a person. left: the teacher's grade is kept. idle: no grade to send. */
export const scoreStates = ["held", "refused", "waiting", "left", "delivered", "idle"] as const;
export type ScoreState = (typeof scoreStates)[number];

export type ScoreCounts = Readonly<Record<ScoreState, number>>;

/** Pages show blocked scores as waiting; the reason says what for. */
export function visibleState(state: Delivery["state"]): Exclude<Delivery["state"], "blocked"> {
  return state === "blocked" ? "waiting" : state;
}

export function scoreStateOf({ state, foreign }: Pick<Delivery, "state" | "foreign">): ScoreState {
  if (state !== "held") return visibleState(state);
  return (foreign?.leftAt ?? null) === null ? "held" : "left";
}

/** What needs a person comes first; columns never filled are not listed. Stored, as lists sort by it. */
export const urgency = { held: 0, refused: 1, waiting: 2, settled: 3, noNews: 4 } as const;

/** Whether lists show it: not for a column that never was filled, nor for somebody who is no longer a learner here. */
export function isNews({ columnKey, state, accepted, refusal, unreleased = null }: ListedFacts): boolean {
  if (state === "blocked" && obstacleOf(refusal) === "person") return false;
  return columnKey === attendanceColumn || state !== "idle" || accepted !== null || unreleased !== null;
}

type ListedFacts = Pick<Delivery, "columnKey" | "state" | "accepted" | "refusal" | "unreleased">;

export function urgencyOf(score: ListedFacts & Pick<Delivery, "foreign">) {
  return isNews(score) ? urgencyOfState(scoreStateOf(score)) : urgency.noNews;
}

export function urgencyOfState(state: ScoreState): number {
  return state === "held" || state === "refused" || state === "waiting" ? urgency[state] : urgency.settled;
}

/**
 * - now: without waiting; gathered ones after a quiet moment.
 * - gathered: more about the same person is expected; one score is to cover it.
 * - regraded: after a change of the course, perhaps in a burst: after a quiet moment; gathered ones still wait.
 */
export type Sending = "now" | "gathered" | "regraded";

/** The longest wait for more about a person (ms). */
const maxGatheringMs = 15_000;
/** The quiet time that ends a burst (ms). */
export const quietMs = 1_500;

/** When a newly waiting score is due (ms), and whether it gathers. */
export function dueFirst(sending: Sending, now: number): { nextTryAt: number; gathering: boolean } {
  const waits = { now: 0, gathered: maxGatheringMs, regraded: quietMs }[sending];
  return { nextTryAt: now + waits, gathering: waits > 0 };
}

/** When a score that gathers since `since` is due after another change (ms); null: unchanged. */
export function dueAgain(sending: Sending, since: number, now: number): number | null {
  if (sending === "regraded") return null;
  const atLast = since + maxGatheringMs;
  return sending === "gathered" ? atLast : Math.min(atLast, now + quietMs);
}

/** Why new grades of a course wait for an instructor; `day`: the last on which they went by themselves. */
export type GradesHold = { why: "ended"; day: string } | { why: "hand" };

/**
 * Null where they go by themselves. A last day before the course began here is of an earlier term: a default that its
 * institution left, or a course that the LMS uses again.
 */
export function holdOf(
  { gradesUntil: day, gradesRelease, timeZone, createdAt, countsFrom }: SendingCourse,
  now: number,
): GradesHold | null {
  const dateOf = (at: number) => wallTimeOf(at, timeZone ?? "UTC").date;
  const began = Math.max(createdAt, countsFrom ?? 0);
  if (day !== "" && dateOf(began) <= day && dateOf(now) > day) return { why: "ended", day };
  return gradesRelease === "hand" ? { why: "hand" } : null;
}

type SendingCourse = Pick<Course, "gradesUntil" | "gradesRelease" | "timeZone" | "createdAt" | "countsFrom">;
