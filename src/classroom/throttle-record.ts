import { z } from "zod";

/**
 * All processes with one API key share one record. It contains ages instead of moments ("this permit is for 320 ms before this record was
 * written", or after it if negative). A reader knows that the record was written earlier, so ages only grow, and clocks needn't agree.
 */
const sharedSchema = z.object({
  /**
   * `age` is in ms at the time of writing. `late` is how much later the service may see the call at most. It starts with the latest moment
   * for the call's bytes, and shrinks when they have `left` and when the answer comes. It never grows, so it also holds if the process
   * is killed.
   */
  permits: z.array(
    z.object({ n: z.number(), age: z.number(), late: z.number(), left: z.boolean().default(false) }),
  ),
  /** All calls pause for `ms` after the writing. The id distinguishes pauses. */
  pause: z.object({ id: z.string(), ms: z.number() }),
  /** How careful to be after 429 answers, and how long ago the last one came. */
  care: z
    .object({ id: z.string(), level: z.number(), age: z.number() })
    .default({ id: "", level: 0, age: 0 }),
  waiting: z.array(z.object({ by: z.string(), rank: z.number(), aged: z.boolean(), opensIn: z.number() })),
  /** Processes in the order of their latest permit, the latest last. */
  served: z.array(z.string()),
  /** How many permits were given since the last one that ignored priority. */
  sinceAged: z.number(),
  /** The writer, with its steady clock and its time of day (ms). */
  by: z.string().default(""),
  writtenAt: z.number(),
  dayTime: z.number().optional(),
});
export type SharedRecord = z.infer<typeof sharedSchema>;

/** The record for monitoring, with times of the writer's clock. Null for a record of another version. */
export function readShared(record: string) {
  const shared = readRecord(record);
  if (shared === null) return null;
  const writtenAt = shared.dayTime ?? shared.writtenAt;
  return {
    /** Calls made or planned, as far as the record lists them (ms). */
    callsAt: shared.permits.map(({ age }) => writtenAt - age),
    pausedUntil: writtenAt + shared.pause.ms,
    /** The most urgent call of each waiting process, by its rank. */
    waiting: shared.waiting,
  };
}

/** Null for a record of another version. It is overwritten, and for one window the two versions count separately. */
export function readRecord(record: string): SharedRecord | null {
  try {
    return sharedSchema.safeParse(JSON.parse(record)).data ?? null;
  } catch {
    return null;
  }
}
