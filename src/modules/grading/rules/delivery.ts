import { everyCourse, given, withCourse } from "../../../domain/held-record.ts";
import { flag, json, leaseFields, number, numberOf, text, textOf } from "../../../domain/record-fields.ts";
import { describeRecord, index, type ItemOf, unique } from "../../../domain/record.ts";

/** A score on its way to a gradebook: what it should be and what the LMS last took. */
export const deliveryRecord = describeRecord("Delivery", {
  fields: {
    registrationId: text,
    courseId: text,
    /** Which of the course's columns; "attendance" is the one of the default policy. */
    columnKey: text,
    personId: text,
    /** The LMS's user id, as AGS wants it. */
    sub: text,
    desired: json<DesiredScore>().orNull,
    accepted: json<AcceptedScore>().orNull,
    /**
     * waiting: differs from what the LMS has, or is being sent · delivered · refused: needs somebody to act ·
     * held: a teacher changed the grade in the gradebook, and nothing is sent until an instructor says so.
     */
    state: textOf<"idle" | "waiting" | "delivered" | "refused" | "held">(),
    /** The grade that a teacher gave in the gradebook, as last seen there; null while it is ours. */
    foreign: json<ForeignScore>().orNull,
    /** The teacher's grade that an instructor wants to be replaced; null when nobody said so. */
    overruled: json<ForeignScore>().orNull,
    /** Scores that were sent since the last one that was accepted, the latest last: each may have arrived. */
    unconfirmed: json<readonly SentScore[]>().or([]),
    /** To be brought to the LMS also when it is what was accepted: into another column, or because somebody asked for it. */
    again: flag.or(false),
    attempts: number,
    nextTryAt: number,
    /** Since when the LMS has been behind; null when it is not. */
    waitingSince: number.orNull,
    /** Why the last attempt failed, in words for the instructor. */
    lastError: text.orNull,
    /** Code of what `lastError` says, to say it in other languages; earlier records lack it, and alone it means nothing. */
    reason: text.orNull.optional,
    /** Code of the refusal; null unless it is refused. */
    refusal: text.orNull,
    /** Timestamp of the last score sent; a later one must be in a later second (Moodle compares whole seconds). */
    lastSentAt: number.orNull,
    /**
     * When the database was restored from a backup (ms), while this score has not been compared with the gradebook since; null or
     * left out otherwise. With the state "delivered": the gradebook could not be read.
     */
    restoredAt: numberOf<number | null>().optional,
  },
  hidden: {
    /** It is due later than now because more about this person is expected in a moment; see `wantScores`. */
    gathering: flag.optional,
    /** Grows with every score that is wanted, changed or not. */
    revision: number.optional,
    /** The computation that `desired` is of; see SeenInputs. */
    seenRegrade: number.optional,
    seenStanding: number.optional,
    /** Where it stands in lists; see `deliveryOrder`. */
    urgency: numberOf<number | null>().optional,
    listName: textOf<string | null>().optional,
    ...leaseFields,
  },
  indexes: [
    unique("registrationId", "courseId", "columnKey", "personId"),
    index("state", "nextTryAt"),
    index("state", "waitingSince"),
    index("registrationId", "state", "nextTryAt"),
    index("registrationId", "courseId", "state", "columnKey", "nextTryAt"),
    index("registrationId", "leaseUntil"),
    index("registrationId", "courseId", "personId", "state"),
    index("registrationId", "courseId", "urgency", "listName", "personId", "columnKey", "state"),
  ],
  held: {
    key: "scores",
    holds:
      "scores sent or to be sent, with their comments, what the LMS answered, and a teacher's own grade seen there",
    kept: withCourse,
    person: [everyCourse],
    given: given(
      everyCourse,
      "courseId columnKey desired accepted foreign overruled state lastSentAt reason",
    ),
    names: [{ path: "personId", among: "courses", both: "sent" }],
  },
});
export type Delivery = ItemOf<typeof deliveryRecord>;

/** The score the policy computes. */
export type DesiredScore = {
  /** Null asks the LMS to clear the score it has. */
  score: number | null;
  maximum: number;
  comment: string | null;
  /** Grows with every change; a confirmation counts only for the revision that was sent. */
  revision: number;
};

/** Codes of refusals that are about the person: they may be a student again, while a locked column stays locked. */
export const personalRefusals: readonly string[] = ["not-gradable", "lms-status-400", "lms-status-422"];

/** A score without its place in the order of changes. */
export type SentScore = Omit<DesiredScore, "revision"> & {
  /** The points that the column had when the score went there; left out where nobody knew. */
  points?: number;
};

/** A grade that somebody else gave; without a score where they took one away. */
export type ForeignScore = {
  score: number | null;
  maximum: number;
  seenAt: number;
  /** When an instructor said that it is to stay; null while nobody has. */
  leftAt?: number | null;
  /**
   * Found when scores were compared with the gradebook after the restore of that moment (ms): it may be a teacher's, or ours and
   * sent after the backup.
   */
  restoredAt?: number;
};

/** What the LMS confirmed. */
export type AcceptedScore = SentScore & {
  at: number;
  /** The column that took it; missing in records of earlier versions. */
  lineItemUrl?: string;
  /** The last one that another column took before; it is still there. */
  before?: SentScore & { lineItemUrl: string };
};

/** What a newly computed score changes in a delivery besides the score itself. */
export type WantedChange = Partial<
  Pick<
    Delivery,
    | "state"
    | "accepted"
    | "foreign"
    | "overruled"
    | "attempts"
    | "nextTryAt"
    | "waitingSince"
    | "lastError"
    | "refusal"
  >
>;

/** Whether two scores are the same in everything that is sent. */
export function isSameScore(one: SentScore, other: SentScore): boolean {
  return one.score === other.score && one.maximum === other.maximum && one.comment === other.comment;
}

/** Whether the LMS took exactly this score last, as far as the database knows. */
export function hasArrived(
  { accepted, unconfirmed }: Pick<Delivery, "accepted" | "unconfirmed">,
  score: SentScore,
): boolean {
  return accepted !== null && isSameScore(accepted, score) && unconfirmed.length === 0;
}

/** Whether the database was restored and what it says of this score is not to be believed before the gradebook was read. */
export function isToCompare({ restoredAt = null }: Pick<Delivery, "restoredAt">): boolean {
  return restoredAt !== null;
}

/**
 * What becomes of a delivery for which another score is wanted than before.
 * A held one stays held, until the score wanted is the teacher's own; a clearing where nothing was ever sent and a
 * score that the LMS has already are nothing to send.
 * @param now Milliseconds since the epoch.
 */
export function afterWanting(delivery: Omit<Delivery, "id">, score: SentScore, now: number): WantedChange {
  if (delivery.state === "held") return stillHeld(delivery, score, now);
  const settled = isToCompare(delivery) ? null : nothingToSend(delivery, score);
  if (settled !== null) return { state: settled, ...nothingWaits };
  const { nextTryAt, waitingSince, lastError } = delivery;
  // A platform that told us to wait is not asked earlier because a grade changed once more.
  const since =
    delivery.state === "waiting"
      ? { nextTryAt, waitingSince, lastError }
      : { nextTryAt: now, waitingSince: now, lastError: null };
  return { state: "waiting", attempts: 0, refusal: null, ...since };
}

function nothingToSend(delivery: Omit<Delivery, "id">, score: SentScore): "idle" | "delivered" | null {
  const neverSent = delivery.lastSentAt === null && delivery.accepted === null;
  if (score.score === null && neverSent) return "idle";
  return hasArrived(delivery, score) && !delivery.again ? "delivered" : null;
}

const nothingWaits = { waitingSince: null, lastError: null, refusal: null };

function stillHeld({ foreign, accepted }: Omit<Delivery, "id">, score: SentScore, now: number): WantedChange {
  if (foreign === null || !isSameGrade(foreign, score)) return {};
  const there = { ...accepted, ...score, at: now };
  return { state: "delivered", accepted: there, foreign: null, overruled: null, ...nothingWaits };
}

/** A score in the points of a column; as precise as LMSs are. */
export function inPoints(
  { score, maximum }: { score: number; maximum: number },
  points: number,
): { score: number; maximum: number } {
  return { score: Math.round((score / maximum) * points * 1e5) / 1e5, maximum: points };
}

/** LMSs keep about five decimals, in their own scale; a hundredth is the smallest step of ours. */
const tolerance = 0.005;

/** Whether two scores are the same share of their maximum, as far as a gradebook can keep it. */
export function isSameGrade(
  one: { score: number | null; maximum: number },
  other: { score: number | null; maximum: number },
): boolean {
  if (one.score === null || other.score === null) return one.score === other.score;
  return Math.abs((one.score / one.maximum) * other.maximum - other.score) < tolerance;
}
