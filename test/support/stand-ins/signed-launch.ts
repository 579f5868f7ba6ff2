import { createServer } from "node:http";
import express from "express";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeEach } from "vitest";
import type { Launch } from "../../../src/domain/launch.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createKeySets } from "../../../src/lms/key-sets.ts";
import type { TurnstileLimits } from "../../../src/kernel/turnstile.ts";
import type { LaunchRefusal } from "../../../src/domain/launch-refusal.ts";
import { createLaunchVerifier } from "../../../src/lms/launch-verifier.ts";
import { createLtiProvider } from "../../../src/lms/lti-provider.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { createLmsStores, type LmsStores } from "../builders/lms-stores.ts";
import { forAllTests } from "../for-all-tests.ts";
import { closed, listening } from "./local-server.ts";
import { registrationOf } from "../builders/registration.ts";
import { required } from "../required.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
export const instructorRole = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor";
export const learnerRole = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";

export type SigningKey = { kid: string; privateKey: Parameters<SignJWT["sign"]>[0]; jwk: object };

/** A new RSA pair with its public JWK. */
export async function makeSigningKey(kid: string): Promise<SigningKey> {
  const pair = await generateKeyPair("RS256", { extractable: true });
  return {
    kid,
    privateKey: pair.privateKey,
    jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: "RS256", use: "sig" },
  };
}

/** An LMS that consists of its keys: a JWKS server that can be broken, slowed and rotated. */
export type TinyPlatform = {
  issuer: string;
  jwksUrl: string;
  keys: SigningKey[];
  jwks: { answer: "keys" | "down" | "hang" | "garbage"; fetches: number };
  close: () => Promise<void>;
};

export async function startPlatform(): Promise<TinyPlatform> {
  const state: TinyPlatform["jwks"] = { answer: "keys", fetches: 0 };
  const keys = [await makeSigningKey("platform-key-1")];
  const server = createServer((_request, response) => {
    state.fetches += 1;
    if (state.answer === "hang") return;
    response.statusCode = state.answer === "down" ? 500 : 200;
    response.end(
      state.answer === "garbage" ? "<html>" : JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }),
    );
  });
  const issuer = await listening(server);
  return { issuer, jwksUrl: `${issuer}/jwks`, keys, jwks: state, close: () => closed(server) };
}

/** The SECRET_KEY of a tiny tool. */
export const toolKey = "a secret key of at least thirty-two bytes";

/** Only the tool's LTI front, in an Express 5 application, with stores in memory. */
export type TinyTool = {
  url: string;
  stores: LmsStores;
  /** What arrived, in order. */
  launches: Launch[];
  refusals: LaunchRefusal[];
  errors: unknown[];
  /** How far the tool's clock is ahead of ours (ms). */
  clock: { ahead: number };
  /** What each launch waits for before it is answered. */
  holdLaunch: { until: Promise<unknown> };
  /** Set this to make the launch callback throw. */
  breakLaunch: { with: Error | null };
  close: () => Promise<void>;
};

/** @param keys SECRET_KEY and SECRET_KEY_PREVIOUS. @param turns How many launches it handles at the same time. */
export async function startTool(
  stores: LmsStores = createLmsStores(),
  keys: { secretKey: string; secretKeyPrevious?: string } = { secretKey: toolKey },
  turns: Partial<TurnstileLimits> = {},
): Promise<TinyTool> {
  const app = express();
  const server = createServer((request, response) => void app(request, response));
  const url = await listening(server);
  const skew = { ahead: 0 };
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + skew.ahead };
  const tool: TinyTool = {
    url,
    stores,
    clock: skew,
    launches: [],
    refusals: [],
    errors: [],
    holdLaunch: { until: Promise.resolve() },
    breakLaunch: { with: null },
    close: () => closed(server),
  };
  const provider = createLtiProvider({
    ...stores,
    toolKeys: createToolKeys({
      toolKeys: stores.toolKeys,
      sealer: createSealer(keys.secretKey),
      clock,
      ids: randomIds,
    }),
    verifier: createLaunchVerifier({ keySets: createKeySets({ fetch, clock }), clock }),
    publicUrl: url,
    secretKey: keys.secretKey,
    secretKeyPrevious: keys.secretKeyPrevious,
    clock,
    ids: randomIds,
    logger: createLogger("silent"),
    turns,
    onKeep: (login, _request, response) => {
      response.status(200).json({ kept: login });
    },
    onResume: (launch, _request, response) => {
      tool.refusals.push(launch.refusal);
      const { storageTarget, refusal } = launch;
      if (storageTarget === null) response.status(refusal.status).json({ code: refusal.code });
      else response.status(200).json({ resume: launch });
    },
    onLaunch: async (launch, _request, response) => {
      await tool.holdLaunch.until;
      if (tool.breakLaunch.with !== null) throw tool.breakLaunch.with;
      tool.launches.push(launch);
      response.status(200).json({ launched: launch.kind });
    },
    onRefused: (refusal, _request, response) => {
      tool.refusals.push(refusal);
      response.status(refusal.status).json({ code: refusal.code });
    },
    onError: (error, _request, response) => {
      tool.errors.push(error);
      response.status(500).json({ code: "unexpected" });
    },
  });
  app.use((_request, response, next) => {
    response.setHeader("content-security-policy", "default-src 'self'");
    next();
  });
  app.use("/lti", provider.router);
  return tool;
}

/** A registration of `platform` under `clientId`, put into the tool's stores. */
export async function registered(
  tool: TinyTool,
  platform: TinyPlatform,
  change: Partial<Registration> = {},
): Promise<Registration> {
  const registration: Registration = registrationOf({
    id: randomIds.id("reg"),
    issuer: platform.issuer,
    name: "Tiny LMS",
    family: "other",
    authorizationUrl: `${platform.issuer}/auth?site=a%20b`,
    jwksUrl: platform.jwksUrl,
    createdAt: 1,
    ...change,
  });
  await tool.stores.registrations.insert(registration);
  return registration;
}

/** A browser's way through the login: what the LMS was asked for, and the cookie that the browser keeps. */
export type StartedLogin = { state: string; nonce: string; cookie: string; asked: URL };

/** Opens a link: login initiation by form post. */
export async function startLogin(
  tool: TinyTool,
  registration: Registration,
  parameters: Record<string, string> = {},
): Promise<StartedLogin> {
  const response = await post(`${tool.url}/lti/login`, {
    iss: registration.issuer,
    login_hint: "user-7",
    target_link_uri: `${tool.url}/lti/launch`,
    client_id: registration.clientId,
    ...parameters,
  });
  if (response.status !== 302) throw new Error(`login answered ${response.status} ${await response.text()}`);
  const asked = new URL(response.headers.get("location") ?? "");
  return {
    asked,
    state: asked.searchParams.get("state") ?? "",
    nonce: asked.searchParams.get("nonce") ?? "",
    cookie: response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0] ?? "")
      .join("; "),
  };
}

const claimOfName: Record<string, string> = {
  ...Object.fromEntries(
    [
      "message_type",
      "version",
      "deployment_id",
      "target_link_uri",
      "resource_link",
      "context",
      "roles",
      "custom",
      "launch_presentation",
      "lis",
      "tool_platform",
      "ext",
      "for_user",
      "role_scope_mentor",
    ].map((name) => [name, `${lti}/${name}`]),
  ),
  grades: "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint",
  roster: "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice",
  deep_linking: "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings",
};

/** Claims by their full names, if the last part of LTI's is given; any other name stays as it is. */
export const ltiClaims = (claims: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [claimOfName[name] ?? name, value]));

/** What may be changed in a token; a claim set to undefined is left out, LTI's have their short names (`ltiClaims`). */
export type TokenChanges = {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: SigningKey;
};

/** An ordinary signed launch of `registration` in response to `login`, with changes. */
export async function signedLaunch(
  tool: TinyTool,
  platform: TinyPlatform,
  registration: Registration,
  login: { nonce: string },
  { claims = {}, header = {}, key }: TokenChanges = {},
): Promise<string> {
  const signer = required(key ?? platform.keys[0]);
  const usual = launchClaimsOf(tool.url, registration, login.nonce);
  return new SignJWT({ ...usual, ...ltiClaims(claims) })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: signer.kid, ...header })
    .sign(signer.privateKey);
}

/** The claims of an ordinary instructor launch. */
export function launchClaimsOf(
  toolUrl: string,
  registration: Registration,
  nonce: string,
): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return ltiClaims({
    iss: registration.issuer,
    aud: registration.clientId,
    sub: "user-7",
    iat: now,
    exp: now + 60,
    nonce,
    name: "Tessa Teacher",
    given_name: "Tessa",
    family_name: "Teacher",
    email: "tessa@example.test",
    message_type: "LtiResourceLinkRequest",
    version: "1.3.0",
    deployment_id: "1",
    target_link_uri: `${toolUrl}/lti/launch`,
    roles: [instructorRole],
    context: { id: "2", label: "BIO101", title: "Biology 101" },
    resource_link: { id: "5", title: "Classroom" },
  });
}

/** Posts a token back to the tool, as the browser of `login` unless another cookie is given. */
export async function postLaunch(
  tool: TinyTool,
  login: { state: string; cookie: string },
  idToken: string,
  cookie: string = login.cookie,
): Promise<Response> {
  return post(`${tool.url}/lti/launch`, { id_token: idToken, state: login.state }, cookie, otherSite);
}

/** A whole launch with changes: login, token, return. */
export async function launchWith(
  tool: TinyTool,
  platform: TinyPlatform,
  registration: Registration,
  changes: TokenChanges = {},
): Promise<Response> {
  const login = await startLogin(tool, registration);
  return postLaunch(tool, login, await signedLaunch(tool, platform, registration, login, changes));
}

/** The headers that browsers add to a form of a page of the LMS. */
const otherSite: Record<string, string> = { "sec-fetch-site": "cross-site" };

/** The headers that browsers add to a form of one of the tool's own pages. */
export const ownPage: Record<string, string> = { "sec-fetch-site": "same-origin" };

/** Posts a form the way a browser does; without further headers, a page of another site sends it. */
export async function post(
  url: string,
  fields: Record<string, string>,
  cookie = "",
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
      ...(cookie === "" ? {} : { cookie }),
    },
    body: new URLSearchParams(fields).toString(),
  });
}

/** An LMS, and a fresh tool for each test that knows it. @param keep Receives the two for the test that starts. */
export async function launchesIntoTool(
  keep: (made: { tool: TinyTool; registration: Registration }) => void,
  change: Partial<Registration> = {},
) {
  const platform = await forAllTests(startPlatform());
  let now: { tool: TinyTool; registration: Registration };
  beforeEach(async () => {
    const tool = await startTool();
    now = { tool, registration: await registered(tool, platform, change) };
    keep(now);
    return () => tool.close();
  });
  const signed = (login: { nonce: string }, changes: TokenChanges = {}) =>
    signedLaunch(now.tool, platform, now.registration, login, changes);
  return {
    platform,
    signed,
    /** A whole launch with changes. */
    launch: (changes: TokenChanges = {}) => launchWith(now.tool, platform, now.registration, changes),
    /** The two steps before the last one. */
    begun: async (changes: TokenChanges = {}) => {
      const login = await startLogin(now.tool, now.registration);
      return { login, token: await signed(login, changes) };
    },
  };
}
