import type { SessionEnd } from "../recordings/rules/recording.ts";
import type { Course } from "../../domain/course.ts";
import type { SessionEndStore } from "../recordings/store/session-end-store.ts";

/** A session as it is held against the ends that were told of its Space. */
type HeldSession = {
  key: string;
  spaceId: string | null;
  startsAt: number | null;
  endsAt: number | null;
};

/** The webhook comes when the session has been worked up (interface 6.3): so long after its end at most (ms). */
const workedUp = 3 * 3_600_000;
const usualLength = 3_600_000;
const most = 200;

/**
 * When the classroom reported the ends of some sessions (ms), by their keys. An end is that of the session in its Space that
 * had begun last, unless that was over long before; of several ends the last one holds.
 */
export async function reportedEnds(
  deps: { sessionEnds: Pick<SessionEndStore, "listOfSpaces"> },
  { environment }: Pick<Course, "environment">,
  sessions: readonly HeldSession[],
): Promise<ReadonlyMap<string, number>> {
  const spaceIds = [...new Set(sessions.flatMap(({ spaceId }) => spaceId ?? []))];
  const ends = await deps.sessionEnds.listOfSpaces(environment, spaceIds, most);
  const told = new Map<string, number>();
  for (const end of ends) {
    const session = endedBy(end, sessions);
    if (session !== null) told.set(session.key, Math.max(end.endedAt, told.get(session.key) ?? 0));
  }
  return told;
}

function endedBy({ spaceId, endedAt }: SessionEnd, sessions: readonly HeldSession[]): HeldSession | null {
  let last: (HeldSession & { startsAt: number }) | null = null;
  for (const session of sessions) {
    const { startsAt } = session;
    if (session.spaceId !== spaceId || startsAt === null || startsAt > endedAt) continue;
    if (last === null || startsAt > last.startsAt) last = { ...session, startsAt };
  }
  return last !== null && endedAt <= (last.endsAt ?? last.startsAt + usualLength) + workedUp ? last : null;
}
