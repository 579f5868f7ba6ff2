import type { SessionEnd, SpaceRecording } from "./recording.ts";

/** An ended session without a recording. "given-up": none is expected any more. */
export type AwaitedRecording = { end: SessionEnd; state: "awaited" | "given-up" };

/** A recording made longer before an end than this (ms) belongs to another session. */
const maxSessionMs = 12 * 3_600_000;

/**
 * Whether a session was recorded at all is unknown.
 * @param ends Of sessions of one Space. @param recordings Of the same Space.
 * @param times How long one is expected, and how long its absence is shown (ms).
 */
export function awaitedRecordings(
  ends: readonly SessionEnd[],
  recordings: readonly SpaceRecording[],
  { givenUpMs, shownMissingMs }: { givenUpMs: number; shownMissingMs: number },
  now: number,
): AwaitedRecording[] {
  const sorted = [...ends].sort((one, other) => one.endedAt - other.endedAt);
  return sorted.flatMap((end, index) => {
    if (now - end.endedAt > shownMissingMs) return [];
    const after = Math.max(sorted[index - 1]?.endedAt ?? 0, end.endedAt - maxSessionMs);
    const span = { after, before: sorted[index + 1]?.endedAt };
    if (recordings.some((recording) => isOf(recording, end, span))) return [];
    return [{ end, state: now - end.endedAt < givenUpMs ? "awaited" : "given-up" }];
  });
}

/** Named by it, made before its end, or came between its end and the next one. */
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
