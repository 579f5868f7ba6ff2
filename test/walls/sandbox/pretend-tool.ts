import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { z } from "zod";
import { listen } from "../../../sandbox/listen.ts";
import type { StandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";

const toolConfiguration = "https://purl.imsglobal.org/spec/lti-tool-configuration";

/** A minimal LTI tool: a keyset over HTTP, a registration, signed assertions and a browser's steps of a launch. */
export type PretendTool = {
  url: string;
  close: () => Promise<void>;
  /** What was posted to it, oldest first; notices for example. */
  posted: () => readonly string[];
  /** How it answers the next posts; 200 afterwards. */
  answerPosts: (statuses: number[]) => void;
  /** A fresh key under a new name replaces the old one in the keyset. */
  rotateKey: () => Promise<void>;
  /** Registers at the stand-in with the given registration token's address. */
  register: (
    lms: StandInLms,
    change?: Record<string, unknown>,
    registrationUrl?: string,
  ) => Promise<{ status: number; text: string }>;
  registeredClientId: (lms: StandInLms) => string;
  assertion: (claims: Record<string, unknown>, header?: { kid?: string }) => Promise<string>;
  token: (lms: StandInLms, scopes: string[], claims?: Record<string, unknown>) => Promise<Response>;
  accessToken: (lms: StandInLms, scopes: string[]) => Promise<string>;
};

export async function startPretendTool(now: () => number = Date.now): Promise<PretendTool> {
  let tokenUrl: string | null = null;
  let audience: string | null = null;
  let kid = "first";
  let pair = await generateKeyPair("RS256", { extractable: true });
  const posted: string[] = [];
  let postStatuses: number[] = [];
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let body = "";
      request.setEncoding("utf8").on("data", (part: string) => (body += part));
      request.on("end", () => {
        posted.push(body);
        response.writeHead(postStatuses.shift() ?? 200).end();
      });
      return;
    }
    void exportJWK(pair.publicKey).then((jwk) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ keys: [{ ...jwk, kid }] }));
    });
  });
  const port = await listen(server);
  const host = `127.0.0.1:${port}`;
  const url = `http://${host}`;

  const assertion: PretendTool["assertion"] = (claims, header = {}) =>
    new SignJWT({ iat: Math.floor(now() / 1000) - 5, exp: Math.floor(now() / 1000) + 300, ...claims })
      .setProtectedHeader({ alg: "RS256", kid, ...header })
      .sign(pair.privateKey);

  const registeredClientId: PretendTool["registeredClientId"] = (lms) => lms.tools().at(-1)?.clientId ?? "";

  const token: PretendTool["token"] = async (lms, scopes, claims = {}) => {
    const clientId = registeredClientId(lms);
    return fetch(tokenUrl ?? `${lms.url}/mod/lti/token.php`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await assertion({
          iss: clientId,
          sub: clientId,
          aud: audience ?? "x",
          jti: randomUUID(),
          ...claims,
        }),
        scope: scopes.join(" "),
      }),
    });
  };

  return {
    url,
    posted: () => posted,
    answerPosts: (statuses) => {
      postStatuses = [...statuses];
    },
    assertion,
    registeredClientId,
    token,
    accessToken: async (lms, scopes) => {
      const answer = await token(lms, scopes);
      return z.object({ access_token: z.string() }).parse(await answer.json()).access_token;
    },
    rotateKey: async () => {
      pair = await generateKeyPair("RS256", { extractable: true });
      kid = `${kid}-next`;
    },
    register: async (lms, change = {}, registrationUrl) => {
      const full = new URL(registrationUrl ?? (await lms.beginRegistration(`${url}/register`)));
      const configurationUrl = full.searchParams.get("openid_configuration") ?? "";
      const authorization = `Bearer ${full.searchParams.get("registration_token") ?? ""}`;
      const configuration = z
        .object({
          registration_endpoint: z.string(),
          token_endpoint: z.string(),
          authorization_server: z.string().optional(),
        })
        .parse(await (await fetch(configurationUrl, { headers: { authorization } })).json());
      tokenUrl = configuration.token_endpoint;
      audience = configuration.authorization_server?.includes("://")
        ? configuration.authorization_server
        : tokenUrl;
      const answer = await fetch(configuration.registration_endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: JSON.stringify({ ...registration(url, host), ...change }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function registration(url: string, host: string): Record<string, unknown> {
  return {
    application_type: "web",
    response_types: ["id_token"],
    grant_types: ["implicit", "client_credentials"],
    initiate_login_uri: `${url}/login`,
    redirect_uris: [`${url}/launch`],
    client_name: "Pretend tool",
    jwks_uri: `${url}/keys`,
    token_endpoint_auth_method: "private_key_jwt",
    scope: [
      "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
      "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
      "https://purl.imsglobal.org/spec/lti-ags/scope/score",
      "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
    ].join(" "),
    [toolConfiguration]: {
      domain: host,
      target_link_uri: `${url}/launch`,
      claims: ["iss", "sub", "name", "given_name", "family_name", "email"],
      custom_parameters: {
        course_history: "$Context.id.history",
        groups: "$Moodle.Person.userGroupIds",
        username: "$User.username",
        fullName: "$Person.name.full",
        nonsense: "$No.such.variable",
        sectionIds: "$Canvas.course.sectionIds",
        sectionNames: "$com.instructure.User.sectionNames",
        MixedCase: "Keep=Equals;semi",
      },
      messages: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest", target_link_uri: `${url}/launch` },
      ],
    },
  };
}

/** The hidden fields and the address of an automatically posted form. */
export async function formOf(answer: Response): Promise<{ action: string; fields: Record<string, string> }> {
  const page = await answer.text();
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return {
    action: unescaped(/action="([^"]*)"/.exec(page)?.[1]),
    fields: Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, unescaped(value)])),
  };
}

function unescaped(text = ""): string {
  return text.replace(/&#(\d+);/g, (_match, code: string) => String.fromCodePoint(Number(code)));
}
