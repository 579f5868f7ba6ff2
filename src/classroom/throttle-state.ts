import { readShared } from "./throttle-record.ts";
import { throttleKey, type ThrottleStore } from "./throttle.ts";
import { priorities, type Priority } from "./waiting-line.ts";

/** How calls with one API key stand, for somebody who only looks. */
export type ThrottleState = {
  /** Calls of all processes within the last second. */
  lastSecond: number;
  /** The latest call (ms); null when none is remembered. */
  lastCallAt: number | null;
  /** The service asked to be left alone until then (ms); null when it did not. */
  pausedUntil: number | null;
  /** How many processes have a call of this priority as their most urgent one. */
  processes: Readonly<Record<Priority, number>>;
};

/** Nobody waits for so long (ms) without writing it down anew: what an older record says of waiting is over. */
const waitingLasts = 10_000;

/** How all processes stand that share an API key. */
export async function throttleState(
  deps: { store: Pick<ThrottleStore, "read"> },
  apiKey: string,
  now: number,
): Promise<ThrottleState> {
  const found = await deps.store.read(throttleKey(apiKey));
  const shared = found === null ? null : readShared(found.record);
  const calls = (shared?.callsAt ?? []).filter((at) => at <= now);
  const lastCallAt = calls.length === 0 ? null : Math.max(...calls);
  const waiting = lastCallAt !== null && now - lastCallAt < waitingLasts ? (shared?.waiting ?? []) : [];
  const count = (priority: Priority) => waiting.filter(({ rank }) => priorities[rank] === priority).length;
  return {
    lastSecond: calls.filter((at) => now - at < 1_000).length,
    lastCallAt,
    pausedUntil: shared !== null && shared.pausedUntil > now ? shared.pausedUntil : null,
    processes: {
      door: count("door"),
      instructor: count("instructor"),
      session: count("session"),
      background: count("background"),
    },
  };
}
