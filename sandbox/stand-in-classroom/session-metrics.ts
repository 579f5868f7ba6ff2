type Stay = { userId: string; from: number; to: number };

const minuteMs = 60_000;

/**
 * What this stand-in says of a session that is over. The document names "metrics on user engagement, network data and device data"
 * (part 4) and shows none: these are invented, from who was there.
 */
export function sessionMetrics(
  { sessionId, spaceId }: { sessionId: string; spaceId: string },
  stays: readonly Stay[],
  endedAt: number,
) {
  const startedAt = Math.min(endedAt, ...stays.map(({ from }) => from));
  const minutes = (from: number, to: number) => Math.round((to - from) / minuteMs);
  const thereAt = (at: number) => stays.filter(({ from, to }) => from <= at && at <= to).length;
  const marks = Array.from({ length: 13 }, (_none, part) => startedAt + ((endedAt - startedAt) * part) / 12);
  const all = stays.map(({ from, to }) => minutes(from, to));
  return {
    ...{ sessionId, spaceId },
    startTime: new Date(startedAt).toISOString(),
    endTime: new Date(endedAt).toISOString(),
    engagement: {
      participantCount: stays.length,
      averageMinutes: all.length === 0 ? 0 : Math.round(all.reduce((sum, one) => sum + one, 0) / all.length),
      timeline: marks.map((at) => ({ timestamp: new Date(at).toISOString(), present: thereAt(at) })),
    },
    network: {
      stableShare: stays.length === 0 ? null : (stays.length - (stays.length > 3 ? 1 : 0)) / stays.length,
    },
    participants: stays.map(({ userId, from, to }, at) => ({
      userId,
      minutesPresent: minutes(from, to),
      connectionStatus: at === 3 ? "Unstable" : "Stable",
      device: { camera: "Good", microphone: at === 1 ? "NO_INPUT_DETECTED" : "Good" },
    })),
  };
}

export type SessionMetrics = ReturnType<typeof sessionMetrics>;
