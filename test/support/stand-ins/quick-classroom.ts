import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  startStandInClassroom,
  type StandInClassroom,
  type StandInClassroomOptions,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";

/** A stand-in with the service's pace and limit; its key is "key" unless the test says otherwise. */
export function pacedClassroom(more: Partial<StandInClassroomOptions> = {}): Promise<StandInClassroom> {
  const quiet = { port: 0, clock: systemClock, logger: createLogger("silent") };
  return startStandInClassroom({ ...quiet, apiKey: "key", webhookSecret: "secret", ...more });
}

/** A classroom that answers immediately and without a limit, for tests that aren't about pace. */
export function quickClassroom(more: Partial<StandInClassroomOptions> = {}): Promise<StandInClassroom> {
  return pacedClassroom({ replyTimes: null, rateLimit: false, ...more });
}
