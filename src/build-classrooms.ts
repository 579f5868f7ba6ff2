import { readFile } from "node:fs/promises";
import type { ClassroomCallSeen } from "./classroom/classroom-call.ts";
import { type ClassroomClient, createClassroomClient } from "./classroom/client.ts";
import { defaultDialect } from "./classroom/default-dialect.ts";
import type { Dialect } from "./classroom/dialect.ts";
import type { OpenExchange } from "./classroom/exchange.ts";
import { parseDialect } from "./classroom/parse-dialect.ts";
import { isSpaceOrigin } from "./classroom/space-origin.ts";
import { isDialectName } from "./classroom/shipped-dialects.ts";
import { createThrottle, type Throttle, type ThrottleStore } from "./classroom/throttle.ts";
import type { ClassroomEnvironment, Config } from "./config.ts";
import type { EnvironmentName } from "./domain/registration.ts";
import { type Clock, steadyClock } from "./kernel/clock.ts";
import { messageOf, NamedError } from "./kernel/errors.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import type { Stores } from "./open-stores.ts";

/** The classroom clients of the configured environments. */
export type Classrooms = {
  /** @throws NamedError "environment-off" when this environment is not configured. */
  clientOf: (environment: EnvironmentName) => ClassroomClient;
  appUrlOf: (environment: EnvironmentName) => string;
  /** Whether the classroom may say that a Space is at an origin. */
  isSpaceOrigin: (environment: EnvironmentName, origin: string) => boolean;
  /** Origins that Spaces and their logins have, of all environments. */
  spaceOrigins: readonly string[];
  /** Where a form that enters a Space may lead in the end: origins and schemes. */
  entryTargets: readonly string[];
  /** Names of what the end-of-session redirect carries. */
  attributionNames: Dialect["feedbackRedirect"];
  recordingManners: Dialect["recordings"];
  /** For operators who look at it: what is spoken, and how many calls of this process wait. */
  dialect: Dialect;
  waitingIn: (environment: ClassroomEnvironment) => ReturnType<Throttle["waiting"]>;
};

/** One client an environment; environments with the same key share its limit. */
export async function buildClassrooms(deps: {
  config: Config;
  stores: Stores;
  open: OpenExchange;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Told of each request, for the metrics. */
  onCall?: (call: ClassroomCallSeen) => void;
}): Promise<Classrooms> {
  const { config, stores, open, clock, ids, logger } = deps;
  const dialect = await readDialect(config.dialectFile);
  if (dialect.apiKey.query !== null) {
    logger.warn(
      { parameter: dialect.apiKey.query },
      "CLASSROOM_DIALECT puts the API key into addresses; proxies and the service's own logs may keep it. Prefer a header.",
    );
  }
  const throttleOf = createThrottles({ dialect, store: stores.throttle, dayTime: clock.now, ids });
  const clients = new Map<EnvironmentName, ClassroomClient>();
  for (const environment of Object.values(config.environments)) {
    clients.set(
      environment.name,
      createClassroomClient({
        environment,
        dialect,
        ...throttleOf(environment.apiKey),
        addresses: stores.addresses,
        open,
        clock,
        logger,
        onCall: deps.onCall,
      }),
    );
  }
  const off = (environment: EnvironmentName) =>
    new NamedError(
      "environment-off",
      `The ${environment} environment of the classroom is not configured. Set its CLASSROOM_ variables and restart.`,
    );
  const appOrigins = Object.values(config.environments).map(({ appUrl }) => new URL(appUrl).origin);
  const spaceOrigins = [...new Set([...appOrigins, ...dialect.loginOrigins])];
  const appUrlOf = (environment: EnvironmentName) => {
    const settings = config.environments[environment];
    if (settings === undefined) throw off(environment);
    return settings.appUrl;
  };
  return {
    spaceOrigins,
    entryTargets: dialect.afterLogin === "anywhere" ? [...spaceOrigins, "https:"] : spaceOrigins,
    attributionNames: dialect.feedbackRedirect,
    recordingManners: dialect.recordings,
    dialect,
    waitingIn: ({ apiKey }) => throttleOf(apiKey).throttle.waiting(),
    clientOf: (environment) => {
      const client = clients.get(environment);
      if (client === undefined) throw off(environment);
      return client;
    },
    appUrlOf,
    isSpaceOrigin: (environment, origin) => isSpaceOrigin(origin, { appUrl: appUrlOf(environment), dialect }),
  };
}

/** What limits calls made with one key; environments with the same key share it. */
export type KeyThrottles = { throttle: Throttle; analyticsThrottle: Throttle };

/** Analytics calls are spread evenly: one in each window of so many milliseconds. */
export function analyticsWindowMs({ analytics }: Dialect): number {
  return (analytics.perSeconds * 1_000) / analytics.calls;
}

/** The throttles of each API key: the general one, and the slower one of analytics. */
export function createThrottles(deps: {
  dialect: Dialect;
  store: ThrottleStore;
  dayTime: () => number;
  ids: Ids;
}): (apiKey: string) => KeyThrottles {
  const throttles = new Map<string, KeyThrottles>();
  const each = { ...deps, clock: steadyClock };
  const { rateLimitCounts: counts } = deps.dialect;
  return (apiKey) => {
    const made = throttles.get(apiKey) ?? {
      throttle: createThrottle({ ...each, counts, key: apiKey }),
      analyticsThrottle: createThrottle({
        ...each,
        key: `${apiKey}\nanalytics`,
        limit: 1,
        windowMs: analyticsWindowMs(deps.dialect),
      }),
    };
    throttles.set(apiKey, made);
    return made;
  };
}

/**
 * The dialect of the named file, or the shipped one of that name; the default one without either.
 * @throws NamedError "dialect-unreadable", "classroom-dialect-unknown", or "classroom-dialect-invalid" with every problem
 */
export async function readDialect(file: string | undefined): Promise<Dialect> {
  if (file === undefined) return defaultDialect;
  if (isDialectName(file)) return parseDialect({ extends: file });
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (thrown) {
    throw new NamedError(
      "dialect-unreadable",
      `CLASSROOM_DIALECT: ${file} cannot be read as JSON (${messageOf(thrown)}).`,
    );
  }
  return parseDialect(json);
}
