import { createHash, timingSafeEqual } from "node:crypto";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import type { EnvironmentName } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ReceiptStore } from "../storage/receipt-store.ts";

export type WebhookRoutesDeps = {
  receipts: ReceiptStore;
  /** Accepted secrets of each configured environment. */
  secretsOf: (environment: EnvironmentName) => readonly string[];
  /** Wakes the worker that processes receipts. */
  onReceived: () => void;
  /** For the metrics: what became of a request. */
  onAnswer: (environment: EnvironmentName, answer: "stored" | "duplicate" | "refused" | "failed") => void;
  clock: Clock;
  ids: Ids;
  logger: Logger;
};

const largestBody = "256kb";
const deepestJson = 32;

/** POST /production and POST /staging: the receivers for the classroom. */
export function webhookRoutes(deps: WebhookRoutesDeps): Router {
  const router = Router();
  for (const environment of ["production", "staging"] as const) {
    router.post(
      `/${environment}`,
      (request, response, next) => {
        authorize(deps, environment, request, response, next);
      },
      express.raw({ type: () => true, limit: largestBody }),
      async (request, response) => {
        await receive(deps, environment, request, response);
      },
    );
    router.all(`/${environment}`, (_request, response) => {
      response.set("Allow", "POST");
      answer(response, 405, "method-not-allowed", "The classroom sends webhooks with POST.");
    });
  }
  router.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    deps.onAnswer(request.path === "/staging" ? "staging" : "production", "refused");
    const status = typeof thrown === "object" && thrown !== null && "status" in thrown ? thrown.status : 500;
    if (status === 413) answer(response, 413, "too-large", `The body is larger than ${largestBody}.`);
    else answer(response, 400, "unreadable-body", "The body could not be read.");
  });
  return router;
}

/** The secret comes before the body is read, so that strangers cannot make us read anything. */
function authorize(
  deps: WebhookRoutesDeps,
  environment: EnvironmentName,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const secrets = deps.secretsOf(environment);
  if (secrets.length === 0) {
    answer(
      response,
      404,
      "environment-off",
      `The ${environment} environment is not configured in this tool.`,
    );
    return;
  }
  // Interface part 5 says "authentication header": the standard name, and that one literally.
  // Both are looked at: a proxy in between may have an Authorization of its own.
  const given = [request.get("authorization"), request.get("authentication")].flatMap(
    (header) => /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? [],
  );
  if (!given.some((one) => secrets.some((secret) => sameText(secret, one)))) {
    deps.onAnswer(environment, "refused");
    response.set("WWW-Authenticate", 'Bearer realm="webhooks"');
    answer(
      response,
      401,
      "wrong-secret",
      "The request does not carry the webhook secret of this environment as a bearer token.",
    );
    return;
  }
  next();
}

async function receive(
  deps: WebhookRoutesDeps,
  environment: EnvironmentName,
  request: Request,
  response: Response,
): Promise<void> {
  const raw: unknown = request.body;
  const body = Buffer.isBuffer(raw) ? raw.toString("utf8") : "";
  const problem = problemOf(body);
  if (problem !== null) {
    deps.onAnswer(environment, "refused");
    answer(response, 400, "unreadable-body", problem);
    return;
  }
  const now = deps.clock.now();
  try {
    const isNew = await deps.receipts.insert({
      id: deps.ids.id("rcp"),
      environment,
      digest: createHash("sha256").update(body).digest("hex"),
      body,
      receivedAt: now,
      state: "waiting",
      attempts: 0,
      nextTryAt: now,
      reason: null,
    });
    deps.onAnswer(environment, isNew ? "stored" : "duplicate");
    response.status(isNew ? 202 : 200).json({ received: true, duplicate: !isNew });
    deps.onReceived();
  } catch (thrown) {
    deps.onAnswer(environment, "failed");
    deps.logger.error({ error: messageOf(thrown) }, "a webhook could not be stored");
    response.set("Retry-After", "30");
    answer(response, 503, "not-stored", "The webhook could not be stored. Please send it again.");
  }
}

/** What is wrong with a body, or null. The body itself is never repeated. */
function problemOf(body: string): string | null {
  if (body.trim() === "") return "The body is empty; a JSON object is expected.";
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return "The body is not JSON.";
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return "The body is not a JSON object.";
  return isDeeperThan(json, deepestJson) ? `The JSON is nested deeper than ${deepestJson} levels.` : null;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function answer(response: Response, status: number, error: string, message: string): void {
  response.status(status).json({ error, message });
}
