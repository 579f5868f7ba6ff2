import { type ClassroomClient, createClassroomClient } from "../../../src/classroom/client.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { freeThrottle } from "./free-throttle.ts";

type Deps = Parameters<typeof createClassroomClient>[0];

/** A client of the classroom at these addresses, without a limit of calls; its key is "key" unless the test says otherwise. */
export function classroomClient(
  at: { apiUrl: string; appUrl?: string },
  more: { dialect?: unknown; apiKey?: string; log?: string[] } & Partial<Omit<Deps, "dialect">> = {},
): ClassroomClient {
  const { dialect = {}, apiKey = "key", log, ...deps } = more;
  const { apiUrl: baseUrl, appUrl = "https://app.example" } = at;
  return createClassroomClient({
    environment: { name: "production", stage: "production", baseUrl, appUrl, apiKey },
    dialect: parseDialect(dialect),
    throttle: freeThrottle,
    open: createExchanges(),
    clock: systemClock,
    logger:
      log === undefined ? createLogger("silent") : createLogger("debug", { write: (line) => log.push(line) }),
    ...deps,
  });
}
