// From: measured.
import { randomInt } from "node:crypto";
import { z } from "zod";
import { lti } from "./lti-names.ts";
import type { Manners } from "./manners.ts";
import { moodleAuthorizationProblem } from "./moodle-authorization.ts";
import { moodleClaims, moodleContext, targetOf } from "./moodle-claims.ts";
import { moodleConfiguration, moodleRegistrationAnswer } from "./moodle-registration.ts";
import { mountMoodleServices } from "./moodle-services.ts";
import { parseJson } from "./service-answer.ts";

const { scope } = lti;

/** Moodle 4.5, as it behaves with its default settings. */
export const moodleManners: Manners = {
  name: "moodle",
  title: "Moodle",
  loginMethod: "post",
  launchLifetimeMs: null,
  authorizationProblem: moodleAuthorizationProblem,
  paths: {
    configuration: "/mod/lti/openid-configuration.php",
    registration: "/mod/lti/openid-registration.php",
    authorization: "/mod/lti/auth.php",
    token: "/mod/lti/token.php",
    keys: "/mod/lti/certs.php",
    contentReturn: "/mod/lti/contentitem_return.php",
    notices: null,
  },
  configurationNeedsToken: false,
  configuration: moodleConfiguration,
  // No lti_storage_target: Moodle has no platform storage.
  loginFields: (lms, launch) => ({
    iss: lms.url,
    target_link_uri: targetOf(launch),
    login_hint: launch.person.id,
    lti_message_hint: JSON.stringify({
      ...(launch.link === null ? {} : { cmid: Number(launch.link.id) + 1 }),
      launchid: launch.id,
    }),
    client_id: launch.tool.clientId,
    lti_deployment_id: launch.tool.deploymentId,
  }),
  launchIdOf: (hint) => {
    const parsed = z.object({ launchid: z.string() }).safeParse(parseJson(hint));
    return parsed.success ? parsed.data.launchid : null;
  },
  loginHintOf: (person) => person.id,
  contextClaim: moodleContext,
  claims: moodleClaims,
  assertionProblem: () => null,
  noticeAttempts: 0,
  deepLinkingData: null,
  contentItems: {
    wholeMaximum: true,
    published: true,
    columnNamedAfter: "title",
    keepsDueDate: false,
    framedOnly: true,
  },
  idTokenSeconds: 60,
  newClientId,
  deploymentIdOf: (toolId) => toolId,
  tokenContentType: "text/html; charset=utf-8",
  mountServices: mountMoodleServices,
  registrationAnswer: moodleRegistrationAnswer,
  registrationProblems: () => [],
  registrationWords: (_sent, words) => words,
  registrationRefusal: (status, messages) => ({
    status,
    type: "text/html; charset=utf-8",
    body: messages.join(" "),
  }),
  // No display-capture, and no sandbox attribute either.
  frameAllow: (origin) =>
    ["microphone", "camera", "midi", "encrypted-media", "autoplay"]
      .map((feature) => `${feature} ${origin}`)
      .join("; "),
  besideFrame: () => null,
  grantedScopes: (asked) => {
    const synchronisation: string[] = [scope.score, scope.result, scope.lineItemReadOnly];
    const grades = asked.includes(scope.lineItem)
      ? [...synchronisation, scope.lineItem]
      : asked.some((one) => synchronisation.includes(one))
        ? synchronisation
        : [];
    return [...grades, ...(asked.includes(scope.roster) ? [scope.roster] : [])];
  },
};

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function newClientId(): string {
  return Array.from({ length: 15 }, () => letters[randomInt(letters.length)]).join("");
}
