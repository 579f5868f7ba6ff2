import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { spaceUrl } from "../domain/join-url.ts";
import { type CallManner, createClassroomCall } from "./classroom-call.ts";
import { type FailedCall, foreignLogin, refused, unreadable } from "./classroom-errors.ts";
import type { Dialect, OperationName } from "./dialect.ts";
import type { TemplateValues } from "./fill-template.ts";
import { listAt, momentAt, textAt, valueAt } from "./read-reply.ts";
import type { Throttle } from "./throttle.ts";
import type { Priority } from "./waiting-line.ts";

/** Who is waiting for a call, and when they stop waiting. */
export type CallOptions = {
  priority: Priority;
  signal?: AbortSignal | undefined;
  /** Called each time the throttle has let a request of this call through. */
  onPermit?: (() => void) | undefined;
};

/** A person to be made known to the classroom; what the LMS withholds is null. */
export type NewApiUser = {
  /** Our own id of the person, so that the classroom's record can be found again. */
  reference: string;
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  role: "host" | "participant";
};

/** A scheduled event to be made; times in milliseconds since the epoch. */
export type NewEvent = {
  title: string;
  spaceId: string;
  startsAt: number;
  endsAt: number;
  hostUserId?: string | null;
  attendeeUserIds?: readonly string[];
};

/** A scheduled event as the classroom tells it; null is "not told". Times in milliseconds since the epoch. */
export type EventReply = {
  eventId: string;
  spaceId: string | null;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
};

/** One participant's attendance; `status` is kept as it came, known or not. */
export type AttendanceReply = {
  userId: string;
  status: string;
  notes: string | null;
  updatedAt: number | null;
};

/** A cohort as the classroom tells it. */
export type CohortReply = {
  cohortId: string;
  programId: string;
  name: string | null;
  organizerIds: string[];
  attendeeIds: string[];
};

/** A control-center alert as the classroom tells it; values are kept as they came. */
export type AlertReply = {
  alertId: string;
  alertType: string | null;
  status: string | null;
  priority: string | null;
  assigneeId: string | null;
  eventId: string | null;
};

/** A published recording; `url` is null when it is none a browser may open. */
export type RecordingReply = {
  recordingId: string;
  spaceId: string | null;
  url: string | null;
  publishedAt: number | null;
};

/**
 * One environment of the Virtual Classroom Service. Every method throws NamedError: "classroom-unreachable"
 * (temporary; `details.outcome` says whether a creation may have happened), "classroom-busy" (temporary),
 * "classroom-refused", "classroom-unauthorized", "classroom-reply-unreadable", "classroom-login-elsewhere",
 * or the throttle's "throttle-store-unreachable". `read...` gives null, or an empty list, when there is no such thing.
 */
export type ClassroomClient = {
  createApiUser: (user: NewApiUser, options: CallOptions) => Promise<{ userId: string }>;
  createSpace: (
    space: { name: string; access: "Public" | "Private"; waitingRoom: boolean },
    options: CallOptions,
  ) => Promise<{ spaceId: string; url: string }>;
  /** `redirectUrl` is the plain Space URL with its parameters; it is URL-encoded here, once. */
  authorize: (
    entry: { userId: string; redirectUrl: string },
    options: CallOptions,
  ) => Promise<{ url: string }>;
  createEvent: (event: NewEvent, options: CallOptions) => Promise<{ eventId: string }>;
  readEvent: (eventId: string, options: CallOptions) => Promise<EventReply | null>;
  /** Empty also when the classroom does not know the event. */
  readAttendance: (eventId: string, options: CallOptions) => Promise<AttendanceReply[]>;
  readCohort: (
    cohort: { programId: string; cohortId: string },
    options: CallOptions,
  ) => Promise<CohortReply | null>;
  readAlert: (alertId: string, options: CallOptions) => Promise<AlertReply | null>;
  readRecordings: (spaceId: string, options: CallOptions) => Promise<RecordingReply[]>;
};

/** A client for one environment; the throttle must be the one of its API key. */
export function createClassroomClient(deps: {
  environment: { name: "production" | "staging"; baseUrl: string; appUrl: string; apiKey: string };
  dialect: Dialect;
  throttle: Throttle;
  fetch: typeof fetch;
  clock: Clock;
  logger: Logger;
  /** For one HTTP request, reply included; default 10 s. */
  timeoutMs?: number;
  /** How long a call goes on being tried after its first answer; default 30 s. */
  patienceMs?: number;
}): ClassroomClient {
  const { environment, dialect, logger } = deps;
  const call = createClassroomCall({
    ...deps,
    timeoutMs: deps.timeoutMs ?? 10_000,
    patienceMs: deps.patienceMs ?? 30_000,
  });
  const loginOrigins = new Set([new URL(environment.appUrl).origin, ...dialect.loginOrigins]);

  const failed = (operation: OperationName, doing: string): FailedCall => ({
    operation,
    doing,
    environment: environment.name,
  });
  const placesOf = (operation: OperationName, field: string) =>
    dialect.operations[operation].reply[field] ?? [];

  /** Makes something: never repeated blindly, and the reply must name what was made. */
  async function create(
    operation: OperationName,
    doing: string,
    values: TemplateValues,
    options: CallOptions,
    idField: string,
  ): Promise<{ id: string; reply: unknown }> {
    const reply = await mustAnswer(operation, values, { ...options, doing, kind: "creation" });
    const id = textAt(reply, placesOf(operation, idField));
    if (id === null) throw unreadable(failed(operation, doing), idField, reply, true);
    return { id, reply };
  }

  async function mustAnswer(
    operation: OperationName,
    values: TemplateValues,
    manner: CallManner,
  ): Promise<unknown> {
    const answer = await call(operation, values, manner);
    if (answer === null) throw refused(failed(operation, manner.doing), 404, null);
    return answer.reply;
  }

  /** Reads one thing: null on 404; `field` finds a text in the reply. */
  async function read(operation: OperationName, doing: string, values: TemplateValues, options: CallOptions) {
    const answer = await call(operation, values, { ...options, doing, kind: "reading" });
    if (answer === null) return null;
    const { reply } = answer;
    if (typeof reply !== "object" || reply === null)
      throw unreadable(failed(operation, doing), "JSON", reply, false);
    return {
      reply,
      text: (field: string) => textAt(reply, placesOf(operation, field)),
      moment: (field: string) => momentAt(reply, placesOf(operation, field)),
      flag: (field: string) => valueAt(reply, placesOf(operation, field)) === true,
    };
  }

  /** Reads a list: entries without what `entry` needs are left out and counted in the log. */
  async function readList<Entry>(
    operation: OperationName,
    doing: string,
    values: TemplateValues,
    options: CallOptions,
    entry: (item: unknown, places: (field: string) => string[]) => Entry | null,
  ): Promise<Entry[]> {
    const found = await read(operation, doing, values, options);
    if (found === null) return [];
    const items = listAt(found.reply, placesOf(operation, "items"));
    if (items === null) throw unreadable(failed(operation, doing), "a list", found.reply, false);
    const entries = items.flatMap((item) => entry(item, (field) => placesOf(operation, field)) ?? []);
    if (entries.length < items.length) {
      if (entries.length === 0)
        throw unreadable(failed(operation, doing), "readable entries", found.reply, false);
      logger.warn(
        { operation, unreadable: items.length - entries.length },
        "some entries of a reply are unreadable",
      );
    }
    return entries;
  }

  function isOfClassroom(url: string | null): url is string {
    return (
      url !== null && URL.canParse(url) && /^https?:/i.test(url) && loginOrigins.has(new URL(url).origin)
    );
  }

  return {
    createApiUser: async (user, options) => {
      const values = { ...user, name: nameOf(user) };
      const { id } = await create("createApiUser", "creating a classroom user", values, options, "userId");
      return { userId: id };
    },
    createSpace: async (space, options) => {
      const { id, reply } = await create("createSpace", "creating a Space", space, options, "spaceId");
      const url = textAt(reply, placesOf("createSpace", "url"));
      return { spaceId: id, url: isOfClassroom(url) ? url : spaceUrl(environment.appUrl, id) };
    },
    authorize: async (entry, options) => {
      const doing = "authorizing an entry";
      // Repeatable: a second token for the same person does no harm.
      const reply = await mustAnswer("authorize", entry, { ...options, doing, kind: "entry" });
      const url = textAt(reply, placesOf("authorize", "url"));
      if (url === null || !URL.canParse(url))
        throw unreadable(failed("authorize", doing), "url", reply, false);
      if (!isOfClassroom(url)) throw foreignLogin(failed("authorize", doing), new URL(url).origin);
      return { url };
    },
    createEvent: async (event, options) => {
      const values = {
        ...event,
        startsAt: new Date(event.startsAt).toISOString(),
        endsAt: new Date(event.endsAt).toISOString(),
      };
      const { id } = await create("createEvent", "scheduling a session", values, options, "eventId");
      return { eventId: id };
    },
    readEvent: async (eventId, options) => {
      const found = await read("readEvent", "reading a session", { eventId }, options);
      if (found === null) return null;
      return {
        eventId: found.text("eventId") ?? eventId,
        spaceId: found.text("spaceId"),
        title: found.text("title"),
        startsAt: found.moment("startsAt"),
        endsAt: found.moment("endsAt"),
        cancelled: found.flag("cancelled") || /^cancell?ed$/i.test(found.text("status") ?? ""),
      };
    },
    readAttendance: (eventId, options) =>
      readList("readAttendance", "reading attendance", { eventId }, options, (item, places) => {
        const userId = textAt(item, places("userId"));
        const status = textAt(item, places("status"));
        if (userId === null || status === null) return null;
        const updatedAt = momentAt(item, places("updatedAt"));
        return { userId, status, notes: textAt(item, places("notes")), updatedAt };
      }),
    readCohort: async ({ programId, cohortId }, options) => {
      const found = await read("readCohort", "reading a cohort", { programId, cohortId }, options);
      if (found === null) return null;
      const people = (field: string) =>
        (listAt(found.reply, placesOf("readCohort", field)) ?? []).flatMap(
          (person) => textAt(person, ["", ...placesOf("readCohort", "personId")]) ?? [],
        );
      return {
        cohortId: found.text("cohortId") ?? cohortId,
        programId,
        name: found.text("name"),
        organizerIds: people("organizers"),
        attendeeIds: people("attendees"),
      };
    },
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
      };
    },
    readRecordings: (spaceId, options) =>
      readList("readRecordings", "reading recordings", { spaceId }, options, (item, places) => {
        const recordingId = textAt(item, places("recordingId"));
        if (recordingId === null) return null;
        const url = textAt(item, places("url"));
        return {
          recordingId,
          spaceId: textAt(item, places("spaceId")),
          url: url !== null && URL.canParse(url) && /^https?:/i.test(url) ? url : null,
          publishedAt: momentAt(item, places("publishedAt")),
        };
      }),
  };
}

/** What the classroom shows for a person: it needs some name, and an LMS may withhold it. */
function nameOf(user: NewApiUser): string {
  const parts = [user.givenName, user.familyName].filter((part) => part !== null && part !== "");
  if (user.name !== null && user.name !== "") return user.name;
  if (parts.length > 0) return parts.join(" ");
  return user.role === "host" ? "Host" : "Participant";
}
