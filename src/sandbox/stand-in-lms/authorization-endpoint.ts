import type { Express, Request } from "express";
import express from "express";
import { z } from "zod";
import { autoPostPage, errorPage } from "./html.ts";
import type { Lms } from "./lms.ts";
import type { BegunLaunch } from "./manners.ts";

const one = z.string().optional().catch(undefined);
const querySchema = z.object({
  scope: one,
  response_type: one,
  response_mode: one,
  prompt: one,
  client_id: one,
  redirect_uri: one,
  login_hint: one,
  lti_message_hint: one,
  nonce: one,
  state: one,
});
type AuthorizationRequest = z.output<typeof querySchema>;

type Problem = { error: string; description?: string };

/**
 * The OpenID authorization endpoint (LTI Security 1.0, 5.1.1.2): posts id_token and state to the tool's redirect
 * address, or an error when the request is wrong. When nothing can be trusted (a used-up launch, an address that
 * is not registered) the person gets the LMS's own error page, as in Moodle.
 */
export function mountAuthorizationEndpoint(app: Express, lms: Lms): void {
  app.all(
    lms.manners.paths.authorization,
    express.urlencoded({ extended: false }),
    async (request, response) => {
      const asked = askedOf(request);
      const taken = takeLaunch(lms, request, asked);
      if (taken === null) {
        response
          .status(404)
          .type("html")
          .send(errorPage(lms, "This launch is not valid any more. Open the activity again."));
        return;
      }
      const { launch, personId } = taken;
      const redirectUri = asked.redirect_uri ?? "";
      if (!launch.tool.redirectUrls.includes(redirectUri)) {
        response
          .status(404)
          .type("html")
          .send(errorPage(lms, "The tool asked for an answer at an unregistered address."));
        return;
      }
      const problem = problemOf(lms, launch, asked, personId);
      const state = asked.state === undefined ? {} : { state: asked.state };
      const fields =
        problem === null
          ? { id_token: await signLaunch(lms, launch, asked.nonce ?? ""), ...state }
          : {
              error: problem.error,
              ...(problem.description === undefined ? {} : { error_description: problem.description }),
              ...state,
            };
      response.type("html").send(autoPostPage(redirectUri, fields));
    },
  );
}

function askedOf(request: Request): AuthorizationRequest {
  const source: unknown = request.method === "POST" ? request.body : request.query;
  const parsed = querySchema.safeParse(source);
  return parsed.success ? parsed.data : querySchema.parse({});
}

/** Takes the launch out of the session: the message hint works once. */
function takeLaunch(
  lms: Lms,
  request: Request,
  asked: AuthorizationRequest,
): { launch: BegunLaunch; personId: string } | null {
  const session = lms.sessions.of(request);
  const id = lms.manners.launchIdOf(asked.lti_message_hint ?? "");
  const launch = id === null ? undefined : session?.launches.get(id);
  if (session === null || launch === undefined) return null;
  session.launches.delete(launch.id);
  return { launch, personId: session.personId };
}

function problemOf(
  lms: Lms,
  launch: BegunLaunch,
  asked: AuthorizationRequest,
  personId: string,
): Problem | null {
  const mustBe: [boolean, Problem][] = [
    [asked.nonce !== undefined && asked.nonce !== "", { error: "invalid_request" }],
    [asked.login_hint !== undefined, { error: "invalid_request" }],
    [asked.scope === "openid", { error: "invalid_scope" }],
    [asked.response_type === "id_token", { error: "unsupported_response_type" }],
    [asked.client_id === launch.tool.clientId, { error: "unauthorized_client" }],
    [
      asked.login_hint === lms.manners.loginHintOf(launch.person) && launch.person.id === personId,
      { error: "access_denied" },
    ],
    [
      asked.response_mode === "form_post",
      {
        error: "invalid_request",
        description: asked.response_mode === undefined ? "Missing response_mode" : "Invalid response_mode",
      },
    ],
    [
      asked.prompt === undefined || asked.prompt === "" || asked.prompt === "none",
      { error: "invalid_request", description: "Invalid prompt" },
    ],
  ];
  return mustBe.find(([holds]) => !holds)?.[1] ?? null;
}

/** The signed id_token of one launch. */
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
