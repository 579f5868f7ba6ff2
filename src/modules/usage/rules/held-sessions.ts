/** A scheduled event of a Space; times in ms, null while unknown. */
type PlannedEvent = { startsAt: number; endsAt: number | null; attended: boolean };

/** What was seen of a session in a Space: from the first coming to the last leaving (ms). */
export type SeenSession = { from: number; to: number };

/** An event without an end lasts so long. */
const usualMs = 3_600_000;

/**
 * When sessions of one Space were held (ms): scheduled events that somebody attended or that somebody was in the Space
 * during, and sessions in the Space beside all scheduled events.
 */
export function heldSessions(
  events: readonly PlannedEvent[],
  seen: readonly SeenSession[],
): readonly number[] {
  const held = events.filter(
    (event) => event.attended || seen.some((session) => overlaps(session, spanOf(event))),
  );
  const unplanned = seen.filter((session) => !events.some((event) => overlaps(session, spanOf(event))));
  return [...held.map(({ startsAt }) => startsAt), ...unplanned.map(({ from }) => from)];
}

function spanOf({ startsAt, endsAt }: PlannedEvent): SeenSession {
  return { from: startsAt, to: endsAt ?? startsAt + usualMs };
}

function overlaps(one: SeenSession, other: SeenSession): boolean {
  return one.from < other.to && other.from < one.to;
}
