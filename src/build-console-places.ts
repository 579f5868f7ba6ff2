import { rolesAdded } from "./classroom/adding-people.ts";
import { buildDoctor } from "./build-doctor.ts";
import type { Classrooms } from "./build-classrooms.ts";
import type { Lms } from "./build-lms.ts";
import { createExchanges } from "./classroom/exchange.ts";
import { operationBases } from "./classroom/documented.ts";
import { throttleState } from "./classroom/throttle-state.ts";
import type { ClassroomEnvironment, Config } from "./config.ts";
import type { Examined } from "./modules/operations/run-doctor.ts";
import type { ConfiguredClassroom } from "./modules/operations/show-classroom.ts";
import type { Background } from "./kernel/background.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import { createSealer } from "./kernel/sealer.ts";
import { sealingState, type SealingState } from "./lms/sealing-state.ts";
import type { Stores } from "./open-stores.ts";
import { judgeByLms } from "./modules/joining/pages/current-roles.ts";
import { createSessions, type Sessions } from "./web/session.ts";

export type ConsolePlacesDeps = {
  config: Config;
  stores: Stores;
  lms: Pick<Lms, "toolKeys">;
  classrooms: Pick<Classrooms, "dialect" | "waitingIn" | "appUrlOf" | "isSpaceOrigin">;
  /** Wakes the worker that reads rosters. */
  onRosterWanted: () => void;
  /** Wakes the delivery worker. */
  onScoreWanted: () => void;
  background: Background;
  clock: Clock;
  ids: Ids;
  logger: Logger;
};

/** What the console's pages about courses, the classroom, keys and an LMS's own administrators need. */
export function buildConsolePlaces(deps: ConsolePlacesDeps): {
  appUrlOf: Classrooms["appUrlOf"];
  isSpaceOrigin: Classrooms["isSpaceOrigin"];
  courseSessions: Pick<Sessions, "read">;
  classrooms: ConfiguredClassroom[];
  dialectFile: string | null;
  examine: () => Promise<Examined>;
  sealing: () => Promise<SealingState>;
} {
  const { config, stores, classrooms, clock, ids } = deps;
  const environments = Object.values(config.environments);
  return {
    appUrlOf: classrooms.appUrlOf,
    isSpaceOrigin: classrooms.isSpaceOrigin,
    courseSessions: administratorSessions(deps),
    classrooms: environments.map((environment) => classroomOf(deps, environment)),
    dialectFile: config.dialectFile ?? null,
    examine: () =>
      buildDoctor(
        {
          config,
          store: stores.throttle,
          addresses: stores.addresses,
          open: createExchanges(),
          clock,
          ids,
          onEnvironment: () => undefined,
        },
        { environments, create: false, spaceId: null },
      ),
    sealing: () =>
      sealingState({
        toolKeys: stores.toolKeys,
        current: createSealer(config.secretKey),
        either: createSealer(config.secretKey, config.secretKeyPrevious),
        previousIsSet: config.secretKeyPrevious !== undefined,
      }),
  };
}

/**
 * Sessions of launches by an LMS's administrators. Whether they are in the course does not matter: the roster, which an
 * administrator's launch may itself have read, seldom lists them. Not named for frames: nobody frames the console.
 */
function administratorSessions(deps: ConsolePlacesDeps): Pick<Sessions, "read"> {
  return createSessions({ ...deps, ...deps.stores }, judgeByLms(deps.stores));
}

function classroomOf(
  { config, stores, classrooms, clock }: ConsolePlacesDeps,
  environment: ClassroomEnvironment,
): ConfiguredClassroom {
  const { name, baseUrl, appUrl, apiKey, webhookSecrets } = environment;
  return {
    environment: name,
    baseUrl,
    appUrl,
    keyEnd: apiKey.slice(-4),
    webhookUrl: `${config.publicUrl}/webhooks/${name}`,
    secrets: webhookSecrets.length,
    throttle: () => throttleState({ store: stores.throttle }, apiKey, clock.now()),
    waiting: () => classrooms.waitingIn(environment),
    addsToSpace: rolesAdded(classrooms.dialect),
    notAdded: () => stores.spaceUsers.countFailed(name),
    addresses: () => operationBases({ baseUrl, dialect: classrooms.dialect, store: stores.addresses }),
  };
}
