import { z } from "zod";
import { seededRandom } from "../seeded-random.ts";
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
   * answer: answers `status` and does nothing. maintenance: answers every call the way Moodle does while its CLI
   * maintenance mode is on (lib/setup.php: 503, Retry-After 300, a page of HTML, before any script runs). hang-up: closes the connection unanswered. slow: waits `delayMs`
   * and goes on. lose-answer: does the work, then closes the connection, so the tool cannot know.
   */
  how: z.enum(["answer", "maintenance", "hang-up", "slow", "lose-answer"]),
  /** Only with "answer". */
  status: z.number().int().min(400).max(599).default(503),
  /**
   * Only with "answer" of the token endpoint: the `error` of OAuth 2 (RFC 6749, 5.2). Moodle answers it with 400
   * (mod/lti/token.php); a 401 is allowed for invalid_client.
   */
  error: z
    .enum(["invalid_client", "unauthorized_client", "invalid_grant", "invalid_scope", "invalid_request"])
    .optional(),
  /** Seconds for a Retry-After header; left out when absent. */
  retryAfter: z.number().int().nonnegative().optional(),
  /** Only with "slow". */
  delayMs: z.number().int().nonnegative().max(120_000).default(2000),
  /** How many calls it hits before it ends; without it, until switched off. */
  times: z.number().int().positive().optional(),
  /** Hits this share of the calls only (0 to 1), by chance and the same ones in each run; every call without it. */
  share: z.number().gt(0).max(1).optional(),
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

/** No faults yet. @param random Between 0 and 1; decides which calls a fault with a `share` hits. */
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
