import { createServer } from "node:http";
import { z } from "zod";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createOutsideFetch } from "../../../src/lms/outside-fetch.ts";
import { describeTool } from "../../../src/lms/registration-request.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { createLmsStores } from "../builders/lms-stores.ts";
import { closed, listening } from "./local-server.ts";

export const toolConfiguration = "https://purl.imsglobal.org/spec/lti-tool-configuration";
export const platformConfiguration = "https://purl.imsglobal.org/spec/lti-platform-configuration";
export const score = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
export const roster = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";

const anyObject = z.record(z.string(), z.unknown());
const jsonObject = (text: string) => anyObject.parse(JSON.parse(text === "" ? "{}" : text));

/** An LMS that registers tools, in Moodle's way by default, and the tool's side of it. */
export async function startRegistering() {
  const seen: {
    method: string;
    url: string;
    authorization: string | undefined;
    body: Record<string, unknown>;
  }[] = [];
  const lms: { configuration: Record<string, unknown>; answer: () => { status: number; body: unknown } } = {
    configuration: {},
    answer: () => ({ status: 200, body: { client_id: "abc", [toolConfiguration]: { deployment_id: "1" } } }),
  };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const { method = "", url = "" } = request;
      seen.push({ method, url, authorization: request.headers.authorization, body: jsonObject(text) });
      const { status, body } = method === "POST" ? lms.answer() : { status: 200, body: lms.configuration };
      response.writeHead(status);
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  const url = await listening(server);
  lms.configuration = {
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    registration_endpoint: `${url}/register`,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: [score, roster, "openid"],
    claims_supported: ["sub", "iss", "name", "email"],
    [platformConfiguration]: {
      product_family_code: "moodle",
      version: "4.5.6",
      messages_supported: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
      ],
      variables: ["Context.id"],
    },
  };
  const stores = createLmsStores();
  const deps = {
    ...stores,
    toolKeys: createToolKeys({
      toolKeys: stores.toolKeys,
      sealer: createSealer("a secret key of at least thirty-two bytes"),
      clock: systemClock,
      ids: randomIds,
    }),
    fetch: createOutsideFetch(true),
    clock: systemClock,
    ids: randomIds,
    tool: describeTool("https://tool.test:8443"),
    allowPrivate: true,
  };
  const request = {
    openidConfigurationUrl: `${url}/config?x=1`,
    registrationToken: "reg-token",
    environment: "production" as const,
  };
  return { url, lms, seen, stores, deps, request, close: () => closed(server) };
}
