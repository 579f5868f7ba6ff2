import { createClassroomClient } from "../../../src/classroom/client.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  startStandInClassroom,
  type StandInClassroom,
  type StandInClassroomOptions,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freeThrottle } from "./free-throttle.ts";

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

/** The tool's client of it, which nothing slows down. */
export const clientOf = (
  { apiUrl: baseUrl, appUrl }: Pick<StandInClassroom, "apiUrl" | "appUrl">,
  dialect: object = {},
  clock: Clock = systemClock,
) =>
  createClassroomClient({
    environment: { name: "production", stage: "production", baseUrl, appUrl, apiKey: "key" },
    dialect: parseDialect(dialect),
    throttle: freeThrottle,
    open: createExchanges(),
    clock,
    logger: createLogger("silent"),
  });
