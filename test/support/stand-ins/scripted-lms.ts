import { SignJWT } from "jose";
import { z } from "zod";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { instructorRole, post, startPlatform, type TinyPlatform } from "./signed-launch.ts";
import { runCli } from "../tool/run-cli.ts";
import { required } from "../required.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const settingsClaim = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings";

/** An LMS whose messages a test writes claim by claim, registered manually with the tool of a world. */
export type ScriptedLms = {
  platform: TinyPlatform;
  registrationId: string;
  /** Sends any message. @returns the tool's response. */
  launch: (claims: Record<string, unknown>) => Promise<Response>;
  /** Sends a deep linking request with these settings and claims. */
  selectContent: (
    settings?: Record<string, unknown>,
    claims?: Record<string, unknown>,
  ) => Promise<{ status: number; text: string }>;
  close: () => Promise<void>;
};

/** Starts it and adds it to the tool, as an operator does. */
export async function startScriptedLms(
  world: DemoWorld,
  family: "moodle" | "canvas" | "other" = "other",
): Promise<ScriptedLms> {
  const platform = await startPlatform();
  const { issuer } = platform;
  const added = z
    .object({ id: z.string() })
    .parse(
      await runCli(world.variables, [
        "platform",
        "add",
        "--issuer",
        issuer,
        "--client-id",
        "client-1",
        "--auth-url",
        `${issuer}/auth`,
        "--token-url",
        `${issuer}/token`,
        "--jwks-url",
        platform.jwksUrl,
        "--family",
        family,
      ]),
    );
  const launch: ScriptedLms["launch"] = async (claims) => {
    const target = `${world.toolUrl}/lti/launch`;
    const login = await post(`${world.toolUrl}/lti/login`, {
      iss: issuer,
      login_hint: "user-7",
      target_link_uri: target,
      client_id: "client-1",
    });
    const asked = new URL(login.headers.get("location") ?? "");
    const cookie = login.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    const now = Math.floor(Date.now() / 1000);
    const key = required(platform.keys[0]);
    const idToken = await new SignJWT({
      sub: "user-7",
      name: "Tessa Teacher",
      [`${lti}/version`]: "1.3.0",
      [`${lti}/deployment_id`]: "1",
      [`${lti}/target_link_uri`]: target,
      [`${lti}/roles`]: [instructorRole],
      [`${lti}/context`]: { id: "2", label: "BIO101", title: "Biology 101" },
      ...claims,
      iss: issuer,
      aud: "client-1",
      iat: now,
      exp: now + 60,
      nonce: asked.searchParams.get("nonce") ?? "",
    })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: key.kid })
      .sign(key.privateKey);
    return post(
      target,
      { id_token: idToken, state: asked.searchParams.get("state") ?? "" },
      cookie.join("; "),
    );
  };
  return {
    platform,
    registrationId: added.id,
    launch,
    selectContent: async (settings = {}, claims = {}) => {
      const response = await launch({
        [`${lti}/message_type`]: "LtiDeepLinkingRequest",
        [settingsClaim]: {
          deep_link_return_url: `${issuer}/return`,
          accept_types: ["ltiResourceLink"],
          accept_presentation_document_targets: ["iframe", "window"],
          ...settings,
        },
        ...claims,
      });
      return { status: response.status, text: await response.text() };
    },
    close: platform.close,
  };
}
