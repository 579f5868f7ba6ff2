import {
  type AttendanceFacts,
  currentAttendanceOf,
  latestObservation,
  minutesOf,
  presenceSeen,
  rankOf,
  withCorrection,
} from "./attendance.ts";

/** Stands for the person where an institution's office did something. */
export const officeId = "office";

/**
 * Joins what the accounts of one person have in one session. The better evidence counts, once; so does the newest
 * instructor's mark, on whichever account. @param accounts The present account first.
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
  // A mark that was taken back on an earlier account says nothing about this one.
  const marks = earlier.flatMap(({ corrections }) => (corrections[0]?.status == null ? [] : corrections));
  return {
    history: best.history,
    corrections: marks.reduce(withCorrection, own.corrections),
    ...(longest === undefined ? {} : { seen: longest }),
  };
}

/** Without instructors' marks: the best status first, then the longest time; those without a status last. */
function evidenceRank({ history, seen }: AttendanceFacts): number {
  const observed = latestObservation(history);
  if (observed === null) return Number.POSITIVE_INFINITY;
  const stay = presenceSeen({ history, ...(seen === undefined ? {} : { seen }) });
  const minutes = stay === undefined ? 0 : (minutesOf(stay)?.present ?? 0);
  return rankOf(observed.status) - minutes / (minutes + 1);
}

/** An office's excuse counts where no instructor marked the learner, and nothing says that they were there. */
export function excusedFacts(
  facts: AttendanceFacts,
  { reason, at }: { reason: string; at: number },
): AttendanceFacts {
  const marked = facts.corrections[0];
  const current = currentAttendanceOf(facts);
  if (marked?.status != null || (current !== null && current.status !== "ABSENT")) return facts;
  // Never earlier than the classroom's report, which would otherwise look new.
  const since = Math.max(at, latestObservation(facts.history)?.at ?? 0);
  const excuse = { status: "EXCUSED", notes: null, reason, by: officeId, at: since } as const;
  return { ...facts, corrections: [excuse, ...facts.corrections] };
}
