// From: LTI Security 1.0, 4.1; token.php, measured.
import { randomBytes } from "node:crypto";
import express, { type Express } from "express";
import {
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { z } from "zod";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Logger } from "../../src/kernel/logger.ts";
import type { AssumptionName } from "../assumptions.ts";
import type { Tool } from "./lms-records.ts";
import type { Lms } from "./lms.ts";
import { answerService, rawBodyOf, type ServiceAnswer } from "./services.ts";

export type PlatformKey = Awaited<ReturnType<typeof createPlatformKey>>;

/** Signs launches and registration tokens; its `kid` is 20 hexadecimal digits. */
export async function createPlatformKey() {
  const { publicKey, privateKey } = await generateKeyPair("RS256", {
    modulusLength: 2048,
    extractable: true,
  });
  const kid = randomBytes(10).toString("hex");
  const { n, e } = await exportJWK(publicKey);
  if (n === undefined || e === undefined) throw new Error("The platform key is not an RSA key.");
  return {
    /** The response of the keyset endpoint: exactly one 2048-bit RSA key, as Moodle publishes it. */
    jwks: () => ({ keys: [{ kty: "RSA", alg: "RS256", kid, e, n, use: "sig" }] }),
    sign: (claims: JWTPayload): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ typ: "JWT", alg: "RS256", kid }).sign(privateKey),
    /** Times are compared with `now` (ms). @throws otherwise */
    verify: async (token: string, now: number): Promise<JWTPayload> =>
      (await jwtVerify(token, publicKey, { algorithms: ["RS256"], currentDate: new Date(now) })).payload,
  };
}

const keySchema = z.looseObject({ kid: z.string().optional() });
const keysetSchema = z.object({ keys: z.array(keySchema) });
/** A tool's key needs no `alg`, so only its numbers are used. */
const rsaKeySchema = z.object({ kty: z.literal("RSA"), n: z.string(), e: z.string() });
type Keyset = z.output<typeof keySchema>[];

/** In Moodle's words. */
class SignatureRefused extends Error {}

export type ToolKeysets = ReturnType<typeof createToolKeysets>;

/**
 * Keysets are cached and read again when a signature does not verify, so that rotation works immediately. With `keptMs`, a cached
 * keyset is not read again for that long, even for an unknown key.
 */
export function createToolKeysets(deps: {
  fetch: typeof fetch;
  logger: Logger;
  clock: Clock;
  keptMs: number;
}) {
  const kept = new Map<string, { keyset: Keyset; readAt: number }>();
  let refused = 0;
  const read = async (tool: Tool): Promise<Keyset> => {
    try {
      const answer = await deps.fetch(tool.jwksUrl, { signal: AbortSignal.timeout(10_000) });
      return keysetSchema.parse(await answer.json()).keys;
    } catch (error) {
      deps.logger.warn({ jwksUrl: tool.jwksUrl, reason: String(error) }, "a tool's keyset cannot be read");
      throw new SignatureRefused("Could not read the keyset of the tool");
    }
  };
  return {
    /** @throws SignatureRefused unless the token is signed by a key of the tool's keyset. */
    verify: async (tool: Tool, token: string): Promise<void> => {
      const known = kept.get(tool.id);
      if (known !== undefined && (await verifies(token, known.keyset).catch(() => false))) return;
      const now = deps.clock.now();
      const keyset =
        known !== undefined && now < known.readAt + deps.keptMs ? known.keyset : await read(tool);
      if (keyset !== known?.keyset) kept.set(tool.id, { keyset, readAt: now });
      try {
        if (!(await verifies(token, keyset))) throw new SignatureRefused("Signature verification failed");
      } catch (thrown) {
        refused += 1;
        throw thrown;
      }
    },
    /** How many tokens were signed by a key that was missing in the keyset as it was read. */
    refused: () => refused,
  };
}

async function verifies(token: string, keyset: Keyset): Promise<boolean> {
  const { kid, alg } = decodeProtectedHeader(token);
  if (alg !== "RS256") throw new SignatureRefused("Algorithm not allowed");
  if (kid === undefined) throw new SignatureRefused('"kid" empty, unable to lookup correct key');
  const key = rsaKeySchema.safeParse(keyset.find((candidate) => candidate.kid === kid));
  if (!key.success) throw new SignatureRefused('"kid" invalid, unable to lookup correct key');
  try {
    await compactVerify(token, await importJWK(key.data, "RS256"));
    return true;
  } catch {
    return false;
  }
}

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const lifetimeSeconds = 3600;

/** The `error` member of the response. */
class TokenRefused extends Error {}

/**
 * LTI Security 1.0, 4.1: client credentials with a signed assertion. Like Moodle it checks signature, `sub`, `iat` and `exp`; the rules of
 * each product check the rest (Moodle checks neither audience nor `jti`, so an assertion can be used again).
 */
export function mountTokenEndpoint(app: Express, lms: Lms): void {
  app.post(lms.manners.paths.token, express.text({ type: () => true }), async (request, response) => {
    await answerService(lms, "token", { request, response }, async () => {
      const form = (request.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
      try {
        return await grant(lms, new URLSearchParams(form ? rawBodyOf(request) : ""));
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        // Not escaped: a message with quotation marks results in invalid JSON, as in Moodle.
        return tokenAnswer(lms, 400, `{\r\n  "error" : "${error.message}"\r\n}`);
      }
    });
  });
}

async function grant(lms: Lms, form: URLSearchParams): Promise<ServiceAnswer> {
  const { assertion, asked } = askedOf(form);
  const tool = clientOf(lms, assertion);
  await checkAssertion(lms, tool, assertion);
  const scopes = asked.filter((scope) => tool.scopes.includes(scope));
  if (scopes.length === 0) throw new TokenRefused("invalid_scope");
  const token = randomBytes(16).toString("hex");
  const turned = (name: AssumptionName) => lms.manners.name === "other" && lms.turned.has(name);
  const lifetime = turned("tokenLastsAnHour") ? 60 : lifetimeSeconds;
  const expiresAt = lms.clock.now() + lifetime * 1000;
  lms.world.accessTokens.set(token, { toolId: tool.id, scopes, expiresAt });
  const answer = {
    access_token: token,
    token_type: turned("tokenIsCapital") ? "bearer" : "Bearer",
    expires_in: lifetime,
    scope: turned("tokenSaysScope") && scopes.length === asked.length ? undefined : scopes.join(" "),
  };
  return tokenAnswer(lms, 200, JSON.stringify(answer, null, 2));
}

function askedOf(form: URLSearchParams): { assertion: string; asked: string[] } {
  const assertion = form.get("client_assertion") ?? "";
  if (!form.has("grant_type") || !form.has("scope") || assertion === "")
    throw new TokenRefused("invalid_request");
  if (form.get("client_assertion_type") !== assertionType) throw new TokenRefused("invalid_request");
  if (form.get("grant_type") !== "client_credentials") throw new TokenRefused("unsupported_grant_type");
  return { assertion, asked: (form.get("scope") ?? "").split(" ") };
}

function clientOf(lms: Lms, assertion: string): Tool {
  let subject: string | undefined;
  try {
    subject = decodeJwt(assertion).sub;
  } catch {
    throw new TokenRefused("invalid_request");
  }
  const tool = [...lms.world.tools.values()].find(({ clientId }) => clientId === subject);
  if (tool === undefined) throw new TokenRefused("invalid_client");
  return tool;
}

async function checkAssertion(lms: Lms, tool: Tool, assertion: string): Promise<void> {
  try {
    await lms.keysets.verify(tool, assertion);
  } catch (error) {
    throw error instanceof SignatureRefused ? new TokenRefused(error.message) : error;
  }
  const now = lms.clock.now() / 1000;
  const { iat, exp } = decodeJwt(assertion);
  if (iat !== undefined && iat > now) {
    const time = new Date(iat * 1000).toISOString().replace(/\.\d+Z$/, "+0000");
    throw new TokenRefused(`Cannot handle token with iat prior to ${time}`);
  }
  if (exp !== undefined && exp <= now) throw new TokenRefused("Expired token");
  const problem = lms.manners.assertionProblem(lms, decodeJwt(assertion));
  if (problem !== null) throw new TokenRefused(problem);
}

function tokenAnswer(lms: Lms, status: number, body: string): ServiceAnswer {
  return { status, type: lms.manners.tokenContentType, body };
}
