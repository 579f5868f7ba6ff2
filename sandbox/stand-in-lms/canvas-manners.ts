// From: registration.md; the class Lti::Launch (allow).
import { randomInt } from "node:crypto";
import { z } from "zod";
import { canvasAuthorizationProblem } from "./canvas-authorization.ts";
import { canvasClaims, canvasContext } from "./canvas-claims.ts";
import { canvasIds } from "./canvas-ids.ts";
import { canvasStorage } from "./canvas-storage.ts";
import {
  canvasConfiguration,
  canvasRegistrationAnswer,
  canvasRegistrationProblems,
  canvasRegistrationWords,
} from "./canvas-registration.ts";
import { mountCanvasServices } from "./canvas-services.ts";
import { deploymentIn } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import type { Manners } from "./manners.ts";

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

/** By Canvas's public code and documentation; not measured on a live Canvas. */
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
    // The code sends the one name, the documentation has the other.
    lti_deployment_id: deploymentIn(launch.tool, launch.course.id),
    deployment_id: deploymentIn(launch.tool, launch.course.id),
    target_link_uri: launch.review?.url ?? launch.link?.url ?? launch.tool.launchUrl,
    // Canvas sends a JWT; tools must not look inside, so here it is only shaped like one.
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
      response.type("html").send(canvasStorage.forwardingPage());
    });
    mountCanvasServices(app, lms);
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
  besideFrame: canvasStorage.besideFrame,
  grantedScopes: (asked) => {
    const known: string[] = [...Object.values(lti.scope), lti.extraScope.notices];
    return asked.filter((scope) => known.includes(scope));
  },
};
