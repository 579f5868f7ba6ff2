import type { AccountId, AccountStage } from "../domain/account.ts";
import { maxClassroomNote, statusAsWritten } from "../domain/attendance.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { cutTo } from "../kernel/text.ts";
import { type ClassroomCallSeen, createClassroomCall } from "./classroom-call.ts";
import { listedUsers, type PeopleOfNewSpace, rolesAdded, type UserInRole, writtenUser } from "./people.ts";
import { type BackgroundRest, createBackgroundRest } from "./background-rest.ts";
import { analyticsWindowMs, createBudgets } from "./budgets.ts";
import { type CallOptions, createReader, type ListOptions, type ListReply } from "./create-reader.ts";
import { foreignLogin, unreadable, wantsEmail } from "./classroom-errors.ts";
import { originElsewhere } from "./account.ts";
import type { Dialect } from "./dialect.ts";
import type { OpenExchange } from "./exchange.ts";
import { eventChanges, writtenEvent } from "./event-changes.ts";
import type { AddressStore } from "./known-addresses.ts";
import { maxTextLength } from "./limits.ts";
import { cohortsReader } from "./read-cohorts.ts";
import { type RecordingsReader, recordingsReader } from "./read-recordings.ts";
import { idsAt, isNullAt, isWebPage, momentAt, textAt, urlAt } from "./read-reply.ts";
import { sessionsReader } from "./read-sessions.ts";
import type { Throttle } from "./throttle.ts";

/** The person to create a user for. Null for what the LMS withholds, but some name is required. */
export type NewApiUser = {
  /** Our id of the person in this role, by which we find the classroom's record again. */
  reference: string;
  name: string;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  role: "host" | "participant";
};

/** A Space to create, with the users known so far. */
export type NewClassroomSpace = {
  name: string;
  access: "Public" | "Private";
  waitingRoom: boolean;
} & PeopleOfNewSpace;

/** A scheduled event to create; times in ms. */
export type NewEvent = {
  title: string;
  spaceId: string;
  startsAt: number;
  endsAt: number;
  hostUserId?: string | null;
  attendeeUserIds?: readonly string[];
  /** Sent only if the dialect's body has a place for cohorts. The document doesn't show one. */
  cohortIds?: readonly string[];
};

/** A scheduled event; null means "not reported". Times in ms. */
export type EventReply = {
  eventId: string;
  spaceId: string | null;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  /** Empty if the event has none; null or missing means "not reported". */
  cohortIds?: readonly string[] | null;
};

/** One participant's attendance, with the status as the service sent it, known or not. */
export type AttendanceReply = {
  userId: string;
  status: string;
  notes: string | null;
  updatedAt: number | null;
};

/** A control-center alert, with values as they came. */
export type AlertReply = {
  alertId: string;
  alertType: string | null;
  status: string | null;
  priority: string | null;
  assigneeId: string | null;
  eventId: string | null;
  /** Whether the dialect counts its status as closed. */
  closed: boolean;
};

/**
 * The calls to one account's service. Every method throws NamedError: "classroom-unreachable" (temporary; `details.outcome` says whether
 * a creation may have happened), "classroom-busy" (temporary), "classroom-refused", "classroom-unauthorized",
 * "classroom-reply-unreadable", "classroom-login-elsewhere", or "throttle-store-unreachable". `read...` returns null or an empty list
 * for something that doesn't exist.
 */
export type ClassroomClient = ReturnType<typeof eventChanges> &
  ReturnType<typeof cohortsReader> &
  RecordingsReader &
  ReturnType<typeof sessionsReader> & {
    /** Whether a user has the role for which it was made. If not, a person has one user for both roles. */
    usersHaveRoles: boolean;
    createApiUser: (user: NewApiUser, options: CallOptions) => Promise<{ userId: string }>;
    /** Sends new facts about an API user; null if the dialect has no address for it. */
    updateApiUser: ((user: NewApiUser & { userId: string }, options: CallOptions) => Promise<void>) | null;
    /**
     * @returns also the users that the request named, since some shapes can't name all. `elsewhere`: an origin that isn't the
     * classroom's.
     */
    createSpace: (
      space: NewClassroomSpace,
      options: CallOptions,
    ) => Promise<{ spaceId: string; elsewhere: string | null; listed: UserInRole[] }>;
    /** Roles in which the dialect can add a user to an existing Space; may be empty. */
    addsToSpace: readonly UserInRole["role"][];
    /** Adds a user to a Space's hosts or participants. May be repeated. */
    addToSpace: (added: UserInRole & { spaceId: string }, options: CallOptions) => Promise<void>;
    /** `redirectUrl` is the plain Space URL with parameters. This method URL-encodes it, once. */
    authorize: (
      entry: { userId: string; redirectUrl: string },
      options: CallOptions,
    ) => Promise<{ url: string }>;
    createEvent: (event: NewEvent, options: CallOptions) => Promise<{ eventId: string }>;
    readEvent: (eventId: string, options: CallOptions) => Promise<EventReply | null>;
    /** Also empty for an unknown event. `more` says what wasn't read. */
    readAttendance: (eventId: string, options: ListOptions) => Promise<ListReply<AttendanceReply>>;
    readAlert: (alertId: string, options: CallOptions) => Promise<AlertReply | null>;
    /**
     * Sets the address and secret of the account's webhooks. `confirmed`: the reply (not documented) repeats the address; otherwise
     * we only know that it wasn't refused. Null if the dialect has no address for it.
     */
    configureWebhook: (
      webhook: { url: string; secret: string },
      options: CallOptions,
    ) => Promise<{ confirmed: boolean } | null>;
  };

/** The throttles must be those of the account's API key. */
export function createClassroomClient(deps: {
  environment: { name: AccountId; stage: AccountStage; baseUrl: string; appUrl: string; apiKey: string };
  dialect: Dialect;
  throttle: Throttle;
  /** The slower throttle, with the dialect's limit. Left out: only the general one counts. */
  analyticsThrottle?: Throttle;
  /** The window of that throttle (ms); default: the dialect's. */
  analyticsWindowMs?: number;
  /** Left out: each process has to find the addresses. */
  addresses?: AddressStore;
  open: OpenExchange;
  clock: Clock;
  logger: Logger;
  /** For one HTTP request and its reply (ms); default 10 s. */
  timeoutMs?: number;
  /** How long a call is retried after its first answer (ms); default 30 s. */
  patienceMs?: number;
  onCall?: ((call: ClassroomCallSeen) => void) | undefined;
  /** Left out: no call is held back. */
  rest?: BackgroundRest;
}): ClassroomClient {
  const { environment, dialect } = deps;
  const call = createClassroomCall({
    ...deps,
    addresses: deps.addresses ?? null,
    budgets: createBudgets({
      throttle: deps.throttle,
      analyticsThrottle: deps.analyticsThrottle ?? null,
      analyticsWindowMs: deps.analyticsWindowMs ?? analyticsWindowMs(dialect),
      clock: deps.clock,
    }),
    timeoutMs: deps.timeoutMs ?? 10_000,
    patienceMs: deps.patienceMs ?? 30_000,
    rest: deps.rest ?? createBackgroundRest({ clock: deps.clock, shares: () => false }),
  });
  const loginOrigins = new Set([new URL(environment.appUrl).origin, ...dialect.loginOrigins]);

  const reader = createReader({ environment, dialect, call, clock: deps.clock, logger: deps.logger });
  const { failed, placesOf, create, mustAnswer, read, readList, means } = reader;

  function isOfClassroom(url: string | null): url is string {
    return (
      url !== null && URL.canParse(url) && /^https?:/i.test(url) && loginOrigins.has(new URL(url).origin)
    );
  }

  /** Sends a user, and once more without the e-mail address if the service refuses it: an odd address must not lock the learner out. */
  async function orWithoutAddress<User extends NewApiUser, Made>(
    user: User,
    send: (user: User) => Promise<Made>,
  ): Promise<Made> {
    const written = writtenUser(user, dialect);
    try {
      return await send(written);
    } catch (thrown) {
      if (!isAnswered(thrown, dialect.statuses.refusedBody)) throw thrown;
      if (user.email === null) throw written.email === null ? wantsEmail(thrown) : thrown;
      try {
        return await send(writtenUser({ ...user, email: null }, dialect));
      } catch (again) {
        throw isAnswered(again, dialect.statuses.refusedBody) ? thrown : again;
      }
    }
  }

  return {
    usersHaveRoles: dialect.usersHaveRoles,
    createApiUser: async (user, options) => {
      const { id } = await orWithoutAddress(user, (written) =>
        create("createApiUser", "creating a classroom user", written, options, "userId"),
      );
      return { userId: id };
    },
    updateApiUser:
      dialect.operations.updateApiUser.routes.length === 0
        ? null
        : async (user, options) => {
            // May be repeated, because it sends the same facts.
            const request = { ...options, doing: "renaming a classroom user", kind: "entry" } as const;
            await orWithoutAddress(user, (written) => mustAnswer("updateApiUser", written, request));
          },
    createSpace: async (space, options) => {
      const doing = "creating a Space";
      const named = { ...space, name: cutTo(space.name, dialect.lengths.title) };
      const { id, reply, route } = await create("createSpace", doing, named, options, "spaceId");
      const address = textAt(reply, placesOf("createSpace", "url"));
      const elsewhere = originElsewhere(address, { appUrl: environment.appUrl, dialect });
      if (elsewhere !== null)
        deps.logger.error(
          { ...failed("createSpace", doing), origin: elsewhere },
          "the service says that a new Space is not at CLASSROOM_APP_URL: correct that, or, if this origin is the service's, too, add it to knownSpaceOrigins in the dialect file. Until then nobody enters the Space, which is kept",
        );
      return { spaceId: id, elsewhere, listed: listedUsers(route, space) };
    },
    addsToSpace: rolesAdded(dialect),
    addToSpace: async ({ spaceId, userId, role }, options) => {
      const list = role === "host" ? "hostUserIds" : "participantUserIds";
      const request = { ...options, doing: "adding somebody to a Space", kind: "entry" } as const;
      try {
        const values = { spaceId, userId, role, [list]: [userId] };
        const { reply } = await mustAnswer("addToSpace", values, request);
        if (isWebPage(reply)) throw unreadable(failed("addToSpace", request.doing), "JSON", reply, false);
      } catch (thrown) {
        if (!isAnswered(thrown, dialect.statuses.already)) throw thrown;
      }
    },
    authorize: async (entry, options) => {
      const doing = "authorizing an entry";
      // May be repeated, because a second token does no harm.
      const { reply } = await mustAnswer("authorize", entry, { ...options, doing, kind: "entry" });
      const url = urlAt(reply, placesOf("authorize", "url"));
      if (url === null) {
        const missing = `url of at most ${maxTextLength} characters`;
        throw unreadable(failed("authorize", doing), missing, reply, false);
      }
      if (!isOfClassroom(url)) throw foreignLogin(failed("authorize", doing), new URL(url).origin);
      return { url };
    },
    createEvent: async (event, options) => {
      const values = writtenEvent(event, dialect);
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
        // An invited person without a mark; some services list them.
        if (status === null) return isNullAt(item, places("status")) ? [] : null;
        const updatedAt = momentAt(item, places("updatedAt"));
        const notes = cutTo(textAt(item, places("notes")) ?? "", maxClassroomNote) || null;
        return [{ userId, status: statusAsWritten(status), notes, updatedAt }];
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
      const values = { ...webhook, environment: environment.stage };
      // May be repeated, because it sends the same address.
      const request = { ...options, doing: "setting the webhook address", kind: "entry" } as const;
      const { reply } = await mustAnswer("configureWebhook", values, request);
      return { confirmed: textAt(reply, placesOf("configureWebhook", "url")) === webhook.url };
    },
  };
}

/** Whether the service refused a call with one of these statuses. */
function isAnswered(thrown: unknown, statuses: readonly number[]): thrown is NamedError {
  return (
    thrown instanceof NamedError &&
    thrown.code === "classroom-refused" &&
    statuses.some((status) => status === thrown.details.answer)
  );
}
