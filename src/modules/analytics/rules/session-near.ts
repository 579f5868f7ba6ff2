type Times = { startsAt: number | null; endsAt: number | null; cancelled: boolean };

/** Of a session without an end (ms). */
const assumedMs = 2 * 60 * 60_000;
/** An end is said after processing (ms). */
const lateMs = 60 * 60_000;

/**
 * The session of a course that a session of the classroom was: the one that it overlaps most. Where only its end is known, the hour
 * before it counts.
 */
export function sessionNear<Session extends Times>(
  { startedAt, endedAt }: { startedAt: number | null; endedAt: number },
  sessions: readonly Session[],
): Session | null {
  const from = startedAt ?? endedAt - lateMs;
  const near = sessions
    .flatMap((session) => {
      const { startsAt } = session;
      if (startsAt === null || session.cancelled) return [];
      const shared = Math.min(endedAt, session.endsAt ?? startsAt + assumedMs) - Math.max(from, startsAt);
      return shared > 0 ? [{ session, shared }] : [];
    })
    .toSorted((one, other) => other.shared - one.shared);
  return near[0]?.session ?? null;
}
