// From: registration.md, Lti::Launch (allow), the authorize redirect as far as its source was read; LTI postMessage Storage 0.1.
import { randomInt } from "node:crypto";
import { z } from "zod";
import { html, type Html } from "../html.ts";
import { canvasClaims, canvasContext, canvasIds } from "./canvas-claims.ts";
import {
  canvasConfiguration,
  canvasRegistrationAnswer,
  canvasRegistrationProblems,
  canvasRegistrationWords,
  mountCanvasUpdates,
} from "./canvas-registration.ts";
import { mountCanvasServices } from "./canvas-services.ts";
import type { Tool } from "./lms-records.ts";
import { deploymentIn } from "./lms-world.ts";
import type {
  AuthorizationAttempt,
  AuthorizationProblem,
  AuthorizationRequest,
  Lms,
  Manners,
} from "./lms.ts";
import { lti } from "./lti-names.ts";

const features = [
  "geolocation",
  "microphone",
  "camera",
  "midi",
  "encrypted-media",
  "autoplay",
  "clipboard-write",
  "display-capture",
];

/** According to Canvas's public code and documentation; not measured on a live Canvas. */
export const canvasManners: Manners = {
  name: "canvas",
  title: "Canvas",
  loginMethod: "post",
  launchLifetimeMs: 5 * 60_000,
  authorizationProblem: canvasAuthorizationProblem,
  paths: {
    configuration: "/api/lti/security/openid-configuration",
    registration: "/api/lti/registrations",
    authorization: "/api/lti/authorize_redirect",
    token: "/login/oauth2/token",
    keys: "/api/lti/security/jwks",
    contentReturn: "/deep_linking_response",
    notices: "/api/lti/notice-handlers/:tool",
  },
  configurationNeedsToken: true,
  configuration: canvasConfiguration,
  loginFields: (lms, launch) => ({
    iss: lms.url,
    login_hint: canvasIds.person(launch.person.id),
    client_id: launch.tool.clientId,
    // Canvas's code uses one of these names, its documentation the other.
    lti_deployment_id: deploymentIn(launch.tool, launch.course.id),
    deployment_id: deploymentIn(launch.tool, launch.course.id),
    target_link_uri: launch.review?.url ?? launch.link?.url ?? launch.tool.launchUrl,
    // Canvas sends a JWT; tools must not look inside, so here it only has the shape of one.
    lti_message_hint: [
      "e30",
      Buffer.from(JSON.stringify({ verifier: launch.id })).toString("base64url"),
      "c2ln",
    ].join("."),
    canvas_environment: "prod",
    canvas_region: "us-east-1",
    lti_storage_target: "post_message_forwarding",
  }),
  launchIdOf: (hint) => {
    try {
      const content: unknown = JSON.parse(
        Buffer.from(hint.split(".")[1] ?? "", "base64url").toString("utf8"),
      );
      return z.object({ verifier: z.string() }).parse(content).verifier;
    } catch {
      return null;
    }
  },
  loginHintOf: (person) => canvasIds.person(person.id),
  contextClaim: canvasContext,
  claims: canvasClaims,
  assertionProblem: (lms, { aud, iss }) => {
    if (iss === undefined || iss === "") return "assertion is missing iss";
    return [aud].flat().includes(`${lms.url}/login/oauth2/token`) ? null : "the 'aud' is invalid";
  },
  noticeAttempts: 1,
  deepLinkingData: null,
  contentItems: {
    wholeMaximum: false,
    published: false,
    columnNamedAfter: "label",
    keepsDueDate: true,
    framedOnly: false,
  },
  idTokenSeconds: 3600,
  newClientId: () => `1000000${randomInt(1_000_000_000, 9_999_999_999)}`,
  deploymentIdOf: (toolId) => `${toolId}:${canvasIds.course("account")}`,
  tokenContentType: "application/json; charset=utf-8",
  mountServices: (app, lms) => {
    app.get("/post_message_forwarding", (_request, response) => {
      response.type("html").send(forwardingPage());
    });
    mountCanvasServices(app, lms);
    mountCanvasUpdates(app, lms);
  },
  registrationAnswer: canvasRegistrationAnswer,
  registrationProblems: canvasRegistrationProblems,
  registrationWords: canvasRegistrationWords,
  registrationRefusal: (status, messages) => ({
    status: status === 400 ? 422 : 401,
    type: "application/json; charset=utf-8",
    body: JSON.stringify(status === 400 ? { errors: messages } : { errorMessage: messages.join(" ") }),
  }),
  frameAllow: () => features.map((feature) => `${feature} *`).join("; "),
  besideFrame: storageFrame,
  grantedScopes: (asked) => {
    const known: string[] = [
      ...Object.values(lti.scope),
      lti.extraScope.notices,
      ...Object.values(lti.ownScope),
    ];
    return asked.filter((scope) => known.includes(scope));
  },
};

/** A used or old hint is `launch_no_longer_valid`, another or no user `login_required`; unknown clients and addresses get a page. */
function canvasAuthorizationProblem(
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
  if (launch === null || launch.tool.id !== tool.id) {
    return {
      error: "launch_no_longer_valid",
      description: "The launch has either expired or already been consumed",
    };
  }
  return session?.personId === launch.person.id && asked.login_hint === lms.manners.loginHintOf(launch.person)
    ? null
    : { error: "login_required", description: "Must have an active user session" };
}

/** Compared without the query. */
function isRegistered(tool: Tool, address: string): boolean {
  const plain = (url: string) => url.split("?")[0] ?? "";
  return tool.redirectUrls.some((url) => plain(url) === plain(address));
}

const fixed = {
  scope: "openid",
  response_type: "id_token",
  response_mode: "form_post",
  prompt: "none",
} as const;
const fixedNames = ["scope", "response_type", "response_mode", "prompt"] as const;

function wrongParameter(asked: AuthorizationRequest): string | null {
  const needed = [
    "client_id",
    "login_hint",
    "lti_message_hint",
    "nonce",
    "redirect_uri",
    ...fixedNames,
  ] as const;
  const missing = needed.filter((name) => (asked[name] ?? "") === "").sort();
  if (missing.length > 0) return `The following parameters are missing: ${missing.join(",")}`;
  const wrong = fixedNames.find((name) => asked[name] !== fixed[name]);
  return wrong === undefined ? null : `The '${wrong}' must be '${fixed[wrong]}'`;
}

/** Canvas's limit of one tool's storage (characters). */
const limit = 4096;

/** LTI postMessage Storage: the activity page answers `lti.capabilities` and names the frame that keeps values by tool origin. */
function storageFrame(): Html {
  return html`<iframe
      name="post_message_forwarding"
      src="/post_message_forwarding"
      title="Storage"
      hidden
    ></iframe>
    <script>
      addEventListener("message", (event) => {
        const asked = event.data;
        if (!asked || typeof asked.subject !== "string" || !event.source) return;
        const answer = { subject: asked.subject + ".response", message_id: asked.message_id };
        if (asked.subject === "lti.capabilities") {
          const frame = "post_message_forwarding";
          answer.supported_messages = [
            { subject: "lti.capabilities" },
            { subject: "lti.put_data", frame },
            { subject: "lti.get_data", frame },
            { subject: "lti.frameResize" },
          ];
          event.source.postMessage(answer, event.origin);
        } else if (asked.subject === "lti.frameResize" && Number(asked.height) > 0) {
          document.getElementById("contentframe").style.height = Number(asked.height) + "px";
          event.source.postMessage(answer, event.origin);
        }
      });
    </script>`;
}

function forwardingPage(): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Storage</title>
      </head>
      <body>
        <script>
          addEventListener("message", (event) => {
            const asked = event.data;
            if (!asked || !event.source) return;
            const answer = { subject: asked.subject + ".response", message_id: asked.message_id };
            const tool = "lti " + event.origin + " ";
            const place = tool + asked.key;
            if (asked.subject === "lti.put_data") {
              const used = Object.keys(localStorage)
                .filter((name) => name.startsWith(tool) && name !== place)
                .reduce((sum, name) => sum + name.length - tool.length + localStorage[name].length, 0);
              if (asked.value === null) {
                localStorage.removeItem(place);
              } else if (used + String(asked.key).length + String(asked.value).length > ${limit}) {
                answer.error = { code: "storage_exhaustion", message: "Too much for one tool" };
              } else {
                localStorage.setItem(place, asked.value);
              }
              if (!answer.error) Object.assign(answer, { key: asked.key, value: asked.value });
            } else if (asked.subject === "lti.get_data") {
              Object.assign(answer, { key: asked.key, value: localStorage.getItem(place) });
            } else return;
            event.source.postMessage(answer, event.origin);
          });
        </script>
      </body>
    </html>`.markup.trim();
}
