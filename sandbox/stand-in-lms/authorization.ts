// From: LTI Security 1.0, 5.1.1.2 and 5.1.1.3; measured (the hint lives with the session); the authorize redirect of Canvas (five minutes, once).
import express, { type Express, type Request } from "express";
import type { Clock } from "../../src/kernel/clock.ts";
import { authorizationQuery, type AuthorizationRequest, type BegunLaunch, type Lms } from "./lms.ts";
import { autoPostPage, sendError } from "./pages.ts";

export type Launches = ReturnType<typeof createLaunches>;

/** The most pending launches; the oldest are dropped. */
const limit = 50_000;

/** Started launches without an id_token. @param lifetimeMs Of a hint; null is as long as the session, as in Moodle. */
export function createLaunches(clock: Clock, lifetimeMs: number | null) {
  const waiting = new Map<string, { launch: BegunLaunch; begunAt: number }>();
  return {
    begin: (launch: BegunLaunch): void => {
      waiting.set(launch.id, { launch, begunAt: clock.now() });
      for (const id of waiting.keys()) {
        if (waiting.size <= limit) break;
        waiting.delete(id);
      }
    },
    /** Works once for each hint; null when unknown or expired. */
    take: (id: string): BegunLaunch | null => {
      const found = waiting.get(id);
      waiting.delete(id);
      if (found === undefined) return null;
      const old = lifetimeMs !== null && clock.now() - found.begunAt > lifetimeMs;
      return old ? null : found.launch;
    },
  };
}

/**
 * OpenID authorization endpoint (LTI Security 1.0, 5.1.1.2): posts id_token and state, or an error. An untrusted request (an unregistered
 * address, or in Moodle also a used launch) gets the LMS's own error page.
 */
export function mountAuthorizationEndpoint(app: Express, lms: Lms): void {
  app.all(
    lms.manners.paths.authorization,
    express.urlencoded({ extended: false }),
    async (request, response) => {
      const asked = askedOf(request);
      const id = lms.manners.launchIdOf(asked.lti_message_hint ?? "");
      const session = lms.sessions.of(request);
      const launch = id === null ? null : lms.launches.take(id);
      const problem = lms.manners.authorizationProblem(lms, { asked, session, launch });
      if (problem !== null && "page" in problem) {
        sendError(lms, response, problem.status, problem.page);
        return;
      }
      const state = asked.state === undefined ? {} : { state: asked.state };
      const fields =
        problem === null && launch !== null
          ? { id_token: await signLaunch(lms, launch, asked.nonce ?? ""), ...state }
          : { ...errorFields(problem), ...state };
      response.type("html").send(autoPostPage(asked.redirect_uri ?? "", fields));
    },
  );
}

function errorFields(problem: { error: string; description?: string } | null): Record<string, string> {
  const { error, description } = problem ?? { error: "server_error" };
  return { error, ...(description === undefined ? {} : { error_description: description }) };
}

function askedOf(request: Request): AuthorizationRequest {
  const source: unknown = request.method === "POST" ? request.body : request.query;
  const parsed = authorizationQuery.safeParse(source);
  return parsed.success ? parsed.data : authorizationQuery.parse({});
}

async function signLaunch(lms: Lms, launch: BegunLaunch, nonce: string): Promise<string> {
  const iat = Math.floor(lms.clock.now() / 1000);
  return lms.key.sign({
    nonce,
    iat,
    exp: iat + lms.manners.idTokenSeconds,
    iss: lms.url,
    aud: launch.tool.clientId,
    ...lms.manners.claims(lms, launch),
  });
}
