import { rolesAdded } from "./adding-people.ts";
import type { ClassroomCallSeen } from "./classroom-call.ts";
import { type ClassroomClient, createClassroomClient } from "./client.ts";
import type { Dialect } from "./dialect.ts";
import { type DoctorReport, examineAll } from "./doctor/examine-all.ts";
import { type OperationBasis, operationBases, type OperationMemory } from "./documented.ts";
import type { ClassroomConfig } from "./environment.ts";
import { createExchanges } from "./exchange.ts";
import type { AddressStore } from "./known-addresses.ts";
import { readDialect } from "./read-dialect.ts";
import { isSpaceOrigin } from "./space-origin.ts";
import type { ThrottleStore } from "./throttle.ts";
import { createThrottles } from "./throttles-of-keys.ts";
import { type ThrottleState, throttleState } from "./throttle-state.ts";
import type { Priority } from "./waiting-line.ts";
import type { ClassroomRole } from "../domain/api-user.ts";
import type { EnvironmentName } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Metrics } from "../kernel/metrics.ts";

/** An environment for operators, without its secrets. */
export type ClassroomOverview = {
  environment: EnvironmentName;
  baseUrl: string;
  appUrl: string;
  /** The last four characters of the API key. */
  keyEnd: string;
  /** Accepted webhook secrets: two during a rotation. */
  secrets: number;
  throttle: () => Promise<ThrottleState>;
  waiting: () => Readonly<Record<Priority, number>>;
  /** Roles in which the dialect can add a user to an existing Space. */
  addsToSpace: readonly ClassroomRole[];
  /** For each operation what is documented, what assumed, and when it was last answered. */
  addresses: () => Promise<OperationBasis[]>;
};

export type Classrooms = {
  /** @throws NamedError "environment-off" when this environment is not configured. */
  classroomOf: (environment: EnvironmentName) => ClassroomClient;
  appUrlOf: (environment: EnvironmentName) => string;
  /** Whether the classroom may name an origin for a Space. */
  isSpaceOrigin: (environment: EnvironmentName, origin: string) => boolean;
  /** Whether API users can be made and renamed there; neither without a configuration. */
  provisionsOf: (environment: EnvironmentName) => { makes: boolean; renames: boolean };
  /** Origins of Spaces and logins, of all environments. */
  spaceOrigins: readonly string[];
  /** Where a form that enters a Space may lead in the end: origins and schemes. */
  entryTargets: readonly string[];
  attributionNames: Dialect["feedbackRedirect"];
  recordingSettings: Dialect["recordings"];
  classroomOverviews: readonly ClassroomOverview[];
  /** Makes nothing. */
  examineClassrooms: () => Promise<DoctorReport>;
};

/** One client for each environment. @param deps.onDate Gets an answer's time. @throws NamedError as `readDialect` */
export async function openClassrooms(deps: {
  config: ClassroomConfig;
  throttleStore: ThrottleStore;
  addresses: AddressStore & OperationMemory;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  metrics?: Metrics;
  onDate?: (url: string, date: NonNullable<ClassroomCallSeen["date"]>) => void;
}): Promise<Classrooms> {
  const { throttleStore, addresses, clock, ids, logger } = deps;
  const { environments, dialectFile } = deps.config;
  const dialect = await readDialect(dialectFile);
  if (dialect.apiKey.query !== null) {
    logger.warn(
      { parameter: dialect.apiKey.query },
      "CLASSROOM_DIALECT puts the API key into addresses; proxies and the service's own logs may keep it. Prefer a header.",
    );
  }
  const throttleOf = createThrottles({ dialect, store: throttleStore, dayTime: clock.now, ids });
  const configured = Object.values(environments);
  const open = createExchanges();
  const common = { dialect, addresses, open, clock, logger, onCall: watchCalls(deps) };
  const clients = new Map(
    configured.map((environment) => [
      environment.name,
      createClassroomClient({ ...common, environment, ...throttleOf(environment.apiKey) }),
    ]),
  );
  const clientOf = (name: EnvironmentName) => clients.get(name) ?? notConfigured(name);
  const appUrlOf = (name: EnvironmentName) => environments[name]?.appUrl ?? notConfigured(name);
  const appOrigins = configured.map(({ appUrl }) => new URL(appUrl).origin);
  const spaceOrigins = [...new Set([...appOrigins, ...dialect.loginOrigins])];
  return {
    classroomOf: clientOf,
    appUrlOf,
    isSpaceOrigin: (name, origin) => isSpaceOrigin(origin, { appUrl: appUrlOf(name), dialect }),
    provisionsOf: (name) => {
      const client = clients.get(name);
      return { makes: client !== undefined, renames: client !== undefined && client.updateApiUser !== null };
    },
    spaceOrigins,
    entryTargets: dialect.afterLogin === "anywhere" ? [...spaceOrigins, "https:"] : spaceOrigins,
    attributionNames: dialect.feedbackRedirect,
    recordingSettings: dialect.recordings,
    classroomOverviews: configured.map(({ name, baseUrl, appUrl, apiKey, webhookSecrets }) => ({
      environment: name,
      ...{ baseUrl, appUrl },
      keyEnd: apiKey.slice(-4),
      secrets: webhookSecrets.length,
      throttle: () => throttleState({ store: throttleStore }, apiKey, clock.now()),
      waiting: () => throttleOf(apiKey).throttle.waiting(),
      addsToSpace: rolesAdded(dialect),
      addresses: () => operationBases({ baseUrl, dialect, store: addresses }),
    })),
    examineClassrooms: () =>
      examineAll(
        {
          ...{ config: deps.config, store: throttleStore, addresses, open, clock, ids },
          onEnvironment: () => undefined,
        },
        { environments: configured, create: false, spaceId: null },
      ),
  };
}

function notConfigured(environment: EnvironmentName): never {
  throw refusal("environment-off", { values: { environment } });
}

function watchCalls({
  metrics,
  onDate,
}: Pick<Parameters<typeof openClassrooms>[0], "metrics" | "onDate">):
  ((call: ClassroomCallSeen) => void) | undefined {
  if (metrics === undefined) return undefined;
  const calls = metrics.counter(
    "classroom_calls_total",
    "Requests to the classroom by operation and status; 429 is its limit, none is no answer",
    ["environment", "operation", "status"],
  );
  const seconds = metrics.histogram("classroom_call_seconds", "Time the classroom took to answer", [
    "operation",
  ]);
  const throttleSeconds = metrics.histogram(
    "classroom_throttle_wait_seconds",
    "Time requests to the classroom waited for their turn",
    ["environment", "priority"],
  );
  return ({ environment, baseUrl, operation, priority, status, waitedMs, tookMs, date }) => {
    if (date !== null) onDate?.(baseUrl, date);
    calls.inc({ environment, operation, status: String(status ?? "none") });
    seconds.observe({ operation }, tookMs / 1000);
    throttleSeconds.observe({ environment, priority }, waitedMs / 1000);
  };
}
