import type { SessionEnd } from "../recordings/rules/recording.ts";
import type { Course } from "../../domain/course.ts";
import type { SessionEndStore } from "../recordings/store/session-end-store.ts";
import { assumedSessionMs, maxEnds, maxReportDelayMs } from "./rules/limits.ts";

type HeldSession = {
  key: string;
  spaceId: string | null;
  startsAt: number | null;
  endsAt: number | null;
};

/**
 * Milliseconds by key. An end belongs to the session in its Space that began last, unless that was over long before;
 * the latest of several ends counts.
 */
export async function reportedEnds(
  deps: { sessionEnds: Pick<SessionEndStore, "listOfSpaces"> },
  { environment }: Pick<Course, "environment">,
  sessions: readonly HeldSession[],
): Promise<ReadonlyMap<string, number>> {
  const spaceIds = [...new Set(sessions.flatMap(({ spaceId }) => spaceId ?? []))];
  const ends = await deps.sessionEnds.listOfSpaces(environment, spaceIds, maxEnds);
  const endedAts = new Map<string, number>();
  for (const end of ends) {
    const session = endedBy(end, sessions);
    if (session !== null) endedAts.set(session.key, Math.max(end.endedAt, endedAts.get(session.key) ?? 0));
  }
  return endedAts;
}

function endedBy({ spaceId, endedAt }: SessionEnd, sessions: readonly HeldSession[]): HeldSession | null {
  let last: (HeldSession & { startsAt: number }) | null = null;
  for (const session of sessions) {
    const { startsAt } = session;
    if (session.spaceId !== spaceId || startsAt === null || startsAt > endedAt) continue;
    if (last === null || startsAt > last.startsAt) last = { ...session, startsAt };
  }
  return last !== null && endedAt <= (last.endsAt ?? last.startsAt + assumedSessionMs) + maxReportDelayMs
    ? last
    : null;
}
