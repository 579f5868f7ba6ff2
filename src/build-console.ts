import { Router } from "express";
import { buildConsolePlaces, type ConsolePlacesDeps } from "./build-console-places.ts";
import type { Lms } from "./build-lms.ts";
import type { Config } from "./config.ts";
import type { EnvironmentName } from "./domain/registration.ts";
import type { OperatorReport } from "./modules/operations/report-health.ts";
import { testConnection } from "./modules/registration/test-connection.ts";
import type { Clock } from "./kernel/clock.ts";
import { messageOf } from "./kernel/errors.ts";
import type { Ids } from "./kernel/ids.ts";
import { manualValues } from "./lms/manual-values.ts";
import { outsideAddress } from "./lms/outside-address.ts";
import type { Stores } from "./open-stores.ts";
import { createConsoleCookie } from "./modules/console/pages/console-cookie.ts";
import { createConsoleDevices, deviceSeconds } from "./modules/console/pages/console-device.ts";
import { consoleRoutes } from "./modules/console/pages/console-routes.ts";
import { createConsoleSessions, sessionSeconds } from "./modules/console/pages/console-session.ts";
import type { TranslatorOf } from "./web/translate.ts";

export type ConsoleDeps = ConsolePlacesDeps & {
  config: Config;
  stores: Stores;
  lms: Pick<Lms, "tool" | "toolKeys" | "registerByHand" | "probes" | "lineItems" | "scores">;
  pauses: Lms["pauses"];
  /** Wants a run of a job now. */
  runJob: (name: string) => Promise<boolean>;
  /** How the tool is, as /readyz tells it. */
  report: () => Promise<OperatorReport>;
  /** Wakes those who process webhooks once more. */
  onReplay: () => void;
  /** Wakes the worker that erases. */
  onErasureWanted: () => void;
  translatorOf: TranslatorOf;
  clock: Clock;
  ids: Ids;
};

/** The console under /admin; without ADMIN_PASSWORD there is nothing at that address, not even a hint. */
export function buildConsole({ stores, ...given }: ConsoleDeps): Router {
  const { config, lms, ...deps } = given;
  const { adminPassword, publicUrl, environments } = config;
  if (adminPassword === undefined) return Router();
  const shared = { ...stores, ...deps, publicUrl, adminPassword, who: "console" as const };
  return consoleRoutes({
    ...shared,
    ...buildConsolePlaces({ ...given, stores }),
    toolKeys: lms.toolKeys,
    registerByHand: lms.registerByHand,
    testConnection: (id) => testConnection({ ...shared, ...lms }, id),
    manualValues: manualValues(lms.tool),
    environments: configured(environments),
    addressProblem: (address) => addressProblem(address, config.allowPrivatePlatforms),
    sessions: createConsoleSessions({ ...config, ...shared }),
    cookie: createConsoleCookie("console", sessionSeconds, publicUrl.startsWith("https:")),
    devices: createConsoleDevices({ ...config, ...shared }),
    deviceCookie: createConsoleCookie("console-device", deviceSeconds, publicUrl.startsWith("https:")),
  });
}

function configured(environments: Config["environments"]): EnvironmentName[] {
  return Object.values(environments).map(({ name }) => name);
}

/** Why an address cannot be an LMS's, as a sentence; null when it can. */
function addressProblem(address: string, allowPrivate: boolean): string | null {
  // A browser would repair "https:/lms.test", but an issuer is compared letter by letter.
  if (!/^https?:\/\/[^/\s]/i.test(address)) return "This address is not a full web address.";
  try {
    outsideAddress(address, allowPrivate, "This address");
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
