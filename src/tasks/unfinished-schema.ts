import { z } from "zod";

/** The rest of a partly read list (`UnfinishedList`) in a task's facts; null when it was read to its end. */
export const unfinishedSchema = z
  .object({
    why: z.enum(["bound", "failed", "repeats", "elsewhere", "no-way", "fewer"]),
    read: z.number(),
    total: z.number().nullable(),
    place: z.string().nullable(),
    since: z.number(),
    turns: z.number(),
  })
  .nullable()
  .default(null);
