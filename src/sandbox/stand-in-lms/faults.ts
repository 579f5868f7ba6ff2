import { z } from "zod";
import type { ServiceName } from "./request-log.ts";

/** A fault as somebody switches it on. */
export const faultSchema = z.object({
  /** Which service misbehaves; "all" is every call a tool makes. */
  on: z.enum([
    "all",
    "token",
    "memberships",
    "line-items",
    "line-item",
    "scores",
    "results",
    "registration",
    "groups",
    "notice-handlers",
  ]),
  /**
   * answer: answers `status` and does nothing. hang-up: closes the connection unanswered. slow: waits `delayMs`
   * and goes on. lose-answer: does the work, then closes the connection, so the tool cannot know.
   */
  how: z.enum(["answer", "hang-up", "slow", "lose-answer"]),
  /** Only with "answer". */
  status: z.number().int().min(400).max(599).default(503),
  /** Seconds for a Retry-After header; left out when absent. */
  retryAfter: z.number().int().nonnegative().optional(),
  /** Only with "slow". */
  delayMs: z.number().int().nonnegative().max(120_000).default(2000),
  /** How many calls it hits before it ends; without it, until switched off. */
  times: z.number().int().positive().optional(),
});

/** A fault that is on. */
export type Fault = z.output<typeof faultSchema>;

/** The faults that are switched on. */
export type Faults = {
  add: (fault: z.input<typeof faultSchema>) => void;
  clear: () => void;
  all: () => readonly Fault[];
  /** The fault this call meets, which uses up one of its `times`. */
  meet: (service: ServiceName) => Fault | null;
};

/** No faults yet. */
export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add: (fault) => {
      faults.push(faultSchema.parse(fault));
    },
    clear: () => {
      faults = [];
    },
    all: () => faults,
    meet: (service) => {
      const fault = faults.find(({ on }) => on === "all" || on === service);
      if (fault === undefined) return null;
      if (fault.times !== undefined) {
        fault.times -= 1;
        if (fault.times === 0) faults = faults.filter((other) => other !== fault);
      }
      return fault;
    },
  };
}
