import { sha256 } from "../kernel/ids.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import {
  type Dialect,
  type OperationDialect,
  type OperationName,
  operationNames,
  type RouteDialect,
} from "./dialect.ts";
import { plainGoneTtlMs, successRecordMs } from "./limits.ts";

/** Where all processes remember which documented address a service answers. Keys are digests. */
export type AddressStore = {
  /** The position of the address in the dialect's list; null if unknown. */
  find: (key: string) => Promise<number | null>;
  /** @param at When the service answered there (ms). */
  remember: (key: string, position: number, at: number) => Promise<void>;
};

/**
 * What we learned about a service's addresses and bodies (each a route of the dialect), by operation: the one that worked (shared with
 * other processes, kept over restarts), and those that were absent or refused (in this process only, so concurrent calls don't all try
 * them). If its store fails, we only make a few more calls.
 */
export function createKnownAddresses(deps: {
  baseUrl: string;
  dialect: Dialect;
  /** null: only this process remembers them. */
  store: AddressStore | null;
  clock: Clock;
  logger: Logger;
}) {
  const { store, clock, logger } = deps;
  const worked = new Map<OperationName, RouteDialect>();
  const notedAt = new Map<OperationName, number>();
  const absent = new Set<RouteDialect>();
  const refused = new Set<RouteDialect>();
  const plainGoneUntil = new Map<OperationName, number>();
  const recalled = new Map<OperationName, Promise<void>>();
  const routesOf = (operation: OperationName) => deps.dialect.operations[operation].routes;

  const keyOf = (operation: OperationName) => addressKey(deps.baseUrl, operation, routesOf(operation));

  async function recall(operation: OperationName): Promise<void> {
    if (store === null || routesOf(operation).length === 1) return;
    try {
      const route = routesOf(operation)[(await store.find(keyOf(operation))) ?? -1];
      if (route !== undefined && !worked.has(operation)) worked.set(operation, route);
    } catch (thrown) {
      logger.debug({ operation, reason: messageOf(thrown) }, "known addresses could not be read");
    }
  }

  /** Routes to try, the most likely first. */
  function untried(operation: OperationName, tried: ReadonlyMap<RouteDialect, unknown>): RouteDialect[] {
    const known = worked.get(operation);
    if (known !== undefined && !tried.has(known)) return [known];
    const left = routesOf(operation).filter((route) => !tried.has(route));
    if (known !== undefined) return left;
    const present = left.filter((route) => !absent.has(route));
    return [
      ...present.filter((route) => !refused.has(route)),
      ...present.filter((route) => refused.has(route)),
    ];
  }

  return {
    /** Asks the store, once for each operation in this process. */
    recall: (operation: OperationName): Promise<void> => {
      const under = recalled.get(operation) ?? recall(operation);
      recalled.set(operation, under);
      return under;
    },

    known: (operation: OperationName): RouteDialect | undefined => worked.get(operation),

    mayTry: (operation: OperationName, tried: ReadonlyMap<RouteDialect, unknown>) =>
      untried(operation, tried).length > 0,

    /** The address to use now. Ask as late as possible, because other calls may have found a better one. */
    next: (operation: OperationName, tried: ReadonlyMap<RouteDialect, unknown>): RouteDialect => {
      const [first = routesOf(operation).find((route) => !tried.has(route)) ?? routesOf(operation)[0]] =
        untried(operation, tried);
      if (first === undefined) throw new Error(`the dialect has no address for ${operation}`);
      return first;
    },

    worked: (operation: OperationName, route: RouteDialect): void => {
      const now = clock.now();
      const isFound = worked.get(operation) !== route;
      if (!isFound && now - (notedAt.get(operation) ?? -Infinity) < successRecordMs) return;
      notedAt.set(operation, now);
      worked.set(operation, route);
      if (isFound)
        logger.debug({ operation, method: route.method, path: route.path }, "classroom address found");
      if (store === null) return;
      store.remember(keyOf(operation), routesOf(operation).indexOf(route), now).catch((thrown: unknown) => {
        logger.debug({ operation, reason: messageOf(thrown) }, "a known address could not be stored");
      });
    },

    absent: (route: RouteDialect): void => {
      absent.add(route);
    },

    /** @returns whether other bodies may be tried: no, if this one has worked before. */
    refused: (operation: OperationName, route: RouteDialect): boolean => {
      if (worked.get(operation) === route) return false;
      refused.add(route);
      return true;
    },

    /** Forgets which addresses were absent or refused. */
    exhausted: (operation: OperationName): void => {
      for (const route of routesOf(operation)) {
        absent.delete(route);
        refused.delete(route);
      }
      if (worked.has(operation)) plainGoneUntil.set(operation, clock.now() + plainGoneTtlMs);
    },

    /** Whether this service says "does not exist" with a 404 that isn't JSON. */
    plainGone: (operation: OperationName): boolean => clock.now() < (plainGoneUntil.get(operation) ?? 0),
  };
}

/** The key for an operation's memory. Another dialect or service has another key. */
function addressKey(baseUrl: string, operation: OperationName, routes: readonly RouteDialect[]): string {
  const about = JSON.stringify([baseUrl, operation, routes]);
  return sha256(`classroom-address\n${about}`);
}

/** A route in words: the address, with the body's names if several routes share the address. */
export function routeInWords(route: RouteDialect, others: readonly RouteDialect[]): string {
  const address = addressOf(route);
  if (route.body === null || others.filter((one) => addressOf(one) === address).length < 2) return address;
  return `${address} { ${Object.keys(route.body).join(", ")} }`;
}

export function addressOf({ method, path }: Pick<RouteDialect, "method" | "path">): string {
  return `${method} ${path}`;
}

/** What the interface document shows about an operation. Everything else in a dialect is assumed. */
type Documented = {
  /** "POST /path" as in part 4; "/path" if it names no method. */
  addresses: readonly string[];
  /** Names in requests (`sent`) and replies (`read`). */
  sent: readonly string[];
  read: readonly string[];
};

const nothing: Documented = { addresses: [], sent: [], read: [] };
const only = (...addresses: string[]): Documented => ({ ...nothing, addresses });

/** The table in part 4 of the interface document. We chose the names in braces. */
export const documented: Readonly<Record<OperationName, Documented>> = {
  createApiUser: only("POST /users/createAPIUser", "POST /user/createAPIUser"),
  updateApiUser: nothing,
  createSpace: only("POST /spaces/create"),
  addToSpace: nothing,
  authorize: {
    addresses: [
      "POST /users/{userId}/authorize",
      "GET /users/{userId}/authorize",
      "GET /user/authorize",
      // "and also the path": the document doesn't show the method.
      "/user/authorize",
    ],
    sent: ["redirectUrl"],
    read: ["url"],
  },
  createEvent: only("POST /events"),
  readEvent: only("GET /events/{eventId}"),
  updateEvent: nothing,
  cancelEvent: nothing,
  findEvents: nothing,
  readAttendance: only("GET /attendance/{eventId}"),
  readCohort: only("GET /programs/{programId}/cohorts/{cohortId}"),
  findCohorts: nothing,
  readAlert: only("GET /alerts/{alertId}"),
  readRecordings: only("/spaces/recordings"),
  readSessions: only("/analytics/sessions"),
  configureWebhook: only("POST /webhooks"),
};

export type OperationBasis = {
  operation: OperationName;
  /** The route that works, or the first one to try. */
  way: string;
  address: "documented" | "method-assumed" | "assumed";
  /** Names that aren't in the document, in requests and replies. */
  sent: readonly string[];
  read: readonly string[];
  /** How many routes there are, and when the service last answered this one (ms; null for never). */
  ways: number;
  answeredAt: number | null;
};

export function basisOf(
  operation: OperationName,
  { reply }: Pick<OperationDialect, "reply">,
  route: RouteDialect,
): Pick<OperationBasis, "address" | "sent" | "read"> {
  const { addresses, sent, read } = documented[operation];
  const undocumented = (names: readonly string[], documentedNames: readonly string[]) =>
    [...new Set(names)].filter((name) => !documentedNames.includes(name));
  const assumed = addresses.includes(route.path) ? "method-assumed" : "assumed";
  return {
    address: addresses.includes(addressOf(route)) ? "documented" : assumed,
    sent: undocumented([...Object.keys(route.query), ...Object.keys(route.body ?? {})], sent),
    read: undocumented(Object.keys(reply), read),
  };
}

export type OperationMemory = Pick<AddressStore, "find"> & {
  /** When the service last answered there (ms); null for never. */
  answeredAt: (key: string) => Promise<number | null>;
};

export async function operationBases(deps: { baseUrl: string; dialect: Dialect; store: OperationMemory }) {
  const bases = operationNames.map(async (operation): Promise<OperationBasis[]> => {
    const spoken = deps.dialect.operations[operation];
    const { routes } = spoken;
    const key = addressKey(deps.baseUrl, operation, routes);
    const answeredAt = await deps.store.answeredAt(key);
    const route = routes[(await deps.store.find(key)) ?? 0] ?? routes[0];
    if (route === undefined) return [];
    const way = routeInWords(route, routes);
    return [{ operation, way, ...basisOf(operation, spoken, route), ways: routes.length, answeredAt }];
  });
  return (await Promise.all(bases)).flat();
}
