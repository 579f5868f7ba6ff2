import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  startStandInClassroom,
  type StandInClassroom,
  type StandInClassroomOptions,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";

/** A stand-in that answers at once and without a limit, for what is not about pace; its key is "key" unless the test says so. */
export function quickClassroom(more: Partial<StandInClassroomOptions> = {}): Promise<StandInClassroom> {
  return startStandInClassroom({
    port: 0,
    clock: systemClock,
    logger: createLogger("silent"),
    apiKey: "key",
    webhookSecret: "secret",
    replyTimes: null,
    rateLimit: false,
    ...more,
  });
}
