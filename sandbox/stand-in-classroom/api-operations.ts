// From: document 2 and 4; bodies and replies are assumed.
import { z } from "zod";
import { showsNothing } from "../../src/kernel/text.ts";
import type { Turned } from "../assumptions.ts";
import type { Actions } from "./actions.ts";
import { found, parseOrRefuse, Refusal } from "./refusal.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import { iso, loginParameters } from "./world.ts";
import type { Classroom, StandInEvent, StandInRecording, StandInSpace, StandInUser } from "./world.ts";

type OperationInput = {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
};

type Operation = (input: OperationInput) => unknown;

const tokenLifetimeMs = 3_600_000; // one hour (document part 8)
const text = z.string().min(1);

const userSchema = z.object({
  name: text,
  email: z.string().nullish(),
  role: z.enum(["host", "participant"]).default("participant"),
  externalId: z.string().nullish(),
});
const people = z.array(z.object({ userId: text }));
const spaceSchema = z.object({
  name: text,
  access: z.enum(["Public", "Private"]).default("Public"),
  enableWaitingRoom: z.boolean().default(false),
  invitedUserIds: z.array(z.string()).default([]),
  hosts: people.optional(),
  participants: people.optional(),
});
const addedSchema = z.object({ userId: text, role: z.enum(["host", "participant"]) });
const record = z.record(z.string(), z.unknown());
const webhookSchema = z.object({ url: z.url(), secret: z.string().min(1).optional() });

/** The operations of the document's part 4, without their addresses. */
export function createOperations(
  deps: Classroom & {
    actions: Actions;
    webhooks: WebhookSender;
    appUrl: () => string;
    otherAppUrl: () => string;
  },
) {
  const { turned, world, actions, webhooks, clock, ids } = deps;

  function createApiUser({ body }: OperationInput) {
    const fields = parseOrRefuse(userSchema, body);
    refuseText(fields.name);
    const known = [...world.users.values()].find(({ externalId }) => externalId === fields.externalId);
    if (turned.has("madeAnewEachTime") && fields.externalId != null && known !== undefined)
      return { ...known, createdAt: iso(known.createdAt) };
    refuseAddress(fields.email ?? null);
    const sameAddress = [...world.users.values()].find(({ email }) => email === fields.email);
    if (turned.has("aUserForEachRole") && fields.email != null && sameAddress !== undefined)
      return { ...sameAddress, createdAt: iso(sameAddress.createdAt) };
    const { name, email = null, role, externalId = null } = fields;
    const user: StandInUser = {
      userId: ids.id("user"),
      name,
      email,
      role,
      externalId,
      createdAt: clock.now(),
    };
    world.users.set(user.userId, user);
    return { ...user, createdAt: iso(user.createdAt) };
  }

  /** Assumption `fieldsAreChecked`. */
  function refuseText(text: string): void {
    if (turned.has("fieldsAreChecked") || (text.length <= 255 && !showsNothing(text))) return;
    throw new Refusal(400, "BAD_REQUEST", "A name or title shows nothing, or has more than 255 characters.");
  }

  /** Email required, or already in use (assumptions `usersNeedNoEmail`, `addressesAreFree`). */
  function refuseAddress(email: string | null): void {
    if (!turned.has("fieldsAreChecked") && email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
      throw new Refusal(422, "NO_ADDRESS", "email is no e-mail address.");
    if (turned.has("usersNeedNoEmail") && email === null)
      throw new Refusal(400, "BAD_REQUEST", "email is required.");
    // If users have no roles, the user with this address is returned.
    if (!turned.has("addressesAreFree") || turned.has("aUserForEachRole") || email === null) return;
    if ([...world.users.values()].some((user) => user.email === email))
      throw new Refusal(409, "ADDRESS_TAKEN", "There is a user with this e-mail address.");
  }

  function createSpace({ body }: OperationInput) {
    const { hosts, participants, ...fields } = parseOrRefuse(spaceSchema, body);
    refuseText(fields.name);
    const spaceId = ids.id("space");
    const space: StandInSpace = {
      spaceId,
      roomId: ids.id("room"),
      url: `${deps.appUrl()}/spaces/${spaceId}`,
      ...fields,
      ...listed(fields.invitedUserIds, known(hosts), known(participants)),
      admittedUserIds: [],
      waitingUserIds: [],
      people: [],
      session: null,
      endedSessionId: null,
      call: null,
    };
    world.spaces.set(spaceId, space);
    const { name, access, enableWaitingRoom } = space;
    const base = turned.has("spaceIsOnAppUrl") ? deps.otherAppUrl() : deps.appUrl();
    return { spaceId, name, access, enableWaitingRoom, url: `${base}/spaces/${spaceId}` };
  }

  /** People listed for a Space are also invited (assumption `addedAreInvited`). */
  function listed(invited: string[], hostUserIds: string[] | null, participantUserIds: string[] | null) {
    const added = turned.has("addedAreInvited")
      ? []
      : [...(hostUserIds ?? []), ...(participantUserIds ?? [])];
    return { hostUserIds, participantUserIds, invitedUserIds: [...new Set([...invited, ...added])] };
  }

  /** A host is no participant there, and vice versa (assumption `addedWhenMade`). */
  function addToSpace({ path, body }: OperationInput) {
    const space = found(world.spaces.get(path.spaceId ?? ""), "Space");
    const { userId, role } = parseOrRefuse(addedSchema, body);
    found(world.users.get(userId), "user");
    // A list that was never sent is null: then a user created as a host is one there.
    const without = (userIds: string[] | null) => userIds?.filter((each) => each !== userId) ?? null;
    const withThem = (userIds: string[] | null) => [...(without(userIds) ?? []), userId];
    const isHost = role === "host";
    space.hostUserIds = (isHost ? withThem : without)(space.hostUserIds);
    space.participantUserIds = (isHost ? without : withThem)(space.participantUserIds);
    if (!turned.has("addedAreInvited"))
      space.invitedUserIds = [...new Set([...space.invitedUserIds, userId])];
    return { spaceId: space.spaceId, userId, role };
  }

  /** User ids sent for a Space; each must exist (document 4: users are created first). */
  function known(people: z.infer<typeof spaceSchema>["hosts"]): string[] | null {
    return people?.map(({ userId }) => found(world.users.get(userId), "user").userId) ?? null;
  }

  function authorize({ path, query, body }: OperationInput) {
    const userId = path.userId ?? parseOrRefuse(z.object({ userId: text }), query).userId;
    found(world.users.get(userId), "user");
    const { spaceId, parameters } = readRedirect(redirectUrlIn(query, body));
    const token = ids.secret(24);
    const createdAt = clock.now();
    const expiresAt = createdAt + tokenLifetimeMs;
    world.logins.set(token, { token, userId, spaceId, parameters, createdAt, expiresAt });
    const base = turned.has("loginIsOnAppUrl") ? deps.otherAppUrl() : deps.appUrl();
    const url = `${base}/spaces/${spaceId}?loginMethod=token&loginType=api&token=${token}`;
    return { url, expiresAt: iso(expiresAt) };
  }

  /** Takes only this service's Space URLs, without token-login parameters. */
  function readRedirect(redirectUrl: string): { spaceId: string; parameters: Record<string, string> } {
    const refuse = () =>
      new Refusal(400, "BAD_REDIRECT_URL", "redirectUrl is not a Space URL, URL-encoded once.");
    if (!URL.canParse(redirectUrl)) throw refuse();
    const url = new URL(redirectUrl);
    const prefix = new URL(`${deps.appUrl()}/spaces/`);
    if (url.origin !== prefix.origin || !url.pathname.startsWith(prefix.pathname)) throw refuse();
    const spaceId = url.pathname.slice(prefix.pathname.length);
    if (!world.spaces.has(spaceId)) throw refuse();
    const parameters = [...url.searchParams].filter(([name]) => !loginParameters.includes(name));
    return { spaceId, parameters: Object.fromEntries(parameters) };
  }

  return {
    createApiUser,
    createSpace,
    addToSpace,
    authorize,
    createEvent: ({ body }: OperationInput) => eventReply(actions.createEvent.run(body)),
    updateEvent: ({ path, body }: OperationInput) => {
      const change = parseOrRefuse(record, body);
      const [event] = actions.updateEvent.run({ ...change, eventId: path.eventId, scope: "CURRENT" });
      return eventReply(found(event, "event"));
    },
    cancelEvent: ({ path }: OperationInput) => {
      actions.cancelEvent({ eventId: path.eventId ?? "" });
      return {};
    },
    findEvents: ({ query }: OperationInput) => ({
      events: [...world.events.values()].filter((each) => each.spaceId === query.spaceId).map(eventReply),
    }),
    readEvent: ({ path }: OperationInput) => eventReply(found(world.events.get(path.eventId ?? ""), "event")),
    readAttendance: ({ path }: OperationInput) => {
      const event = found(world.events.get(path.eventId ?? ""), "event");
      const attendance = [...world.attendance.values()]
        .filter((each) => each.eventId === event.eventId)
        .map(({ userId, status, notes, updatedAt, updatedBy }) => {
          const note = notes === null ? {} : { notes };
          return { userId, status, ...note, updatedAt: iso(updatedAt), updatedBy };
        });
      const marked = new Set(attendance.map(({ userId }) => userId));
      const unmarked = turned.has("attendanceListsMarked")
        ? event.attendeeIds.filter((userId) => !marked.has(userId))
        : [];
      return {
        eventId: event.eventId,
        attendance: [...attendance, ...unmarked.map((userId) => ({ userId, status: null }))],
      };
    },
    findCohorts: () => ({
      cohorts: [...world.cohorts.values()].map(({ organizerIds: _one, attendeeIds: _two, ...rest }) => rest),
    }),
    readCohort: ({ path }: OperationInput) => {
      const cohort = found(world.cohorts.get(path.cohortId ?? ""), "cohort");
      if (cohort.programId !== path.programId) throw new Refusal(404, "NOT_FOUND", "No such cohort.");
      const { organizerIds, attendeeIds, ...rest } = cohort;
      const entries = (userIds: readonly string[]) =>
        userIds.map((userId) => {
          const name = world.users.get(userId)?.name;
          return name === undefined ? { userId } : { userId, name };
        });
      return { ...rest, organizers: entries(organizerIds), attendees: entries(attendeeIds) };
    },
    readAlert: ({ path }: OperationInput) => found(world.alerts.get(path.alertId ?? ""), "alert"),
    configureWebhook: ({ body }: OperationInput) => {
      const { url, secret } = parseOrRefuse(webhookSchema, body);
      webhooks.configure({ url, ...(secret === undefined ? {} : { secret }) });
      return { url };
    },
    readSessions: ({ query, body }: OperationInput) => {
      const running = [...world.spaces.values()].flatMap(({ session, spaceId, people: here }) =>
        session === null ? [] : [{ sessionId: session.sessionId, spaceId, participants: here.length }],
      );
      const asked = { ...query, ...record.safeParse(body).data };
      return { sessions: [...world.metrics.values(), ...running].filter(isAskedFor(asked)) };
    },
    readRecordings: ({ query, body }: OperationInput) => {
      const asked = turned.has("recordingsOfOneSpace")
        ? undefined
        : (query.spaceId ?? z.object({ spaceId: text }).safeParse(body).data?.spaceId);
      return {
        recordings: [...world.recordings.values()]
          .filter(({ spaceId }) => asked === undefined || spaceId === asked)
          .map((recording) => recordingReply(recording, turned)),
      };
    },
  } satisfies Record<string, Operation>;
}

export type Operations = ReturnType<typeof createOperations>;

function recordingReply(
  { said, startedAt, endedAt, publishedAt, ...rest }: StandInRecording,
  turned: Turned,
) {
  const asText = turned.has("transcriptsAreAddresses");
  return {
    ...rest,
    startedAt: iso(startedAt),
    duration: Math.round((endedAt - startedAt) / 1_000),
    createdAt: iso(publishedAt),
    ...(said === null
      ? {}
      : asText
        ? said
        : { transcriptUrl: `${rest.url}/transcript`, summaryUrl: `${rest.url}/summary` }),
  };
}

function eventReply(event: StandInEvent) {
  return { ...event, startsAt: iso(event.startsAt), endsAt: iso(event.endsAt) };
}

/** A call names either a session's or a Space's id. */
function isAskedFor({ sessionId, spaceId }: Readonly<Record<string, unknown>>) {
  return (one: { sessionId: string; spaceId: string }) =>
    (sessionId === undefined || one.sessionId === sessionId) &&
    (spaceId === undefined || one.spaceId === spaceId);
}

/** redirectUrl from query or JSON body, decoded (the document does not say which); if given in both, they must agree. */
function redirectUrlIn(query: Readonly<Record<string, unknown>>, body: unknown): string {
  const inQuery = z.object({ redirectUrl: text }).safeParse(query).data?.redirectUrl;
  const inBody = z.object({ redirectUrl: text }).safeParse(body).data?.redirectUrl;
  const decoded = inBody === undefined ? undefined : decodeOnce(inBody);
  const redirectUrl = inQuery ?? decoded;
  if (redirectUrl === undefined) throw new Refusal(400, "BAD_REDIRECT_URL", "redirectUrl is missing.");
  if (decoded !== undefined && decoded !== redirectUrl)
    throw new Refusal(400, "BAD_REDIRECT_URL", "redirectUrl in query and body differ.");
  return redirectUrl;
}

function decodeOnce(encoded: string): string {
  if (URL.canParse(encoded)) throw new Refusal(400, "BAD_REDIRECT_URL", "redirectUrl is not URL-encoded.");
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new Refusal(400, "BAD_REDIRECT_URL", "redirectUrl is not URL-encoded.");
  }
}
