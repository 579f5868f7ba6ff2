import type { SessionEnd, SpaceRecording } from "./recording.ts";
import { hourMs, minuteMs } from "../../../kernel/clock.ts";

export type DatedSession = { eventId: string; startsAt: number; endsAt: number };

/** A recording's session by time. "several" if that doesn't decide. */
export type SessionOfRecording<Session extends DatedSession> =
  | { kind: "one"; session: Session }
  | { kind: "several"; sessions: Session[] }
  | { kind: "none" };

/** Recordings may begin this long before their session and end this long after it (ms). */
const earlyMs = 15 * minuteMs;
const lateMs = 30 * minuteMs;
/** A difference in time that decides between two sessions (ms). */
const clearlyMs = 20 * minuteMs;

/**
 * Finds the session in whose time a recording was made. Without start and end, it uses the session's end from its webhook, or the recording's
 * arrival.
 * @param sessions Possible sessions in the recording's Space, without cancelled ones.
 * @param ends Ends of sessions of that Space.
 * @param lag A recording comes at most this long after the end (ms).
 */
export function sessionOfRecording<Session extends DatedSession>(
  recording: SpaceRecording,
  sessions: readonly Session[],
  ends: readonly SessionEnd[],
  lag: number,
): SessionOfRecording<Session> {
  const span = spanOf(recording);
  if (span === null) {
    const endedAt = endOf(recording, ends, lag);
    // The webhook comes after processing, which takes no longer than a recording's.
    return endedAt === null
      ? oneOf(runningAt(cameAtOf(recording), lag, sessions))
      : oneOf(endingAt(endedAt, runningAt(endedAt, lag / 2, sessions)));
  }
  const overlapping = sessions
    .map((session) => ({ session, shared: overlap(span, session) }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared);
  const maxSharedMs = overlapping[0]?.shared ?? 0;
  // A session with less than half of the overlap is a neighbour.
  return oneOf(overlapping.filter(({ shared }) => shared * 2 >= maxSharedMs).map(({ session }) => session));
}

type Span = { from: number; to: number };

function spanOf({ startedAt, endedAt, durationSeconds }: SpaceRecording): Span | null {
  const length = durationSeconds === null ? null : durationSeconds * 1_000;
  if (startedAt !== null) return { from: startedAt, to: endedAt ?? startedAt + (length ?? minuteMs) };
  if (endedAt !== null) return { from: endedAt - (length ?? minuteMs), to: endedAt };
  return null;
}

/** Milliseconds. The margins around a session count a little. */
function overlap(span: Span, { startsAt, endsAt }: DatedSession): number {
  const shared = (from: number, to: number) => Math.min(span.to, to) - Math.max(span.from, from);
  const inside = shared(startsAt, endsAt);
  if (inside > 0) return inside;
  return shared(startsAt - earlyMs, endsAt + lateMs) > 0 ? 1 : 0;
}

/** From the session's webhook. Null if none fits. */
function endOf(recording: SpaceRecording, ends: readonly SessionEnd[], lag: number): number | null {
  const cameAt = cameAtOf(recording);
  const own = ends.find(({ sessionId }) => sessionId === recording.sessionId);
  const last = ends
    .filter(({ endedAt }) => endedAt <= cameAt && cameAt - endedAt <= lag)
    .sort((one, other) => other.endedAt - one.endedAt)[0];
  return (own ?? last)?.endedAt ?? null;
}

function cameAtOf({ availableAt, transcriptAt, firstSeenAt }: SpaceRecording): number {
  return availableAt ?? transcriptAt ?? firstSeenAt;
}

/** Sessions that had begun, and ended at most `lag` before (ms). */
function runningAt<Session extends DatedSession>(at: number, lag: number, sessions: readonly Session[]) {
  return sessions.filter(({ startsAt, endsAt }) => startsAt < at && endsAt >= at - lag);
}

/** Sessions whose planned end is nearest to this moment. Several if none is clearly nearest. */
function endingAt<Session extends DatedSession>(endedAt: number, sessions: readonly Session[]): Session[] {
  const distance = ({ endsAt }: Session) => Math.abs(endsAt - endedAt);
  const nearest = [...sessions].sort((one, other) => distance(one) - distance(other));
  const [best, second] = nearest;
  if (best === undefined || second === undefined) return nearest;
  return distance(second) - distance(best) >= clearlyMs ? [best] : nearest;
}

function oneOf<Session extends DatedSession>(sessions: Session[]): SessionOfRecording<Session> {
  const [first, ...others] = sessions;
  if (first === undefined) return { kind: "none" };
  return others.length === 0 ? { kind: "one", session: first } : { kind: "several", sessions };
}

/** An ended session without a recording. "given-up": none is expected any more. */
type AwaitedRecording = { end: SessionEnd; state: "awaited" | "given-up" };

/** A recording made longer before an end than this (ms) belongs to another session. */
const maxSessionMs = 12 * hourMs;

/**
 * Lists ended sessions without a recording. Whether they were recorded is unknown.
 * @param ends Ends of sessions of one Space. @param recordings The same Space's.
 * @param times How long a recording is expected, and how long its absence is shown (ms).
 */
export function awaitedRecordings(
  ends: readonly SessionEnd[],
  recordings: readonly SpaceRecording[],
  { givenUpMs, missingForMs }: { givenUpMs: number; missingForMs: number },
  now: number,
): AwaitedRecording[] {
  const sorted = [...ends].sort((one, other) => one.endedAt - other.endedAt);
  return sorted.flatMap((end, index) => {
    if (now - end.endedAt > missingForMs) return [];
    const after = Math.max(sorted[index - 1]?.endedAt ?? 0, end.endedAt - maxSessionMs);
    const span = { after, before: sorted[index + 1]?.endedAt };
    if (recordings.some((recording) => isOf(recording, end, span))) return [];
    return [{ end, state: now - end.endedAt < givenUpMs ? "awaited" : "given-up" }];
  });
}

/** It names the session, was made before its end, or came between its end and the next one. */
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
