// From: the authorize redirect of Canvas, as far as its source was read.
import type { AuthorizationAttempt, AuthorizationProblem } from "./authorization-attempt.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { Lms } from "./lms.ts";
import type { Tool } from "./lms-records.ts";
import type { BegunLaunch } from "./manners.ts";

/** A used or old hint is `launch_no_longer_valid`, another or no user `login_required`; unknown clients and addresses get a page. */
export function canvasAuthorizationProblem(
  lms: Lms,
  { asked, session, launch }: AuthorizationAttempt,
): AuthorizationProblem | null {
  const tool = [...lms.world.tools.values()].find(({ clientId }) => clientId === asked.client_id);
  if (tool === undefined) return { status: 400, page: "Client not found (invalid_client)." };
  if (!isRegistered(tool, asked.redirect_uri ?? "")) {
    return { status: 400, page: "Invalid redirect_uri." };
  }
  const wrong = wrongParameter(asked);
  if (wrong !== null) return { error: "invalid_request_object", description: wrong };
  if (tool.state !== "active") {
    return { error: "unauthorized_client", description: "Client not authorized in requested context" };
  }
  if (launch === null || launch.tool.id !== tool.id) {
    return {
      error: "launch_no_longer_valid",
      description: "The launch has either expired or already been consumed",
    };
  }
  return isSamePerson(lms, launch, { asked, session })
    ? null
    : { error: "login_required", description: "Must have an active user session" };
}

/** A visitor of a public course needs no session. */
function isSamePerson(
  lms: Lms,
  { person }: BegunLaunch,
  { asked, session }: Pick<AuthorizationAttempt, "asked" | "session">,
): boolean {
  const personId = session?.personId ?? (person.anonymous === true ? person.id : null);
  return personId === person.id && asked.login_hint === lms.manners.loginHintOf(person);
}

/** Compared without the query. */
function isRegistered(tool: Tool, address: string): boolean {
  const plain = (url: string) => url.split("?")[0] ?? "";
  return tool.redirectUrls.some((url) => plain(url) === plain(address));
}

function wrongParameter(asked: AuthorizationRequest): string | null {
  const fixed = {
    scope: "openid",
    response_type: "id_token",
    response_mode: "form_post",
    prompt: "none",
  } as const;
  const needed = {
    client_id: asked.client_id,
    login_hint: asked.login_hint,
    lti_message_hint: asked.lti_message_hint,
    nonce: asked.nonce,
    prompt: asked.prompt,
    redirect_uri: asked.redirect_uri,
    response_mode: asked.response_mode,
    response_type: asked.response_type,
    scope: asked.scope,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => ((value ?? "") === "" ? [name] : []));
  if (missing.length > 0) return `The following parameters are missing: ${missing.join(",")}`;
  if (asked.scope !== fixed.scope) return "The 'scope' must be 'openid'";
  if (asked.response_type !== fixed.response_type) return "The 'response_type' must be 'id_token'";
  if (asked.response_mode !== fixed.response_mode) return "The 'response_mode' must be 'form_post'";
  return asked.prompt === fixed.prompt ? null : "The 'prompt' must be 'none'";
}
