import type { AccountId } from "../../../domain/account.ts";
import type { LastEntry } from "../../../domain/entry.ts";
import { anyOf, everyCourse, given } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { countFirst } from "../../../kernel/lists.ts";
import type { JoinSettings } from "../../../settings/options.ts";
import { expectedClassRecord } from "./expected-class.ts";
import { queueCallsPerSecond } from "./limits.ts";

export const preparedLoginRecord = describeRecord("ReadyLogin", {
  id: null,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    personId: field.text,
    login: field.text.or(""),
    fingerprint: field.text.or(""),
    expectedAs: field.json<LastEntry>().orNull,
    usableUntil: field.number,
    plan: field.text,
    fetches: field.number,
    usedAt: field.number.orNull,
    expiresAt: field.date,
  },
  indexes: [
    index.unique("registrationId", "courseId", "personId"),
    index("usableUntil"),
    // Only for housekeeping: every read compares `usableUntil`.
    index.expiry("expiresAt"),
  ],
  personalData: {
    key: "logins",
    holds: "a sealed login fetched before its person comes",
    stored: "until a few hours after the class",
    person: [everyCourse],
    isPassing: true,
  },
});

/** The latest turn given in a course (`<environment> <courseId>`) or served in a whole queue (`<environment>`). */
export const queueTurnRecord = describeRecord("DoorTurn", {
  id: null,
  fields: { turn: field.number, givenAt: field.number.optional },
  personalData: {
    key: "doorTurns",
    holds: "which course's people are let in next; no person",
    stored: "with the course",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  },
});

/** The summary of a whole queue (`<environment>`), written by the process that read it last. */
export const queueSummaryRecord = describeRecord("QueueSummary", {
  id: null,
  fields: {
    /** When the queue was read, and when the next reading is due (ms). */
    readAt: field.number,
    nextAt: field.number,
    /** Names the positions at the front. See `frontOf`. */
    front: field.text.or(""),
    /** Nobody at the front can be let in. */
    inTrouble: field.flag,
    /** Null until the queue was first read. */
    summary: field.json<QueueSummary>().orNull,
  },
  personalData: {
    key: "queueSummaries",
    holds: "how many people wait, by their turn; no person",
    stored: "always; one for each classroom account",
  },
});

/** A place in an account's queue. It outlives a restart. Stored as "Place", in `places`. */
export const queuePositionRecord = describeRecord("Place", {
  fields: {
    /** Digest of the browser's ticket, as in the page's address. Entering again gives a new one. */
    ticket: field.text,
    environment: field.textOf<AccountId>(),
    registrationId: field.text,
    courseId: field.text,
    personId: field.text,
    /** Null: the course's own Space. */
    courseLinkId: field.text.orNull,
    role: field.textOf<"instructor" | "learner">(),
    /** The locale of this launch, such as "de" or "pt-BR". Null if the LMS sent none. */
    locale: field.text.orNull,
    /** A phone or tablet, on which the classroom can't record locally. */
    mobile: field.flag,
    shown: field.textOf<JoinSettings["mode"]>(),
    /** Lower turns go first. `createQueueTurns` says how courses share the queue. */
    turn: field.number,
    arrivedAt: field.number,
    /** The calls that this entry will probably need. See `callsToEnter`. */
    calls: field.number,
    state: field.textOf<QueuePositionState>(),
    /** The sealed URL. Null before it's there and after its use. */
    login: field.text.orNull,
    /** The fingerprint of the login's Space URL. A login with another fingerprint isn't used. */
    fingerprint: field.text.orNull,
    /** Until when the login can be used (ms). */
    usableUntil: field.number.or(0),
    problem: field.json<EntryProblem>().orNull,
    /** Since when the classroom hasn't answered for this position (ms). */
    troubleSince: field.number.orNull,
    /** Until then the person counts as present (ms). Absent people aren't let in. */
    seenUntil: field.number,
  },
  hidden: {
    notBefore: field.number.or(0),
    expiresAt: field.date,
    /** Set while waiting, left or ready: a person has one such position per course. */
    open: field.flagOf<true>().optional,
    /** How often the person returned to the queue after the login was there. */
    returns: field.number.or(0),
    ...field.lease,
  },
  indexes: [
    index("environment", "state", "turn", "arrivedAt", "_id"),
    index("environment", "state", "seenUntil"),
    index.unique("ticket"),
    index.onlyWhere({ open: true }, index.unique("registrationId", "courseId", "personId")),
    index("registrationId", "courseId", "personId", "arrivedAt"),
    index("environment", "arrivedAt"),
    index("registrationId", "courseId", "state", "-turn"),
    index.expiry("expiresAt"),
  ],
  personalData: {
    key: "places",
    holds: "a position in the waiting queue with a sealed login",
    stored: "two hours",
    person: [everyCourse],
    given: given(everyCourse, "courseId role arrivedAt state mobile locale"),
    names: [{ path: "personId", among: "courses" }],
  },
});
export type QueuePosition = ItemOf<typeof queuePositionRecord>;

/** "left": waiting, but the page is gone. "ready": the login is there. "entered": the login was used. */
type QueuePositionState = "waiting" | "left" | "ready" | "entered" | "failed";

export type EntryProblem = { code: string; message: string; status: number; temporary: boolean };

export type QueueView =
  /** `peopleBefore`: how many people go first. `trouble`: the classroom doesn't answer. */
  | { state: "waiting"; peopleBefore: number; seconds: number; trouble: boolean }
  | { state: "ready" }
  | { state: "entered" }
  /** Another tab has the position now, or it was forgotten. */
  | { state: "gone" }
  | { state: "failed"; problem: EntryProblem };

/** Seconds until a person is let in after `calls` calls, including their own. */
export function secondsUntilIn(calls: number): number {
  return Math.ceil(calls / queueCallsPerSecond);
}

/** What decides the queue's order and its waiting times. */
export type InOrder = Pick<QueuePosition, "turn" | "arrivedAt" | "calls">;

/** One position in the queue, with how many people and calls are before it. */
type QueueStep = { turn: number; arrivedAt: number; people: number; calls: number };

/**
 * A whole queue in a few hundred numbers, with which the process that read it informs all others. It names every position near the front, and
 * the last. Further back it skips up to two percent, whose numbers lie between those of their neighbours.
 */
export type QueueSummary = {
  steps: readonly QueueStep[];
  /** How many people wait, and how many calls they need. */
  people: number;
  calls: number;
};

/** How many positions at the front are all named. They are let in within half a minute. */
const maxNamedRows = 100;

/** Further back, one in this many of the people before may be skipped. */
const maxShare = 50;

/** @param queue The first position first. */
export function queueSummary(queue: readonly InOrder[]): QueueSummary {
  const steps: QueueStep[] = [];
  let calls = 0;
  let next = 0;
  queue.forEach((position, people) => {
    if (people === next || people === queue.length - 1) {
      const { turn, arrivedAt } = position;
      steps.push({ turn, arrivedAt, people, calls });
      next += people < maxNamedRows ? 1 : Math.ceil(people / maxShare);
    }
    calls += position.calls;
  });
  return { steps, people: queue.length, calls };
}

/** Returns what is before a position, which needn't be in the queue. A person further back never has fewer people before them. */
export function beforeIn(
  { steps, people, calls }: QueueSummary,
  position: Pick<InOrder, "turn" | "arrivedAt">,
): { people: number; calls: number } {
  const { turn, arrivedAt } = position;
  const isNoLater = (step: QueueStep) =>
    step.turn < turn || (step.turn === turn && step.arrivedAt <= arrivedAt);
  const index = countFirst(steps, isNoLater) - 1;
  const step = steps[index];
  if (step === undefined) return { people: 0, calls: 0 };
  if (step.turn === position.turn && step.arrivedAt === position.arrivedAt)
    return { people: step.people, calls: step.calls };
  const end = steps[index + 1] ?? { turn: step.turn, people, calls };
  const between = end.turn === step.turn ? 1 : (position.turn - step.turn) / (end.turn - step.turn);
  // The step's own position is before it, and the next step's isn't.
  const share = (from: number, to: number) =>
    Math.min(to, Math.max(from + 1, from + Math.floor((to - from) * between)));
  return { people: share(step.people, end.people), calls: share(step.calls, end.calls) };
}

export const joiningRecords = [
  expectedClassRecord,
  preparedLoginRecord,
  queuePositionRecord,
  queueTurnRecord,
  queueSummaryRecord,
];
