import { type Request, type Response, Router } from "express";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Ids } from "../../src/kernel/ids.ts";
import type { Turned } from "../assumptions.ts";
import type { EndRedirect } from "./end-redirect.ts";
import { found, Refusal } from "./refusal.ts";
import { sentencePage, spacePage } from "./space-page.ts";
import type { Visitor, Visits } from "./visits.ts";
import type { StandInLogin, StandInSpace, World } from "./world.ts";

const loginParameters = ["loginMethod", "loginType", "token"];

export function createSpaceRouter(deps: {
  world: World;
  visits: Visits;
  hostUrl: () => string;
  standaloneByDefault: boolean;
  endRedirect: EndRedirect;
  turned: Turned;
  clock: Clock;
  ids: Ids;
}): Router {
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
    if (login === undefined || !fits)
      throw new Refusal(
        403,
        "BAD_LOGIN",
        "This login link is not valid for this Space. Go back and join again.",
      );
    if (deps.turned.has("loginServesAgain") && usedLogins.has(login))
      throw new Refusal(403, "LOGIN_USED", "This login link has been used. Go back and join again.");
    usedLogins.add(login);
    if (clock.now() >= login.expiresAt)
      throw new Refusal(
        403,
        "LOGIN_EXPIRED",
        "This login link has expired (one hour). Go back and join again.",
      );
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
        standaloneByDefault: deps.standaloneByDefault,
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
