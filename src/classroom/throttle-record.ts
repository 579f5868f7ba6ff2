import { z } from "zod";

/**
 * All processes with one API key share one record. It holds ages instead of moments ("this permit is for 320 ms before
 * this record was written", or after it when negative): a reader knows that it was written before, so ages only grow
 * and clocks need not agree.
 */
const sharedSchema = z.object({
  /**
   * `age` in ms at writing; `late` is how much later the service may see the call at most: first the latest moment for
   * its bytes, and less when they `left` and when it was answered. It never grows, so it also holds for a killed
   * process's call.
   */
  permits: z.array(
    z.object({ n: z.number(), age: z.number(), late: z.number(), left: z.boolean().default(false) }),
  ),
  /** All calls pause for `ms` after writing. The id tells pauses apart. */
  pause: z.object({ id: z.string(), ms: z.number() }),
  /** How careful to be after 429 answers, and how long ago the last one was. */
  care: z
    .object({ id: z.string(), level: z.number(), age: z.number() })
    .default({ id: "", level: 0, age: 0 }),
  waiting: z.array(z.object({ by: z.string(), rank: z.number(), aged: z.boolean(), opensIn: z.number() })),
  /** Processes by their latest permit, latest last. */
  served: z.array(z.string()),
  /** Permits since the last one that ignored priority. */
  sinceAged: z.number(),
  /** The writer, with its steady clock and its time of day (ms). */
  by: z.string().default(""),
  writtenAt: z.number(),
  dayTime: z.number().optional(),
});
export type SharedRecord = z.infer<typeof sharedSchema>;

/** For observers; times of the writer's clock. Null for another version's record. */
export function readShared(record: string) {
  const shared = readRecord(record);
  if (shared === null) return null;
  const writtenAt = shared.dayTime ?? shared.writtenAt;
  return {
    /** Made or planned calls, as far as the record has them (ms). */
    callsAt: shared.permits.map(({ age }) => writtenAt - age),
    pausedUntil: writtenAt + shared.pause.ms,
    /** The most urgent call of each waiting process, by rank. */
    waiting: shared.waiting,
  };
}

/** Null for another version's record: it is overwritten, and for one window the two versions count apart. */
export function readRecord(record: string): SharedRecord | null {
  try {
    return sharedSchema.safeParse(JSON.parse(record)).data ?? null;
  } catch {
    return null;
  }
}
