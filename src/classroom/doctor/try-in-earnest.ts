import { defaultJoinSettings, joinUrl } from "../../domain/join-url.ts";
import type { Clock } from "../../kernel/clock.ts";
import { rolesAdded } from "../adding-people.ts";
import type { Dialect, OperationName } from "../dialect.ts";
import { placesInside, textAt } from "../read-reply.ts";
import { originElsewhere } from "../space-origin.ts";
import type { Probe } from "./create-probe.ts";
import { type Finding, finding } from "./finding.ts";
import { idWanted, knownWanted } from "./find-fields.ts";
import { makeUsers } from "./make-users.ts";
import { createTrial, type Trial } from "./trial.ts";

export type Made = {
  /** A host. */
  userId: string | null;
  participantUserId: string | null;
  spaceId: string | null;
  eventId: string | null;
};

/**
 * Makes a user of each role, a Space (unless one is given), a login and an event, and reads everything back. Names
 * begin with "spaces-lti doctor"; users and Spaces cannot be deleted through the interface.
 */
export async function tryInEarnest(deps: {
  environment: { name: string; baseUrl: string; appUrl: string; apiKey: string };
  dialect: Dialect;
  probe: Probe;
  clock: Clock;
  reference: string;
  spaceId: string | null;
}): Promise<{ findings: Finding[]; made: Made; tried: OperationName[] }> {
  const { environment, dialect, clock } = deps;
  const trial = createTrial(deps);
  const { use, look } = trial;
  const made: Made = { userId: null, participantUserId: null, spaceId: deps.spaceId, eventId: null };
  const title = `spaces-lti doctor ${new Date(clock.now()).toISOString().slice(0, 16)}`;

  Object.assign(made, await makeUsers(deps, trial));

  if (made.spaceId === null) await makeAndReport(deps, trial, title, made);
  const { userId, spaceId } = made;

  if (userId !== null && spaceId !== null) {
    const { appUrl } = environment;
    const redirectUrl = joinUrl({
      appUrl,
      spaceId,
      settings: defaultJoinSettings,
      role: "host",
      locale: null,
      mobile: false,
    });
    const login = await use("authorize", { userId, redirectUrl });
    if (login !== null) {
      const url = look(login, [{ field: "url", needed: true, looksLike: (value) => isAddress(value) }]);
      if (url !== null) loginFindings(dialect, appUrl, url).forEach(trial.note);
    }
  }

  if (spaceId !== null) {
    const startsAt = Math.ceil(clock.now() / 60_000) * 60_000 + 3_600_000;
    const endsAt = startsAt + 1_800_000;
    const times = { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() };
    const event = await use("createEvent", {
      title,
      spaceId,
      ...times,
      durationMinutes: 30,
      hostUserId: userId,
      attendeeUserIds: [],
    });
    const eventId = event === null ? null : look(event, [idWanted("eventId", [spaceId, userId])]);
    made.eventId = eventId;
    if (eventId !== null) {
      const read = await use("readEvent", { eventId });
      if (read !== null) {
        look(read, [
          knownWanted("eventId", eventId, false),
          knownWanted("spaceId", spaceId, true),
          knownWanted("startsAt", startsAt, false),
          knownWanted("endsAt", endsAt, false),
          knownWanted("title", title, false),
        ]);
      }
      await trial.readList("readAttendance", { eventId });
    }
    await trial.readList("readRecordings", { spaceId });
    await trial.readList("readSessions", { spaceId });
  }
  return { findings: trial.findings, made, tried: trial.tried };
}

/** Makes a Space with some of its people, and adds one later where the dialect names a way. */
async function makeAndReport(
  { environment, dialect }: Pick<Parameters<typeof tryInEarnest>[0], "environment" | "dialect">,
  trial: Trial,
  title: string,
  made: Made,
): Promise<void> {
  const adds = rolesAdded(dialect).includes("participant");
  const space = await makeSpace(trial, title, adds ? { ...made, participantUserId: null } : made);
  if (space === null) return;
  made.spaceId = trial.look(space, [idWanted("spaceId", [made.userId])]);
  spaceFindings(dialect, environment.appUrl, space.answer.reply).forEach(trial.note);
  if (adds) await addLater(trial, made);
}

function makeSpace(
  { use }: Trial,
  title: string,
  { userId, participantUserId }: Pick<Made, "userId" | "participantUserId">,
) {
  return use("createSpace", {
    name: title,
    access: "Public",
    waitingRoom: false,
    ownerUserId: userId,
    hostUserIds: userId === null ? [] : [userId],
    participantUserIds: participantUserId === null ? [] : [participantUserId],
  });
}

/** Adds the participant as the tool adds people who join a course later. */
async function addLater({ use, look }: Trial, { spaceId, participantUserId }: Made): Promise<void> {
  if (spaceId === null || participantUserId === null) return;
  const who = { userId: participantUserId, role: "participant", participantUserIds: [participantUserId] };
  const added = await use("addToSpace", { spaceId, ...who });
  if (added !== null) look(added, []);
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function spaceFindings(dialect: Dialect, appUrl: string, reply: unknown): Finding[] {
  const places = placesInside(dialect.envelopes, dialect.operations.createSpace.reply["url"] ?? []);
  const origin = originElsewhere(textAt(reply, places), { appUrl, dialect });
  if (origin === null) return [];
  const message = `It says that the Space is at ${origin}, which is not CLASSROOM_..._APP_URL: such Spaces are kept, and nobody is let in.`;
  return [
    finding("wrong", "createSpace", message, {
      todo: "Correct the APP_URL, or, if the service says that this origin is its own, write the lines below into the dialect file.",
      dialect: { knownSpaceOrigins: [...dialect.knownSpaceOrigins, origin] },
    }),
  ];
}

/** Where a login leads; its token is never shown. */
function loginFindings(dialect: Dialect, appUrl: string, url: string): Finding[] {
  if (!isAddress(url))
    return [finding("wrong", "authorize", "Its url is no web address.", { todo: "Ask the service." })];
  const { origin } = new URL(url);
  const expected = [new URL(appUrl).origin, ...dialect.loginOrigins];
  if (expected.includes(origin)) return [];
  return [
    finding("wrong", "authorize", `Its url leads to ${origin}, which is not CLASSROOM_..._APP_URL.`, {
      todo: "Correct the APP_URL, or, if the service says that this origin is its own, write the lines below into the dialect file.",
      dialect: { loginOrigins: [...dialect.loginOrigins, origin] },
    }),
  ];
}
