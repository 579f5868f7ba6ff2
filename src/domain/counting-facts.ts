import {
  type AttendanceFacts,
  currentAttendanceOf,
  latestObservation,
  minutesOf,
  presenceSeen,
  rankOf,
  withCorrection,
} from "./attendance.ts";

/** Used in place of a person's id if an institution's office did something. */
export const officeId = "office";

/**
 * Merges the attendance of one person's accounts in one session. The better evidence counts, and so does the newest mark by an
 * instructor, on any account. @param accounts The present account first.
 */
export function joinedFacts(accounts: readonly [AttendanceFacts, ...AttendanceFacts[]]): AttendanceFacts {
  const [own, ...earlier] = accounts;
  const best = earlier.reduce((one, other) => (evidenceRank(other) < evidenceRank(one) ? other : one), own);
  const longest = accounts
    .flatMap(({ seen }) => seen ?? [])
    .reduce<AttendanceFacts["seen"]>(
      (one, other) => (one === undefined || other.ms > one.ms ? other : one),
      undefined,
    );
  // If a mark on an earlier account was taken back, it says nothing about this one.
  const marks = earlier.flatMap(({ corrections }) => (corrections[0]?.status == null ? [] : corrections));
  return {
    history: best.history,
    corrections: marks.reduce(withCorrection, own.corrections),
    ...(longest === undefined ? {} : { seen: longest }),
  };
}

/** Ranks evidence without instructors' marks: the best status first, then the longest time. No status comes last. */
function evidenceRank({ history, seen }: AttendanceFacts): number {
  const observed = latestObservation(history);
  if (observed === null) return Number.POSITIVE_INFINITY;
  const stay = presenceSeen({ history, ...(seen === undefined ? {} : { seen }) });
  const minutes = stay === undefined ? 0 : (minutesOf(stay)?.present ?? 0);
  return rankOf(observed.status) - minutes / (minutes + 1);
}

/** An instructor's newest mark. An office's excuse is none, and may be withdrawn. */
export function newestMark({ corrections }: Pick<AttendanceFacts, "corrections">) {
  return corrections.find(({ by }) => by !== officeId);
}

/** Applies an office's excuse if no instructor marked the learner, and nothing says that they were there. */
export function excusedFacts(
  facts: AttendanceFacts,
  { reason, at }: { reason: string; at: number },
): AttendanceFacts {
  const marked = facts.corrections[0];
  const current = currentAttendanceOf(facts);
  if (marked?.status != null || (current !== null && current.status !== "ABSENT")) return facts;
  // Never earlier than the classroom's report, which would otherwise look newer than the excuse.
  const since = Math.max(at, latestObservation(facts.history)?.at ?? 0);
  const excuse = { status: "EXCUSED", notes: null, reason, by: officeId, at: since } as const;
  return { ...facts, corrections: [excuse, ...facts.corrections] };
}
