import { z } from "zod";

/**
 * What all processes that share an API key know together; one record in the store. It holds no moments of
 * anybody's clock but ages ("this permit is for 320 ms before this record was written", or after it when negative):
 * whoever reads the record knows it was written before, so an age only grows, and clocks need not agree.
 */
const sharedSchema = z.object({
  /**
   * The latest permits; `age` in ms at writing; `late` is how much later the service may see the call at most: first the
   * latest moment at which its bytes may leave, and less when they `left` and when it was answered. Never more than it was, so
   * it holds for the call of a process that was killed as well.
   */
  permits: z.array(
    z.object({ n: z.number(), age: z.number(), late: z.number(), left: z.boolean().default(false) }),
  ),
  /** Everybody stands still for `ms` after writing. The id tells another pause from one already known. */
  pause: z.object({ id: z.string(), ms: z.number() }),
  /** How careful to be after answers 429, and how long ago the last of them came. */
  care: z
    .object({ id: z.string(), level: z.number(), age: z.number() })
    .default({ id: "", level: 0, age: 0 }),
  waiting: z.array(z.object({ by: z.string(), rank: z.number(), aged: z.boolean(), opensIn: z.number() })),
  /** Processes in the order of their latest permit, latest last. */
  served: z.array(z.string()),
  /** Permits since the last one that ignored priority. */
  sinceAged: z.number(),
  /** Who wrote this, and when by its own steady clock and by its time of day (ms). */
  by: z.string().default(""),
  writtenAt: z.number(),
  dayTime: z.number().optional(),
});
/** The record, read. */
export type SharedRecord = z.infer<typeof sharedSchema>;

/** What a shared record says to somebody who only looks. Times of the clock of whoever wrote it. */
export type SharedState = {
  /** When calls were (or are to be) made, as far as the record remembers them (ms). */
  callsAt: readonly number[];
  /** Nobody calls before (ms). */
  pausedUntil: number;
  /** The most urgent call that each waiting process has, by rank. */
  waiting: readonly { by: string; rank: number }[];
};

/** Reads a shared record; null for one of another version. */
export function readShared(record: string): SharedState | null {
  const shared = readRecord(record);
  if (shared === null) return null;
  const writtenAt = shared.dayTime ?? shared.writtenAt;
  return {
    callsAt: shared.permits.map(({ age }) => writtenAt - age),
    pausedUntil: writtenAt + shared.pause.ms,
    waiting: shared.waiting.map(({ by, rank }) => ({ by, rank })),
  };
}

/** Null for a record of another version: it is written anew, and for one window the two versions count apart. */
export function readRecord(record: string): SharedRecord | null {
  try {
    return sharedSchema.safeParse(JSON.parse(record)).data ?? null;
  } catch {
    return null;
  }
}
