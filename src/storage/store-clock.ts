import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Clock, inStepMs, steadyClock } from "../kernel/clock.ts";
import { creepMs, creepUpToMs, driftMs, stepHoldMs, storeTimeReportMs, switchMs } from "./limits.ts";
import type { Database } from "./open-database.ts";
import { createThrottleStore } from "./throttle-store.ts";

/** The time of the store. All processes use it, whatever their machines' clocks say (record 0010). */
export type StoreClock = Required<Clock> & {
  /** Asks the store again; called every few seconds. */
  refresh: () => Promise<void>;
  /** How far this machine's time of day is ahead of the store's (ms), and how wrong that number may be. */
  lead: () => { ms: number; doubtMs: number };
};

/** `base` is the store's time when `elapsed` was 0. `next` replaces it from a moment on. */
type StoreTime = { base: number; next: { base: number; from: number } | null; doubtMs: number };
type AskStore = () => Promise<StoreTime>;

/**
 * Resolves when it knows the store's time: a MongoDB server's, or what the processes on one folder agreed on. It doesn't follow when
 * somebody sets a machine's clock, because claims and permits are compared by it.
 */
export function openStoreClock(
  { connection, engine }: Pick<Database, "connection" | "engine">,
  clock: Clock,
) {
  if (engine === "embedded") return storeClock(askFolder(createThrottleStore(connection), clock), clock);
  const serverTime = async () =>
    hello.parse(await connection.db?.admin().command({ hello: 1 })).localTime.getTime();
  return storeClock(askServer(serverTime, clock), clock);
}

const hello = z.object({ localTime: z.date() });

export async function storeClock(ask: AskStore, clock: Clock): Promise<StoreClock> {
  const { now: elapsed, sleep } = steadyClock(clock);
  let known = await ask();
  const now = () => Math.round(elapsed() + baseAt(known, elapsed()));
  return {
    now,
    elapsed,
    sleep,
    refresh: async () => {
      known = await ask();
    },
    lead: () => ({ ms: clock.now() - now(), doubtMs: known.doubtMs }),
  };
}

function baseAt({ base, next }: Pick<StoreTime, "base" | "next">, at: number): number {
  return next !== null && at >= next.from ? next.base : base;
}

/**
 * How far to follow a time that is `off` ms away. Follows a drift little by little, since claims last seconds. Follows a step only if
 * nothing has agreed with the previous time for long, and steps up to a minute in small parts.
 */
export function moveTowards(off: number, sinceAgreed: number): number {
  const within = (limit: number) => Math.max(-limit, Math.min(limit, off));
  if (Math.abs(off) <= inStepMs) return within(driftMs);
  if (sinceAgreed < stepHoldMs) return 0;
  return Math.abs(off) <= creepUpToMs ? within(creepMs) : off;
}

/** @param serverTime A MongoDB server's time at some moment between question and answer. */
export function askServer(serverTime: () => Promise<number>, clock: Clock): AskStore {
  const { now: elapsed } = steadyClock(clock);
  let known: { base: number; agreedAt: number } | null = null;
  const read = async () => {
    const asked = elapsed();
    const time = await serverTime();
    const at = elapsed();
    return { base: time - (asked + at) / 2, doubtMs: (at - asked) / 2, at };
  };
  /** Asks several times, because the first commands of a connection are slow. */
  const readOften = async () => {
    const all = [await read(), await read(), await read()];
    return all.reduce((best, one) => (one.doubtMs < best.doubtMs ? one : best));
  };
  return async () => {
    const reading = known === null ? await readOften() : await read();
    known ??= { base: reading.base, agreedAt: reading.at };
    const off = reading.base - known.base;
    const surely = Math.sign(off) * Math.max(0, Math.abs(off) - reading.doubtMs);
    if (Math.abs(surely) <= inStepMs) known.agreedAt = reading.at;
    const move = moveTowards(surely, reading.at - known.agreedAt);
    known.base += move;
    return { base: known.base, next: null, doubtMs: reading.doubtMs + Math.abs(surely - move) };
  };
}

const folderTime = z.object({
  /** From when `elapsed` counts: the start of the machine. */
  boot: z.string(),
  base: z.number(),
  next: z.object({ base: z.number(), from: z.number() }).nullable(),
  /** When a process whose clock agreed last looked, and when this was last written (both `elapsed`). */
  agreedAt: z.number(),
  changedAt: z.number(),
});
export type FolderTime = z.infer<typeof folderTime>;

/** What a process on a folder writes after it saw `known`. `own` is the base by its machine's time of day. */
export function nextFolderTime(
  known: FolderTime | null,
  { boot, own, at }: { boot: string; own: number; at: number },
): FolderTime {
  // If the time went back, the machine was started again.
  if (known?.boot !== boot || known.changedAt > at)
    return { boot, base: own, next: null, agreedAt: at, changedAt: at };
  const base = baseAt(known, at);
  const sinceChange = at - known.changedAt;
  const isAgreed = Math.abs(own - base) <= inStepMs;
  const isPending = known.next !== null && at < known.next.from;
  if (isPending || sinceChange < (isAgreed ? storeTimeReportMs : switchMs)) return known;
  const move = moveTowards(own - base, at - known.agreedAt);
  if (isAgreed) return { boot, base: base + move, next: null, agreedAt: at, changedAt: at };
  if (move === 0) return known;
  const moved = { ...known, base, changedAt: at };
  if (Math.abs(move) <= creepMs) return { ...moved, base: base + move, next: null };
  // All processes switch at the same moment, so none of them takes the others' claims for expired.
  return { ...moved, next: { base: base + move, from: at + switchMs } };
}

/** Processes on one machine agree on the time since its start. The folder notes which time of day that corresponds to. */
export function askFolder(
  records: Pick<ReturnType<typeof createThrottleStore>, "read" | "replace">,
  clock: Clock,
): AskStore {
  const { now: elapsed } = steadyClock(clock);
  const boot = clock.elapsed === undefined ? "a clock of its own" : bootId();
  return async () => {
    for (;;) {
      const found = await records.read(recordKey);
      const known = found === null ? null : (folderTime.safeParse(JSON.parse(found.record)).data ?? null);
      const at = elapsed();
      const next = nextFolderTime(known, { boot, own: clock.now() - at, at });
      const isWritten =
        next === known || (await records.replace(recordKey, found?.revision ?? null, JSON.stringify(next)));
      if (isWritten) return { base: next.base, next: next.next, doubtMs: 0 };
    }
  };
}

const recordKey = "time of day";

/** Changes with each start of the machine. Linux only; elsewhere, a clock after a restart counts as one that was set. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
