// From: LTI Security 1.0, 4.1; token.php, measured.
import { randomBytes } from "node:crypto";
import type { Express } from "express";
import express from "express";
import { decodeJwt } from "jose";
import type { AssumptionName } from "../assumptions.ts";
import type { Lms } from "./lms.ts";
import type { Tool } from "./lms-records.ts";
import { answerService, rawBodyOf } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";
import { SignatureRefused } from "./tool-keysets.ts";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const lifetimeSeconds = 3600;

/** The `error` member of the answer. */
class TokenRefused extends Error {}

/**
 * LTI Security 1.0, 4.1: client credentials with a signed assertion. Like Moodle it checks signature, `sub`, `iat` and `exp`; the manners
 * check the rest (Moodle neither audience nor `jti`, so an assertion can be used again).
 */
export function mountTokenEndpoint(app: Express, lms: Lms): void {
  app.post(lms.manners.paths.token, express.text({ type: () => true }), async (request, response) => {
    await answerService(lms, "token", { request, response }, async () => {
      const form = (request.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
      try {
        return await grant(lms, new URLSearchParams(form ? rawBodyOf(request) : ""));
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        // Not escaped: a message with quotation marks makes invalid JSON, as it does in Moodle.
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
  if (tool?.state !== "active") throw new TokenRefused("invalid_client");
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
