import { readFile } from "node:fs/promises";
import { type ClassroomClient, createClassroomClient } from "./classroom/client.ts";
import { type Dialect, defaultDialect } from "./classroom/dialect.ts";
import { parseDialect } from "./classroom/parse-dialect.ts";
import { createThrottle, type Throttle } from "./classroom/throttle.ts";
import type { Config } from "./config.ts";
import type { EnvironmentName } from "./domain/registration.ts";
import type { Clock } from "./kernel/clock.ts";
import { messageOf, NamedError } from "./kernel/errors.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import type { Stores } from "./storage/open-stores.ts";

/** The classroom clients of the configured environments. */
export type Classrooms = {
  /** @throws NamedError "environment-off" when this environment is not configured. */
  clientOf: (environment: EnvironmentName) => ClassroomClient;
  appUrlOf: (environment: EnvironmentName) => string;
};

/** One client an environment; environments with the same key share its limit. */
export async function buildClassrooms(deps: {
  config: Config;
  stores: Stores;
  fetch: typeof fetch;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}): Promise<Classrooms> {
  const { config, stores, fetch, clock, ids, logger } = deps;
  const dialect = await readDialect(config.dialectFile);
  const throttles = new Map<string, Throttle>();
  const clients = new Map<EnvironmentName, ClassroomClient>();
  for (const environment of Object.values(config.environments)) {
    const throttle =
      throttles.get(environment.apiKey) ??
      createThrottle({ store: stores.throttle, key: environment.apiKey, clock, ids });
    throttles.set(environment.apiKey, throttle);
    clients.set(
      environment.name,
      createClassroomClient({ environment, dialect, throttle, fetch, clock, logger }),
    );
  }
  const off = (environment: EnvironmentName) =>
    new NamedError(
      "environment-off",
      `The ${environment} environment of the classroom is not configured. Set its CLASSROOM_ variables and restart.`,
    );
  return {
    clientOf: (environment) => {
      const client = clients.get(environment);
      if (client === undefined) throw off(environment);
      return client;
    },
    appUrlOf: (environment) => {
      const settings = config.environments[environment];
      if (settings === undefined) throw off(environment);
      return settings.appUrl;
    },
  };
}

async function readDialect(file: string | undefined): Promise<Dialect> {
  if (file === undefined) return defaultDialect;
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
