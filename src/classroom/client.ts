import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { type ClassroomCallSeen, createClassroomCall } from "./classroom-call.ts";
import { rolesAdded } from "./adding-people.ts";
import { createBudgets } from "./budgets.ts";
import type { CallOptions } from "./call-options.ts";
import { foreignLogin, unreadable, wantsEmail } from "./classroom-errors.ts";
import { originElsewhere } from "./space-origin.ts";
import { createReader, type ListOptions, type ListReply } from "./create-reader.ts";
import type { Dialect } from "./dialect.ts";
import type { OpenExchange } from "./exchange.ts";
import { type EventChanges, eventChanges, writtenTimes } from "./event-changes.ts";
import type { AddressStore } from "./known-addresses.ts";
import { type CohortsReader, cohortsReader } from "./read-cohorts.ts";
import { type RecordingsReader, recordingsReader } from "./read-recordings.ts";
import { idsAt, isNullAt, momentAt, textAt } from "./read-reply.ts";
import { type SessionsReader, sessionsReader } from "./read-sessions.ts";
import type { Throttle } from "./throttle.ts";
import { type PeopleOfNewSpace, toldUsers, type UserInRole } from "./told-users.ts";
import { withAddress } from "./with-address.ts";

/** A person to be made known to the classroom; what the LMS withholds is null, but some name is needed. */
export type NewApiUser = {
  /** Our own id of the person in this role, so that the classroom's record can be found again. */
  reference: string;
  name: string;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  role: "host" | "participant";
};

/** A Space to be made, with the users it is for as far as they are known. */
export type NewClassroomSpace = {
  name: string;
  access: "Public" | "Private";
  waitingRoom: boolean;
} & PeopleOfNewSpace;

/** A scheduled event to be made; times in milliseconds since the epoch. */
export type NewEvent = {
  title: string;
  spaceId: string;
  startsAt: number;
  endsAt: number;
  hostUserId?: string | null;
  attendeeUserIds?: readonly string[];
  /** The cohorts it is for; sent only where the dialect's body has a place for them, which the document does not show. */
  cohortIds?: readonly string[];
};

/** A scheduled event as the classroom tells it; null is "not told". Times in milliseconds since the epoch. */
export type EventReply = {
  eventId: string;
  spaceId: string | null;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  /** The cohorts it is for; an empty list is for none, null or nothing is "not told". */
  cohortIds?: readonly string[] | null;
};

/** One participant's attendance; `status` is kept as it came, known or not. */
export type AttendanceReply = {
  userId: string;
  status: string;
  notes: string | null;
  updatedAt: number | null;
};

/** A control-center alert as the classroom tells it; values are kept as they came. */
export type AlertReply = {
  alertId: string;
  alertType: string | null;
  status: string | null;
  priority: string | null;
  assigneeId: string | null;
  eventId: string | null;
  /** Whether its status is one of those that the dialect knows for closed. */
  closed: boolean;
};

/**
 * One environment of the Virtual Classroom Service. Every method throws NamedError: "classroom-unreachable"
 * (temporary; `details.outcome` says whether a creation may have happened), "classroom-busy" (temporary),
 * "classroom-refused", "classroom-unauthorized", "classroom-reply-unreadable", "classroom-login-elsewhere",
 * or the throttle's "throttle-store-unreachable". `read...` gives null, or an empty list, when there is no such thing.
 */
export type ClassroomClient = EventChanges &
  CohortsReader &
  RecordingsReader &
  SessionsReader & {
    /** Whether a user has the role it was made with; if not, a person's one user serves both roles. */
    usersHaveRoles: boolean;
    createApiUser: (user: NewApiUser, options: CallOptions) => Promise<{ userId: string }>;
    /** Tells the classroom new facts about an API user; null while the dialect has no address for that. */
    updateApiUser: ((user: NewApiUser & { userId: string }, options: CallOptions) => Promise<void>) | null;
    /**
     * @returns also the users that the Space was told of: not those for whom the shape that worked has no place. `elsewhere`:
     * the origin at which the service says that the Space is, when that is none of the classroom's.
     */
    createSpace: (
      space: NewClassroomSpace,
      options: CallOptions,
    ) => Promise<{ spaceId: string; elsewhere: string | null; told: UserInRole[] }>;
    /** In which roles the dialect can add somebody to a Space that was made; empty where it names no way. */
    addsToSpace: readonly UserInRole["role"][];
    /** Adds a user to a Space's hosts or participants. Who is there already is no mistake; adding them again does no harm. */
    addToSpace: (added: UserInRole & { spaceId: string }, options: CallOptions) => Promise<void>;
    /** `redirectUrl` is the plain Space URL with its parameters; it is URL-encoded here, once. */
    authorize: (
      entry: { userId: string; redirectUrl: string },
      options: CallOptions,
    ) => Promise<{ url: string }>;
    createEvent: (event: NewEvent, options: CallOptions) => Promise<{ eventId: string }>;
    readEvent: (eventId: string, options: CallOptions) => Promise<EventReply | null>;
    /** Empty also when the classroom does not know the event; `more` says what of the list was not read. */
    readAttendance: (eventId: string, options: ListOptions) => Promise<ListReply<AttendanceReply>>;
    readAlert: (alertId: string, options: CallOptions) => Promise<AlertReply | null>;
    /**
     * Tells the service where to send this environment's webhooks, and with which secret. The reply is not shown: `confirmed`
     * when it repeats the address, else it was only not refused. Null when the dialect names no address for it.
     */
    configureWebhook: (
      webhook: { url: string; secret: string },
      options: CallOptions,
    ) => Promise<{ confirmed: boolean } | null>;
  };

/** A client for one environment; the throttles must be those of its API key. */
export function createClassroomClient(deps: {
  environment: { name: "production" | "staging"; baseUrl: string; appUrl: string; apiKey: string };
  dialect: Dialect;
  throttle: Throttle;
  /** The slower one of analytics, with the limit that the dialect tells; without it only the general one counts. */
  analyticsThrottle?: Throttle;
  /** Without it every process finds the addresses by itself. */
  addresses?: AddressStore;
  open: OpenExchange;
  clock: Clock;
  logger: Logger;
  /** For one HTTP request, reply included; default 10 s. */
  timeoutMs?: number;
  /** How long a call goes on being tried after its first answer; default 30 s. */
  patienceMs?: number;
  /** Told of each request, for the metrics. */
  onCall?: ((call: ClassroomCallSeen) => void) | undefined;
}): ClassroomClient {
  const { environment, dialect } = deps;
  const call = createClassroomCall({
    ...deps,
    addresses: deps.addresses ?? null,
    budgets: createBudgets({
      general: deps.throttle,
      analytics: deps.analyticsThrottle ?? null,
      analyticsWindowMs: (dialect.analytics.perSeconds * 1_000) / dialect.analytics.calls,
      clock: deps.clock,
    }),
    timeoutMs: deps.timeoutMs ?? 10_000,
    patienceMs: deps.patienceMs ?? 30_000,
  });
  const loginOrigins = new Set([new URL(environment.appUrl).origin, ...dialect.loginOrigins]);

  const reader = createReader({
    environment,
    dialect,
    call,
    clock: deps.clock,
    logger: deps.logger,
  });
  const { failed, placesOf, create, mustAnswer, read, readList, means } = reader;

  function isOfClassroom(url: string | null): url is string {
    return (
      url !== null && URL.canParse(url) && /^https?:/i.test(url) && loginOrigins.has(new URL(url).origin)
    );
  }

  return {
    usersHaveRoles: dialect.usersHaveRoles,
    createApiUser: async (user, options) => {
      const told = withAddress(user, dialect);
      try {
        const { id } = await create("createApiUser", "creating a classroom user", told, options, "userId");
        return { userId: id };
      } catch (thrown) {
        if (told.email !== null || !isAnswered(thrown, dialect.statuses.refusedBody)) throw thrown;
        throw wantsEmail(thrown);
      }
    },
    updateApiUser:
      dialect.operations.updateApiUser.routes.length === 0
        ? null
        : async (user, options) => {
            // Repeatable: the same facts twice are the same facts.
            const manner = { ...options, doing: "renaming a classroom user", kind: "entry" } as const;
            await mustAnswer("updateApiUser", withAddress(user, dialect), manner);
          },
    createSpace: async (space, options) => {
      const doing = "creating a Space";
      const { id, reply, route } = await create("createSpace", doing, space, options, "spaceId");
      const told = textAt(reply, placesOf("createSpace", "url"));
      const elsewhere = originElsewhere(told, { appUrl: environment.appUrl, dialect });
      if (elsewhere !== null)
        deps.logger.error(
          { ...failed("createSpace", doing), origin: elsewhere },
          "the service says that a new Space is not at CLASSROOM_APP_URL: correct that, or, if this origin is the service's, too, add it to knownSpaceOrigins in the dialect file. Until then nobody enters the Space, which is kept",
        );
      return {
        spaceId: id,
        elsewhere,
        told: toldUsers(route, space),
      };
    },
    addsToSpace: rolesAdded(dialect),
    addToSpace: async ({ spaceId, userId, role }, options) => {
      const list = role === "host" ? "hostUserIds" : "participantUserIds";
      const manner = { ...options, doing: "adding somebody to a Space", kind: "entry" } as const;
      try {
        const { reply } = await mustAnswer("addToSpace", { spaceId, userId, role, [list]: [userId] }, manner);
        // Some servers answer every address with a web page: that is not the service saying that it did it.
        if (typeof reply === "string" && reply.trimStart().startsWith("<"))
          throw unreadable(failed("addToSpace", manner.doing), "JSON", reply, false);
      } catch (thrown) {
        if (!isAnswered(thrown, dialect.statuses.already)) throw thrown;
      }
    },
    authorize: async (entry, options) => {
      const doing = "authorizing an entry";
      // Repeatable: a second token for the same person does no harm.
      const { reply } = await mustAnswer("authorize", entry, { ...options, doing, kind: "entry" });
      const url = textAt(reply, placesOf("authorize", "url"));
      if (url === null || !URL.canParse(url))
        throw unreadable(failed("authorize", doing), "url", reply, false);
      if (!isOfClassroom(url)) throw foreignLogin(failed("authorize", doing), new URL(url).origin);
      return { url };
    },
    createEvent: async (event, options) => {
      const values = { ...event, ...writtenTimes(event) };
      const { id } = await create("createEvent", "scheduling a session", values, options, "eventId");
      return { eventId: id };
    },
    readEvent: async (eventId, options) => {
      const found = await read("readEvent", "reading a session", { eventId }, options);
      if (found === null) return null;
      const cohortIds = idsAt(found.reply, placesOf("readEvent", "cohortIds"), ["cohortId", "id", "_id"]);
      return {
        ...(cohortIds === null ? {} : { cohortIds }),
        eventId: found.text("eventId") ?? eventId,
        spaceId: found.text("spaceId"),
        title: found.text("title"),
        startsAt: found.moment("startsAt"),
        endsAt: found.moment("endsAt"),
        cancelled: found.flag("cancelled") || means("readEvent", "cancelled", found.text("status")),
      };
    },
    ...eventChanges({ dialect, call, readList, failed }),
    readAttendance: async (eventId, options) => {
      const doing = "reading attendance";
      const entry = (item: unknown, places: (field: string) => string[]) => {
        const userId = textAt(item, places("userId"));
        const status = textAt(item, places("status"));
        if (userId === null) return null;
        // Somebody who was invited and is not marked yet, where the service lists those, too.
        if (status === null) return isNullAt(item, places("status")) ? [] : null;
        const updatedAt = momentAt(item, places("updatedAt"));
        return [{ userId, status, notes: textAt(item, places("notes")), updatedAt }];
      };
      const found = await readList("readAttendance", doing, { eventId }, options, entry, "userId");
      return { ...found, entries: found.entries.flat() };
    },
    ...cohortsReader({ dialect, reader }),
    readAlert: async (alertId, options) => {
      const found = await read("readAlert", "reading an alert", { alertId }, options);
      if (found === null) return null;
      return {
        alertId: found.text("alertId") ?? alertId,
        alertType: found.text("alertType"),
        status: found.text("status"),
        priority: found.text("priority"),
        assigneeId: found.text("assigneeId"),
        eventId: found.text("eventId"),
        closed: means("readAlert", "closed", found.text("status")),
      };
    },
    ...recordingsReader({ dialect, readAll: reader.readAll, failed }),
    ...sessionsReader(readList),
    configureWebhook: async (webhook, options) => {
      if (dialect.operations.configureWebhook.routes.length === 0) return null;
      const values = { ...webhook, environment: environment.name };
      // Repeatable: the same address twice is one address.
      const manner = { ...options, doing: "setting the webhook address", kind: "entry" } as const;
      const { reply } = await mustAnswer("configureWebhook", values, manner);
      return { confirmed: textAt(reply, placesOf("configureWebhook", "url")) === webhook.url };
    },
  };
}

/** Whether a call was refused with one of some statuses. */
function isAnswered(thrown: unknown, statuses: readonly number[]): thrown is NamedError {
  return (
    thrown instanceof NamedError &&
    thrown.code === "classroom-refused" &&
    statuses.some((status) => status === thrown.details.answer)
  );
}
