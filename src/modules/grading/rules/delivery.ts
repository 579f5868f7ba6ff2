import { everyCourse, given, withCourse } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { attendanceColumn } from "./column.ts";
import type { Course } from "../../../domain/course.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

export const deliveryRecord = describeRecord("Delivery", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    /** "attendance" is the column of the default policy. */
    columnKey: field.text,
    personId: field.text,
    sub: field.text,
    desired: field.json<DesiredScore>().orNull,
    /** A score computed since, but kept back until an instructor releases it; see `holdOf`. Null or left out for none. */
    unreleased: field.json<SentScore>().orNull.optional,
    accepted: field.json<AcceptedScore>().orNull,
    /**
     * refused: needs a person. blocked: due again when the obstacle is gone. held: a teacher changed the grade, and nothing is sent until an
     * instructor decides.
     */
    state: field.textOf<"idle" | "waiting" | "blocked" | "delivered" | "refused" | "held">(),
    /** The teacher's grade as last seen; null while the grade is ours. */
    foreign: field.json<ForeignScore>().orNull,
    /** A teacher's grade that an instructor decided to replace. */
    overruled: field.json<ForeignScore>().orNull,
    /** Scores sent since the last accepted one, the latest last. Each may have arrived. */
    unconfirmed: field.json<readonly SentScore[]>().or([]),
    /** Sent even if it was accepted before: into another column, or by request. */
    again: field.flag.or(false),
    attempts: field.number,
    nextTryAt: field.number,
    /** Since when the LMS has lacked the desired score (ms). */
    waitingSince: field.number.orNull,
    /** Why the last attempt failed, as a code of `grades.why` or `errors`; null or left out if it didn't. */
    reason: field.text.orNull.optional,
    refusal: field.text.orNull,
    /** Timestamp of the last score. The next one is in a later second (Moodle compares whole seconds). */
    lastSentAt: field.number.orNull,
    /** When the database was restored (ms), until the score is compared. */
    restoredAt: field.numberOf<number | null>().optional,
    /** When the attendance was marked that made it due (ms); null if something else did, or something kept the score back. */
    markedAt: field.numberOf<number | null>().optional,
  },
  hidden: {
    /** Due later, because more about this person is expected; see `setDesiredScores`. */
    gathering: field.flag.optional,
    /** Grows with every wanted score, changed or not, and with every sending. */
    revision: field.number.optional,
    /** What the computation of `desired` had seen; see SeenInputs. */
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
  /** The learner hasn't completed the activity by the course's rule; left out if they have. */
  inProgress?: boolean;
  /** Grows with every change. An answer counts for the revision that was sent. */
  revision: number;
};

/** Refusals that concern one person. They are final for a learner of the course; a locked column stays locked. */
export const personalRefusals: readonly string[] = ["not-gradable", "lms-status-400", "lms-status-422"];

/** What blocks a score for now. It ends without a decision about the score. */
export type Obstacle = "lms" | "launch" | "course" | "term" | "person";

export const personLeft = "person-left";

const obstacles: Readonly<Record<Obstacle, readonly string[]>> = {
  /** Until an operator admits the LMS, or its deployment, again. */
  lms: ["platform-inactive", "deployment-refused"],
  /** Until a launch grants the right, or comes from a link. */
  launch: ["scope-not-granted", "no-grade-service", "no-launched-link"],
  /** Until the course is open again, which the next check of its column shows. */
  course: ["course-gone", "course-concluded"],
  /** Until an instructor says why the gradebook is empty. */
  term: ["gradebook-emptied"],
  /** Until they are a learner of the course again. */
  person: [personLeft],
};

export function obstacleOf(code: string | null): Obstacle | null {
  const found = (["lms", "launch", "course", "term", "person"] as const).find((one) =>
    obstacles[one].includes(code ?? ""),
  );
  return found ?? null;
}

/** The codes of refusals that end when an obstacle does. */
export function codesOf(obstacle: Obstacle): string[] {
  return [...obstacles[obstacle]];
}

/** Why the score isn't there, as a code; null if nothing failed. */
export function causeOf({ refusal, reason = null }: Pick<Delivery, "refusal" | "reason">): string | null {
  return refusal ?? reason;
}

export type SentScore = Omit<DesiredScore, "revision"> & {
  /** The column's points when the score was sent; left out if unknown. */
  points?: number;
};

export type ForeignScore = {
  score: number | null;
  maximum: number;
  seenAt: number;
  /** When an instructor decided to leave this grade; null if none did. */
  leftAt?: number | null;
  /** Found by the comparison after this restore (ms): a teacher's grade, or ours from after the backup. */
  restoredAt?: number;
};

/** Whether its column had 0 points, so that nothing counts. */
export function isOfNoPoints({ accepted }: Pick<Delivery, "accepted">): boolean {
  return accepted?.points === 0 && accepted.score !== null;
}

export type AcceptedScore = SentScore & {
  at: number;
  /** When the attendance behind it was marked (ms); left out if the score came for another reason. */
  markedAt?: number;
  /** The column that accepted it; left out if unknown. */
  lineItemUrl?: string;
  /** The last score accepted in another column, where it still is. */
  before?: SentScore & { lineItemUrl: string };
};

type WhoseScore = "id" | "registrationId" | "courseId" | "columnKey" | "personId" | "sub";
/** Fields that change when a score becomes desired or was tried. */
export type DeliveryChange = Partial<Omit<Delivery, WhoseScore | "desired" | "unreleased">>;

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

/** Whether the LMS last accepted this score, as far as we know. */
export function hasArrived(
  { accepted, unconfirmed }: Pick<Delivery, "accepted" | "unconfirmed">,
  score: SentScore,
): boolean {
  return accepted !== null && isSameScore(accepted, score) && unconfirmed.length === 0;
}

/** Whether the score comes from a restored backup and hasn't been compared yet. */
export function isToCompare({ restoredAt = null }: Pick<Delivery, "restoredAt">): boolean {
  return restoredAt !== null;
}

/**
 * What a newly wanted score changes. A held delivery stays held until the wanted score equals the teacher's, and for good if an instructor
 * left the teacher's. Doesn't send scores that are already there, or clear what is empty. @param now Milliseconds since the epoch.
 */
export function afterWanting(delivery: Omit<Delivery, "id">, score: SentScore, now: number): DeliveryChange {
  if (delivery.state === "held") return stillInConflict(delivery, score, now);
  const settled = isToCompare(delivery) ? null : nothingToSend(delivery, score);
  if (settled !== null) return { state: settled, ...nothingWaits };
  const { nextTryAt, waitingSince, reason = null } = delivery;
  // The LMS asked us to wait until then.
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

/** A cleared grade counts as no grade, not as one that the gradebook has. */
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

/** A score in a column's points, to five decimals. A score out of 0 points has no share and stays as it is. */
export function inPoints({ score, maximum }: { score: number; maximum: number }, points: number) {
  if (maximum === 0) return { score, maximum };
  return { score: Math.round((score / maximum) * points * 1e5) / 1e5, maximum: points };
}

/** LMSs keep about five decimals in their own scale; our smallest step is a hundredth. */
const maxScoreDifference = 0.005;

/** Whether two grades have the same share of the maximum, as exactly as gradebooks keep it. Out of 0 points, they must be the same number. */
export function isSameGrade(
  one: { score: number | null; maximum: number },
  other: { score: number | null; maximum: number },
): boolean {
  if (one.score === null || other.score === null) return one.score === other.score;
  if (one.maximum === 0 && other.maximum !== 0) return false;
  const share = one.maximum === 0 ? one.score : (one.score / one.maximum) * other.maximum;
  return Math.abs(share - other.score) < maxScoreDifference;
}

/** In the order of the list. refused: needs a person. left: the teacher's grade was kept. idle: there is no grade to send. */
export const scoreStates = ["held", "refused", "waiting", "left", "delivered", "idle"] as const;
export type ScoreState = (typeof scoreStates)[number];

export type ScoreCounts = Readonly<Record<ScoreState, number>>;

/** Pages show blocked scores as waiting; the reason says for what. */
export function visibleState(state: Delivery["state"]): Exclude<Delivery["state"], "blocked"> {
  return state === "blocked" ? "waiting" : state;
}

export function scoreStateOf({ state, foreign }: Pick<Delivery, "state" | "foreign">): ScoreState {
  if (state !== "held") return visibleState(state);
  return (foreign?.leftAt ?? null) === null ? "held" : "left";
}

/** Scores that need a person come first. Columns that were never filled aren't listed. Stored, because lists sort by it. */
export const urgency = { held: 0, refused: 1, waiting: 2, settled: 3, noNews: 4 } as const;

/** Whether lists show the score. They don't for a column that was never filled, or a person who is no longer a learner here. */
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
 * - now: without waiting, and gathering scores after a quiet moment.
 * - gathered: more about the same person is expected, and one score should cover it.
 * - regraded: after a change of the course, perhaps in a burst: after a quiet moment. Gathering scores still wait.
 */
export type Sending = "now" | "gathered" | "regraded";

/** The longest wait for more about a person (ms). */
const maxGatheringMs = 15_000;
/** How long it must be quiet for a burst to be over (ms). */
export const quietMs = 1_500;

/** When a score that starts to wait is due (ms), and whether it gathers. */
export function dueFirst(sending: Sending, now: number): { nextTryAt: number; gathering: boolean } {
  const waits = { now: 0, gathered: maxGatheringMs, regraded: quietMs }[sending];
  return { nextTryAt: now + waits, gathering: waits > 0 };
}

/** When a score that has been gathering since `since` is due after another change (ms); null for no change. */
export function dueAgain(sending: Sending, since: number, now: number): number | null {
  if (sending === "regraded") return null;
  const atLast = since + maxGatheringMs;
  return sending === "gathered" ? atLast : Math.min(atLast, now + quietMs);
}

/** Why a course's new grades wait for an instructor. `day`: the last day on which they went automatically. */
export type GradesHold = { why: "ended"; day: string } | { why: "hand" };

/**
 * Null if grades go automatically. A last day before the course began here belongs to an earlier term: a default that its institution left
 * behind, or a course that the LMS uses again.
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
