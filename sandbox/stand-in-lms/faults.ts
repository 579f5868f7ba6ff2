// Imitates nothing.
import { z } from "zod";
import { seededRandom } from "../seeded-random.ts";
import type { ServiceName } from "./request-log.ts";

export const faultSchema = z.object({
  /** "all" is every call a tool makes. */
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
   * answer: `status`, no effect. maintenance: as Moodle's CLI maintenance mode (lib/setup.php: 503, Retry-After 300, HTML). hang-up:
   * closes unanswered. slow: waits `delayMs`. lose-answer: takes effect, then closes, so the tool cannot know.
   */
  how: z.enum(["answer", "maintenance", "hang-up", "slow", "lose-answer"]),
  /** Only with "answer". */
  status: z.number().int().min(400).max(599).default(503),
  /**
   * With "answer" of the token endpoint: `error` of OAuth 2 (RFC 6749, 5.2), in Moodle with 400 (mod/lti/token.php); 401 may be
   * invalid_client.
   */
  error: z
    .enum(["invalid_client", "unauthorized_client", "invalid_grant", "invalid_scope", "invalid_request"])
    .optional(),
  /** Retry-After (s). */
  retryAfter: z.number().int().nonnegative().optional(),
  /** Only with "slow". */
  delayMs: z.number().int().nonnegative().max(120_000).default(2000),
  /** Calls until it ends; without it, until switched off. */
  times: z.number().int().positive().optional(),
  /** Share of calls hit (0 to 1), by chance but the same in each run. */
  share: z.number().gt(0).max(1).optional(),
});

export type Fault = z.output<typeof faultSchema>;

export type Faults = {
  add: (fault: z.input<typeof faultSchema>) => void;
  clear: () => void;
  all: () => readonly Fault[];
  meet: (service: ServiceName) => Fault | null;
};

/** @param random Between 0 and 1; decides which calls a fault with a `share` hits. */
export function createFaults(random: () => number = seededRandom(1)): Faults {
  let faults: Fault[] = [];
  const hits = ({ on, share }: Fault, service: ServiceName) =>
    (on === "all" || on === service) && (share === undefined || random() < share);
  return {
    add: (fault) => {
      faults.push(faultSchema.parse(fault));
    },
    clear: () => {
      faults = [];
    },
    all: () => faults,
    meet: (service) => {
      const fault = faults.find((one) => hits(one, service));
      if (fault === undefined) return null;
      if (fault.times !== undefined) {
        fault.times -= 1;
        if (fault.times === 0) faults = faults.filter((other) => other !== fault);
      }
      return fault;
    },
  };
}
