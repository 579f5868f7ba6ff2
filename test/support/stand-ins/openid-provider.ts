import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { SignJWT, UnsecuredJWT } from "jose";
import { closed, listening } from "./local-server.ts";
import { makeSigningKey } from "./signed-launch.ts";
import { get } from "../tool/console-tool.ts";

/** The user who is logged in at the provider. */
export type ProviderUser = {
  sub: string;
  email?: string;
  emailVerified?: boolean;
  groups?: readonly string[];
};

/** What the provider does wrong. */
export type ProviderFault =
  | "wrong nonce"
  | "wrong audience"
  | "second audience"
  | "foreign azp"
  | "expired"
  | "old"
  | "from the future"
  | "wrong issuer"
  | "alg none"
  | "foreign key"
  | "shared secret"
  | "no nonce"
  | "claims of somebody else"
  | "foreign metadata"
  | "moved"
  | "down";

export type OpenIdProvider = {
  issuer: string;
  /** Who logs in next. */
  user: ProviderUser;
  fault: ProviderFault | null;
  /** Whether e-mail address and groups are only at the UserInfo endpoint (Core 5.4). */
  claimsApart: boolean;
  /** How often a code was redeemed. */
  tokenRequests: number;
  close: () => Promise<void>;
};

export const providerClient = { id: "the-console", secret: "a-secret-with:odd&characters" };

type Grant = { challenge: string; redirectUri: string; nonce: string; user: ProviderUser };

/**
 * A small OpenID provider. It imitates these parts of OpenID Connect Core 1.0: 3.1.2 (authorization; every visitor is logged in), 3.1.3
 * (token endpoint, `client_secret_basic`, codes that work once), 2 and 3.1.3.7 (ID token), 5.3 and 5.4 (UserInfo); of RFC 7636: 4.3 to 4.6
 * (only S256); of RFC 9207: 2 (`iss` in the response); and Discovery 1.0, 4.
 */
export async function startOpenIdProvider(user: ProviderUser): Promise<OpenIdProvider> {
  const [key, foreign] = [await makeSigningKey("key-1"), await makeSigningKey("key-1")];
  const grants = new Map<string, Grant>();
  const users = new Map<string, ProviderUser>();
  const state: OpenIdProvider = {
    issuer: "",
    user,
    fault: null,
    claimsApart: false,
    tokenRequests: 0,
    close: () => closed(server),
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch((thrown: unknown) => {
      json(response, 500, { error: String(thrown) });
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", state.issuer);
    if (state.fault === "down") {
      json(response, 503, {});
    } else if (state.fault === "moved") {
      response.writeHead(302, { location: `${state.issuer}/elsewhere${url.pathname}` }).end();
    } else if (url.pathname === "/.well-known/openid-configuration") {
      json(response, 200, {
        issuer: state.fault === "foreign metadata" ? "https://evil.test" : state.issuer,
        authorization_endpoint: `${state.issuer}/authorize`,
        token_endpoint: `${state.issuer}/token`,
        jwks_uri: `${state.issuer}/keys`,
        userinfo_endpoint: `${state.issuer}/userinfo`,
        authorization_response_iss_parameter_supported: true,
        // The last two are always refused.
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      });
    } else if (url.pathname === "/keys") {
      json(response, 200, { keys: [key.jwk] });
    } else if (url.pathname === "/authorize") {
      authorize(url.searchParams, response);
    } else if (url.pathname === "/token") {
      await redeem(request, new URLSearchParams(await bodyOf(request)), response);
    } else if (url.pathname === "/userinfo") {
      const found = users.get((request.headers.authorization ?? "").replace("Bearer ", ""));
      if (found === undefined) json(response, 401, {});
      else json(response, 200, { sub: subOf(found), ...claimsOf(found) });
    } else {
      json(response, 404, {});
    }
  };

  const subOf = ({ sub }: ProviderUser) =>
    state.fault === "claims of somebody else" ? "somebody else" : sub;

  const authorize = (asked: URLSearchParams, response: ServerResponse) => {
    const value = (name: string) => asked.get(name) ?? "";
    const isRight =
      value("response_type") === "code" &&
      value("client_id") === providerClient.id &&
      value("scope").split(" ").includes("openid") &&
      value("code_challenge_method") === "S256";
    if (!isRight) {
      json(response, 400, { error: "invalid_request" });
      return;
    }
    const code = randomBytes(16).toString("base64url");
    grants.set(code, {
      challenge: value("code_challenge"),
      redirectUri: value("redirect_uri"),
      nonce: value("nonce"),
      user: state.user,
    });
    const back = new URL(value("redirect_uri"));
    for (const [name, text] of Object.entries({ code, state: value("state"), iss: state.issuer }))
      back.searchParams.set(name, text);
    response.writeHead(302, { location: back.href }).end();
  };

  const redeem = async (request: IncomingMessage, body: URLSearchParams, response: ServerResponse) => {
    state.tokenRequests += 1;
    const form = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
    const basic = Buffer.from(`${form(providerClient.id)}:${form(providerClient.secret)}`).toString("base64");
    if (request.headers.authorization !== `Basic ${basic}`) {
      json(response, 401, { error: "invalid_client" });
      return;
    }
    const code = body.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const digest = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant === undefined || grant.challenge !== digest || grant.redirectUri !== body.get("redirect_uri")) {
      json(response, 400, { error: "invalid_grant" });
      return;
    }
    const accessToken = randomBytes(16).toString("base64url");
    users.set(accessToken, grant.user);
    json(response, 200, { access_token: accessToken, token_type: "Bearer", id_token: await idToken(grant) });
  };

  const idToken = async ({ nonce, user: of }: Grant): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const { fault } = state;
    const claims = {
      ...(fault === "no nonce" ? {} : { nonce: fault === "wrong nonce" ? "another" : nonce }),
      ...(state.claimsApart ? {} : claimsOf(of)),
      ...(fault === "foreign azp" ? { azp: "another-client" } : {}),
      ...(fault === "second audience" ? { azp: providerClient.id } : {}),
      iss: fault === "wrong issuer" ? "https://evil.test" : state.issuer,
      sub: of.sub,
      aud:
        fault === "wrong audience"
          ? "another-client"
          : fault === "second audience"
            ? [providerClient.id, "another-client"]
            : providerClient.id,
      iat: now + (fault === "old" ? -700 : fault === "from the future" ? 100 : 0),
      exp: fault === "expired" ? now - 200 : now + 300,
    };
    if (fault === "alg none") return new UnsecuredJWT(claims).encode();
    if (fault === "shared secret")
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid: "key-1" })
        .sign(new TextEncoder().encode(providerClient.secret.padEnd(32, "x")));
    const signedBy = fault === "foreign key" ? foreign : key;
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "key-1" }).sign(signedBy.privateKey);
  };

  state.issuer = await listening(server);
  return state;
}

function claimsOf({ email, emailVerified, groups }: ProviderUser): object {
  return {
    ...(email === undefined ? {} : { email, email_verified: emailVerified ?? true }),
    ...(groups === undefined ? {} : { groups }),
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Variables of a tool whose operators log in at this provider. */
export const providerVariables = ({ issuer }: OpenIdProvider): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: providerClient.id,
  OIDC_CLIENT_SECRET: providerClient.secret,
  OIDC_OPERATORS: "Olga@school.test, group:it",
  OIDC_READERS: "rita@school.test",
});

const pairOf = (line: string) => line.split(";")[0] ?? "";

/** A log-in in progress: the browser is back from the provider, which sent it to `back`. */
export async function atProvider(url: string): Promise<{ cookie: string; back: string }> {
  const begun = await get(`${url}/admin/log-in?to=/admin/audit`);
  const there = await get(begun.location ?? "");
  return { cookie: begun.headers.getSetCookie().map(pairOf).join("; "), back: there.location ?? "" };
}

/** @returns the console's cookies and the token that forms must carry. */
export async function logInByProvider(
  url: string,
  provider: OpenIdProvider,
  user: ProviderUser,
): Promise<{ cookie: string; form: string }> {
  provider.user = user;
  const { cookie, back } = await atProvider(url);
  const answer = await get(back, cookie);
  if (answer.status !== 200) throw new Error(`the log-in answered ${answer.status}: ${answer.text}`);
  const session = answer.headers
    .getSetCookie()
    .map(pairOf)
    .filter((pair) => !pair.endsWith("="))
    .join("; ");
  const page = await get(`${url}/admin/registrations`, session);
  return { cookie: session, form: /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "" };
}
