import { defaultJoinSettings, joinUrl } from "../../domain/join-url.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Dialect, OperationName } from "../dialect.ts";
import { placesInside, textAt } from "../read-reply.ts";
import { originElsewhere } from "../space-origin.ts";
import type { Probe } from "./create-probe.ts";
import { type Finding, finding } from "./finding.ts";
import { idWanted, knownWanted } from "./look-for.ts";
import { createTrial } from "./trial.ts";

/** What was made; null where nothing was. */
export type Made = { userId: string | null; spaceId: string | null; eventId: string | null };

/**
 * Makes a user, a Space (unless one is given), a login and an event, and reads everything back. What is made has
 * names that begin with "spaces-lti doctor"; users and Spaces cannot be deleted through the interface.
 */
export async function tryInEarnest(deps: {
  environment: { name: string; baseUrl: string; appUrl: string; apiKey: string };
  dialect: Dialect;
  probe: Probe;
  clock: Clock;
  reference: string;
  /** A Space to use instead of making one. */
  spaceId: string | null;
}): Promise<{ findings: Finding[]; made: Made; tried: OperationName[] }> {
  const { environment, dialect, clock } = deps;
  const trial = createTrial(deps);
  const { use, look } = trial;
  const made: Made = { userId: null, spaceId: deps.spaceId, eventId: null };
  const title = `spaces-lti doctor ${new Date(clock.now()).toISOString().slice(0, 16)}`;

  const user = await makeUser(deps, trial);
  if (user !== null) made.userId = look(user, [idWanted("userId")]);

  if (made.spaceId === null) {
    const space = await makeSpace(trial, title, made.userId);
    if (space !== null) {
      made.spaceId = look(space, [idWanted("spaceId", [made.userId])]);
      spaceFindings(dialect, environment.appUrl, space.answer.reply).forEach(trial.note);
    }
  }
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

/** Makes a user, at first without an e-mail address as the LMS may withhold it, unless the dialect has one that stands in. */
async function makeUser(
  { dialect, reference }: { dialect: Dialect; reference: string },
  { use, note }: ReturnType<typeof createTrial>,
) {
  const doctor = {
    reference,
    name: "spaces-lti doctor",
    givenName: "spaces-lti",
    familyName: "doctor",
    role: "host",
  };
  const { synthetic } = dialect.email;
  // Nobody can have an address there (RFC 2606).
  const address = `${reference}@doctor.invalid`;
  if (synthetic !== null) return use("createApiUser", { ...doctor, email: address });
  const user = await use("createApiUser", { ...doctor, email: null }, { quietly: true });
  if (user !== null) return user;
  const addressed = await use("createApiUser", { ...doctor, email: address });
  if (addressed !== null) {
    const message = "A user is made with an e-mail address only; an LMS may withhold people's.";
    const todo =
      'Let the LMS tell this tool addresses, or write email.synthetic into the dialect file, such as "{reference}@learners.example.edu" under a domain of your own.';
    note(finding("wrong", "createApiUser", message, { todo }));
  }
  return addressed;
}

function makeSpace({ use }: ReturnType<typeof createTrial>, title: string, userId: string | null) {
  return use("createSpace", {
    name: title,
    access: "Public",
    waitingRoom: false,
    ownerUserId: userId,
    hostUserIds: userId === null ? [] : [userId],
    participantUserIds: [],
  });
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** Where a new Space is said to be. */
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
