// From: document 1 (item 9), 4 (token login), 5 (item 2); names of the redirect are assumed, the pages are this sandbox's own.
import { type Request, type Response, Router } from "express";
import { z } from "zod";
import { found, Refusal } from "./refusal.ts";
import { sentencePage, spacePage } from "./space-page.ts";
import type { Visitor, Visits } from "./visits.ts";
import { type Classroom, loginParameters, type StandInLogin, type StandInSpace } from "./world.ts";

/** Where people are sent at the end, and the names of added details (`endRedirectNames`). */
export const endRedirectSetting = z.object({
  url: z.url({ protocol: /^https?$/ }).nullable(),
  names: z
    .partialRecord(z.enum(["spaceId", "userId", "eventId", "sessionId"]), z.string().nullable())
    .default({}),
});

/** An address (null: nowhere), and names; null leaves a detail out. */
export type EndRedirectSetting = z.input<typeof endRedirectSetting>;

export type EndRedirect = ReturnType<typeof createEndRedirect>;

const camelNames = { spaceId: "spaceId", userId: "userId", eventId: "eventId", sessionId: "sessionId" };
const snakeNames = { spaceId: "space_id", userId: "user_id", eventId: "event_id", sessionId: "session_id" };
const minute = 60_000;

/** The end-of-session redirect (document part 1, item 9): person, Space and event are looked up when a person leaves. */
export function createEndRedirect(
  deps: Pick<Classroom, "world" | "clock" | "turned">,
  initial: EndRedirectSetting = { url: null },
) {
  const usual = deps.turned.has("endRedirectNames") ? snakeNames : camelNames;
  let setting = endRedirectSetting.parse(initial);
  return {
    set: (changed: EndRedirectSetting): void => {
      setting = endRedirectSetting.parse(changed);
    },
    url: (): string | null => setting.url,
    /** With attribution; null when nothing is set. */
    addressFor: (space: StandInSpace, userId: string): string | null => {
      if (setting.url === null) return null;
      const address = new URL(setting.url);
      const names = { ...usual, ...setting.names };
      const add = (name: string | null | undefined, value: string | null) => {
        if (typeof name === "string" && value !== null) address.searchParams.set(name, value);
      };
      add(names.spaceId, space.spaceId);
      add(names.userId, userId);
      add(names.eventId, eventOf(deps, space));
      add(names.sessionId, space.session?.sessionId ?? space.endedSessionId);
      return address.href;
    },
  };
}

/** The Space's event that is going on or ended within the hour; the latest of several. */
function eventOf({ world, clock }: Pick<Classroom, "world" | "clock">, space: StandInSpace): string | null {
  const now = clock.now();
  const fitting = [...world.events.values()].filter(
    ({ spaceId, status, startsAt, endsAt }) =>
      spaceId === space.spaceId &&
      status === "SCHEDULED" &&
      startsAt - 15 * minute <= now &&
      now <= endsAt + 60 * minute,
  );
  return fitting.sort((one, other) => other.startsAt - one.startsAt)[0]?.eventId ?? null;
}

export function createSpaceRouter(
  deps: Classroom & { visits: Visits; hostUrl: () => string; endRedirect: EndRedirect },
): Router {
  const { world, visits, clock, ids } = deps;
  const router = Router();
  const usedLogins = new WeakSet<StandInLogin>();

  function spaceOf(request: Request): StandInSpace {
    return found(world.spaces.get(String(request.params.spaceId)), "Space");
  }

  /** Null without a login in the address. */
  function loginOf(request: Request, space: StandInSpace): StandInLogin | null {
    const { token, loginMethod, loginType } = request.query;
    if (token === undefined) return null;
    const login = typeof token === "string" ? world.logins.get(token) : undefined;
    const fits = login?.spaceId === space.spaceId && loginMethod === "token" && loginType === "api";
    const refuse = (code: string, why: string) =>
      new Refusal(403, code, `This login link ${why}. Go back and join again.`);
    if (login === undefined || !fits) throw refuse("BAD_LOGIN", "is not valid for this Space");
    if (deps.turned.has("loginServesAgain") && usedLogins.has(login))
      throw refuse("LOGIN_USED", "has been used");
    usedLogins.add(login);
    if (clock.now() >= login.expiresAt) throw refuse("LOGIN_EXPIRED", "has expired (one hour)");
    return login;
  }

  router.get("/spaces/:spaceId", (request: Request, response: Response) => {
    const space = spaceOf(request);
    const login = loginOf(request, space);
    const visitor = login === null ? guest() : found(world.users.get(login.userId), "user");
    const onAddress = queryTexts(request).filter(([name]) => !loginParameters.includes(name));
    const parameters = login === null ? Object.fromEntries(onAddress) : login.parameters;
    const entry = visits.enter(space, pick(visitor), parameters);
    response.set("Cache-Control", "no-store");
    if (entry.outcome === "not-invited") {
      const sentence = "This Space is private and you are not on its list of invited users.";
      response.status(403).send(sentencePage(space.name, sentence));
      return;
    }
    if (entry.outcome === "waiting") {
      response.send(sentencePage(space.name, "You are in the waiting room. A host will let you in.", 3));
      return;
    }
    response.send(
      spacePage({
        space,
        visitor: { ...visitor, role: entry.role },
        userTabId: entry.userTabId,
        startedCall: entry.startedCall,
        parameters,
        ignored: login === null ? [] : onAddress.map(([name]) => name),
        hostUrl: deps.hostUrl(),
        turned: deps.turned,
        redirects: deps.endRedirect.url() !== null,
      }),
    );
  });

  router.get("/spaces/:spaceId/recordings/:recordingId{/:part}", (request: Request, response: Response) => {
    const space = spaceOf(request);
    const recording = found(world.recordings.get(String(request.params.recordingId)), "recording");
    if (recording.spaceId !== space.spaceId || recording.status === "UNAVAILABLE")
      throw new Refusal(404, "NOT_FOUND", "This recording is not available.");
    const part = String(request.params.part ?? "recording");
    const sentence = `Here the ${part} of this class would be shown.`;
    response.set("Cache-Control", "no-store").send(sentencePage(recording.title, sentence));
  });

  router.get("/spaces/:spaceId/people.json", (request: Request, response: Response) => {
    const space = spaceOf(request);
    const people = new Map(
      space.people.map(({ userId, name, role }) => [
        userId,
        { id: userId, name: name.split(" ")[0] ?? name, fullName: name, profileImage: "", role },
      ]),
    );
    const here = space.people.some(({ userTabId }) => userTabId === request.query.tab);
    const redirects = deps.endRedirect.url() !== null;
    response.json({ people: [...people.values()], call: space.call !== null, here, redirects });
  });

  router.get("/spaces/:spaceId/end", (request: Request, response: Response) => {
    const space = spaceOf(request);
    const { user } = request.query;
    const address = deps.endRedirect.addressFor(space, typeof user === "string" ? user : "");
    response.set("Cache-Control", "no-store");
    if (address === null) response.send(sentencePage(space.name, "You have left the Space."));
    else response.redirect(302, address);
  });

  router.post("/spaces/:spaceId/tabs/:userTabId/:what", (request: Request, response: Response) => {
    const userTabId = String(request.params.userTabId);
    if (request.params.what === "leave") visits.leave(spaceOf(request), userTabId);
    else visits.tabVisibility(spaceOf(request), userTabId, request.params.what === "show");
    response.status(204).end();
  });

  function guest(): Visitor {
    return { userId: ids.id("guest"), name: "Guest", role: "participant" };
  }

  return router;
}

function pick({ userId, name, role }: Visitor): Visitor {
  return { userId, name, role };
}

function queryTexts(request: Request): [string, string][] {
  return Object.entries(request.query).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
}
