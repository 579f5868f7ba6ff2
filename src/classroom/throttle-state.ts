import { readShared } from "./throttle-record.ts";
import { throttleKey, type ThrottleStore } from "./throttle.ts";
import { priorities, type Priority } from "./waiting-line.ts";
import { waitingTtlMs } from "./throttle-limits.ts";

/** Calls with one API key, for observers. */
export type ThrottleState = {
  /** Calls of all processes within the last second. */
  lastSecond: number;
  /** The latest call (ms); null when none is remembered. */
  lastCallAt: number | null;
  /** The service asked for a pause until then (ms); null for none. */
  pausedUntil: number | null;
  /** Processes whose most urgent call has this priority. */
  processes: Readonly<Record<Priority, number>>;
};

export async function throttleState(
  deps: { store: Pick<ThrottleStore, "read"> },
  apiKey: string,
  now: number,
): Promise<ThrottleState> {
  const found = await deps.store.read(throttleKey(apiKey));
  const shared = found === null ? null : readShared(found.record);
  const calls = (shared?.callsAt ?? []).filter((at) => at <= now);
  const lastCallAt = calls.length === 0 ? null : Math.max(...calls);
  const waiting = lastCallAt !== null && now - lastCallAt < waitingTtlMs ? (shared?.waiting ?? []) : [];
  const count = (priority: Priority) => waiting.filter(({ rank }) => priorities[rank] === priority).length;
  return {
    lastSecond: calls.filter((at) => now - at < 1_000).length,
    lastCallAt,
    pausedUntil: shared !== null && shared.pausedUntil > now ? shared.pausedUntil : null,
    processes: {
      entry: count("entry"),
      instructor: count("instructor"),
      session: count("session"),
      background: count("background"),
    },
  };
}
