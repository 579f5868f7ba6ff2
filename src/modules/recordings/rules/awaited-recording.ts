import type { SessionEnd, SpaceRecording } from "./recording.ts";

/** A session that has ended and of which no recording has come. "given-up": none is expected any more. */
export type AwaitedRecording = { end: SessionEnd; state: "awaited" | "given-up" };

/** What was made longer before the end of a session (ms) is of another one, of whose end nobody told. */
const longestSession = 12 * 3_600_000;

/**
 * The ends after which a recording may still come, or should have come. Many sessions are not recorded at all, which the
 * classroom does not tell.
 * @param ends Ends of sessions of one Space.
 * @param recordings Recordings of the same Space.
 * @param times How long one is waited for, and how long it is told that none came (ms).
 */
export function awaitedRecordings(
  ends: readonly SessionEnd[],
  recordings: readonly SpaceRecording[],
  { givenUpMs, toldForMs }: { givenUpMs: number; toldForMs: number },
  now: number,
): AwaitedRecording[] {
  const sorted = [...ends].sort((one, other) => one.endedAt - other.endedAt);
  return sorted.flatMap((end, index) => {
    if (now - end.endedAt > toldForMs) return [];
    const after = Math.max(sorted[index - 1]?.endedAt ?? 0, end.endedAt - longestSession);
    const span = { after, before: sorted[index + 1]?.endedAt };
    if (recordings.some((recording) => isOf(recording, end, span))) return [];
    return [{ end, state: now - end.endedAt < givenUpMs ? "awaited" : "given-up" }];
  });
}

/** Whether a recording is that of a session: named by it, made before its end, or come between its end and the next one's. */
function isOf(
  recording: SpaceRecording,
  { sessionId, endedAt }: SessionEnd,
  { after, before = Infinity }: { after: number; before: number | undefined },
): boolean {
  if (recording.sessionId !== null) return recording.sessionId === sessionId;
  const madeAt = recording.startedAt ?? recording.endedAt;
  if (madeAt !== null) return madeAt > after && madeAt <= endedAt;
  const cameAt = recording.availableAt ?? recording.transcriptAt ?? recording.firstSeenAt;
  return cameAt >= endedAt && cameAt < before;
}
