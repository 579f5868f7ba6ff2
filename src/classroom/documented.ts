import {
  type Dialect,
  type OperationDialect,
  type OperationName,
  operationNames,
  type RouteDialect,
} from "./dialect.ts";
import { type AddressStore, addressKey, addressOf, routeInWords } from "./known-addresses.ts";

/** What the interface document shows of an operation; everything else in a dialect is assumed. */
type Documented = {
  /** "POST /path" as part 4 has it; "/path" where it names no method. */
  addresses: readonly string[];
  /** Names in requests and replies. */
  sent: readonly string[];
  read: readonly string[];
};

const nothing: Documented = { addresses: [], sent: [], read: [] };
const only = (...addresses: string[]): Documented => ({ ...nothing, addresses });

/** Part 4 of the interface document, its table; names in braces are ours. */
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
      // "and also the path": the method is not shown.
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
  /** The way that works, else the first one tried. */
  way: string;
  address: "documented" | "method-assumed" | "assumed";
  /** Names not in the document, sent and read. */
  sent: readonly string[];
  read: readonly string[];
  /** How many ways there are, and when the service last answered this one (ms; null for never). */
  ways: number;
  answeredAt: number | null;
};

export function basisOf(
  operation: OperationName,
  { reply }: Pick<OperationDialect, "reply">,
  route: RouteDialect,
): Pick<OperationBasis, "address" | "sent" | "read"> {
  const { addresses, sent, read } = documented[operation];
  const unshown = (names: readonly string[], shown: readonly string[]) =>
    [...new Set(names)].filter((name) => !shown.includes(name));
  return {
    address: addresses.includes(addressOf(route))
      ? "documented"
      : addresses.includes(route.path)
        ? "method-assumed"
        : "assumed",
    sent: unshown([...Object.keys(route.query), ...Object.keys(route.body ?? {})], sent),
    read: unshown(Object.keys(reply), read),
  };
}

export type OperationMemory = Pick<AddressStore, "find"> & {
  /** When it last answered (ms); null for never. */
  answeredAt: (key: string) => Promise<number | null>;
};

export async function operationBases(deps: {
  baseUrl: string;
  dialect: Dialect;
  store: OperationMemory;
}): Promise<OperationBasis[]> {
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
