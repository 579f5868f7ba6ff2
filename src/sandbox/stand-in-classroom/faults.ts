import { z } from "zod";

/** An order to misbehave for the next `times` calls of an operation ("*" is any). */
export const faultSchema = z.object({
  operation: z.string().default("*"),
  kind: z.enum(["429", "500", "garbage", "empty", "slow", "drop"]),
  times: z.number().int().positive().default(1),
  /** For "slow": milliseconds before the normal answer. */
  delayMs: z.number().int().nonnegative().default(3_000),
  /** For "429": the Retry-After header in seconds; null leaves it out. */
  retryAfterSeconds: z.number().int().nonnegative().nullable().default(1),
  /** For "500", "garbage", "empty" and "drop": whether the operation takes effect before the answer is spoilt. */
  takesEffect: z.boolean().default(false),
});

/** A parsed fault. */
export type Fault = z.infer<typeof faultSchema>;

/** Pending faults, in the order they were asked for. */
export type Faults = {
  add: (fault: z.input<typeof faultSchema>) => void;
  clear: () => void;
  pending: () => readonly Fault[];
  /** Uses up one turn of the first fault that fits. */
  take: (operation: string) => Fault | null;
};

/** A list of faults without any. */
export function createFaults(): Faults {
  let pending: Fault[] = [];
  return {
    add: (fault) => {
      pending.push(faultSchema.parse(fault));
    },
    clear: () => {
      pending = [];
    },
    pending: () => pending,
    take: (operation) => {
      const fault = pending.find((each) => each.operation === "*" || each.operation === operation);
      if (fault === undefined) return null;
      fault.times -= 1;
      if (fault.times === 0) pending = pending.filter((each) => each !== fault);
      return fault;
    },
  };
}
