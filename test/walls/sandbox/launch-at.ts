import { decodeJwt } from "jose";
import { z } from "zod";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { demoSeed } from "../../../sandbox/demo-seed.ts";
import { type StandInLms, startStandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { formOf, type PretendTool } from "./pretend-tool.ts";

const paths = {
  moodle: "/mod/lti/auth.php",
  canvas: "/api/lti/authorize_redirect",
  other: "/lti13/authorize",
};
const claims = "https://purl.imsglobal.org/spec";

/** What a tool may ask for. */
export const scope = {
  lineItem: `${claims}/lti-ags/scope/lineitem`,
  score: `${claims}/lti-ags/scope/score`,
  result: `${claims}/lti-ags/scope/result.readonly`,
  roster: `${claims}/lti-nrps/scope/contextmembership.readonly`,
  groups: `${claims}/lti-gs/scope/contextgroup.readonly`,
  notices: `${claims}/lti/scope/noticehandlers`,
};

export const launchClaims = z.looseObject({
  sub: z.string().optional(),
  [`${claims}/lti/claim/roles`]: z.array(z.string()),
  [`${claims}/lti/claim/deployment_id`]: z.string(),
  [`${claims}/lti/claim/context`]: z.looseObject({ id: z.string() }),
  [`${claims}/lti/claim/custom`]: z.record(z.string(), z.unknown()),
  [`${claims}/lti-ags/claim/endpoint`]: z.looseObject({
    lineitems: z.string(),
    lineitem: z.string().optional(),
  }),
  [`${claims}/lti-nrps/claim/namesroleservice`]: z.looseObject({ context_memberships_url: z.string() }),
});

type Where = { lms: StandInLms; tool: PretendTool; manners: keyof typeof paths };

/** A stand-in LMS with the demonstration's courses. */
export const startLms = (manners: keyof typeof paths, now: () => number = Date.now) =>
  startStandInLms({
    port: 0,
    clock: { ...systemClock, now },
    logger: createLogger("silent"),
    seed: demoSeed,
    manners,
  });

/** The login initiation that somebody's browser carries to the tool. */
export async function initiate({ lms }: Where, user: string, path: string) {
  const cookie = lms.cookieFor(user);
  const answer = await fetch(lms.url + path, { headers: { cookie } });
  return { cookie, status: answer.status, ...(await formOf(answer)) };
}

/** What the LMS posts to the tool when the tool asks for the id_token. */
export async function authorize(
  { lms, tool, manners }: Where,
  begun: Awaited<ReturnType<typeof initiate>>,
  change: { cookie?: string; parameters?: Record<string, string> } = {},
) {
  const { fields } = begun;
  const query = new URLSearchParams({
    scope: "openid",
    response_type: "id_token",
    response_mode: "form_post",
    prompt: "none",
    client_id: fields["client_id"] ?? "",
    redirect_uri: `${tool.url}/launch`,
    login_hint: fields["login_hint"] ?? "",
    lti_message_hint: fields["lti_message_hint"] ?? "",
    nonce: "n-1",
    state: "s-1",
    ...change.parameters,
  });
  const headers = { cookie: change.cookie ?? begun.cookie };
  const answer = await fetch(`${lms.url}${paths[manners]}?${query.toString()}`, { headers });
  return { status: answer.status, ...(await formOf(answer)) };
}

/** The claims of a launch from start to end. */
export async function launchAt(where: Where, user: string, path: string) {
  const { fields } = await authorize(where, await initiate(where, user, path));
  return launchClaims.parse(decodeJwt(fields["id_token"] ?? ""));
}

/** The request that posts a final score. */
export const finalScore = (score: Record<string, unknown>, now = Date.now()): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/vnd.ims.lis.v1.score+json" },
  body: JSON.stringify({
    activityProgress: "Completed",
    gradingProgress: "FullyGraded",
    timestamp: new Date(now).toISOString(),
    ...score,
  }),
});

/** A service call with a fresh token. */
export async function callAt({ lms, tool }: Where, scope: string, url: string, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${await tool.accessToken(lms, [scope])}`);
  return fetch(url, { ...init, headers });
}
