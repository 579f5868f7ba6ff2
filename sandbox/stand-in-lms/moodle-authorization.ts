// From: auth.php, measured.
import type { AuthorizationAttempt, AuthorizationProblem } from "./authorization-attempt.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { Lms } from "./lms.ts";
import type { BegunLaunch } from "./manners.ts";

/** Null when nothing is wrong. A launch lives in one session. */
export function moodleAuthorizationProblem(
  lms: Lms,
  { asked, session, launch }: AuthorizationAttempt,
): AuthorizationProblem | null {
  if (launch === null || session?.sessionKey !== launch.sessionKey) {
    return { status: 404, page: "This launch is not valid any more. Open the activity again." };
  }
  if (!launch.tool.redirectUrls.includes(asked.redirect_uri ?? "")) {
    return { status: 404, page: "The tool asked for an answer at an unregistered address." };
  }
  return problemOf(lms, launch, asked, session.personId);
}

function problemOf(
  lms: Lms,
  launch: BegunLaunch,
  asked: AuthorizationRequest,
  personId: string,
): AuthorizationProblem | null {
  const mustBe: [boolean, AuthorizationProblem][] = [
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
