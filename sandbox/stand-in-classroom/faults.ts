import { z } from "zod";

/** A fault for the next `times` calls of an operation ("*" is any). */
export const faultSchema = z.object({
  operation: z.string().default("*"),
  kind: z.enum(["429", "500", "garbage", "empty", "slow", "drop"]),
  times: z.number().int().positive().default(1),
  /** For "slow": before the normal answer (ms). */
  delayMs: z.number().int().nonnegative().default(3_000),
  /** For "429": Retry-After (s); null leaves it out. */
  retryAfterSeconds: z.number().int().nonnegative().nullable().default(1),
  /** For "500", "garbage", "empty" and "drop": whether the operation takes effect. */
  takesEffect: z.boolean().default(false),
});

export type Fault = z.infer<typeof faultSchema>;

export type Faults = {
  add: (fault: z.input<typeof faultSchema>) => void;
  clear: () => void;
  pending: () => readonly Fault[];
  /** Uses up one turn of the first matching fault. */
  take: (operation: string) => Fault | null;
};

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
