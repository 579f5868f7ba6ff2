import { isSameSecret } from "../kernel/sealer.ts";
import type { App } from "../app.ts";
import { createHash } from "node:crypto";
import { type Request, type Response, Router } from "express";
import type { AccountId } from "../domain/account.ts";
import { familyOf } from "./rules/webhook.ts";
import { isOfStorage, messageOf, NamedError } from "../kernel/errors.ts";
import { leaveUnread } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";
import type { ReceiptStore } from "./store/receipt-store.ts";
import {
  type BodyLimits,
  createReadBody,
  type ReadBody,
  type ReadJson,
  readJson,
  usualLimits,
} from "./read-body.ts";
import type { CheckAllowance } from "./webhook-arrivals.ts";

/** `limited`: too many for this account. The last three are about the body; `refused` is everything else. */
type WebhookAnswer =
  | "stored"
  | "duplicate"
  | "refused"
  | "failed"
  | "limited"
  | "too-large"
  | "too-slow"
  | "busy";

type WebhookRoutesDeps = Pick<App, "clock" | "ids" | "logger"> & {
  receipts: Pick<ReceiptStore, "insert">;
  /** Empty for an unknown account. */
  secretsOf: (account: AccountId) => readonly string[] | Promise<readonly string[]>;
  onSecret?: (environment: AccountId, secret: "current" | "previous") => void;
  checkAllowance: CheckAllowance;
  onReceived: () => void;
  onAnswer: (environment: AccountId, answer: WebhookAnswer) => void;
  limits?: Partial<BodyLimits>;
};

/** Accepts POST and PUT /<account>, because the document doesn't say which method is used (part 6.1). */
export function webhookRoutes(deps: WebhookRoutesDeps): Router {
  const router = Router();
  const readBody = createReadBody({ ...usualLimits, ...deps.limits });
  const taken = async (request: Request<{ account: string }>, response: Response) => {
    const { account } = request.params;
    try {
      const refused = await refusalOf(deps, account, request);
      if (refused === null) await receive(deps, account, readBody, request, response);
      else refuse(deps, account, refused, request, response);
    } catch (thrown) {
      // The store knows the account's secrets and how much it has used, so these may fail.
      if (!(thrown instanceof NamedError) || !isOfStorage(thrown.code)) throw thrown;
      notStored(deps, account, thrown, response);
    }
  };
  router.route("/:account").post(taken).put(taken);
  router.all("/:account", (_request, response) => {
    response.set("Allow", "POST, PUT");
    answer(response, 405, "method-not-allowed", "The classroom sends webhooks with POST or PUT.");
  });
  return router;
}

/** Why the request is refused, or null. Checked before the body is read, so strangers can't make us read. */
async function refusalOf(deps: WebhookRoutesDeps, environment: AccountId, request: Request) {
  const secrets = await deps.secretsOf(environment);
  if (secrets.length === 0) return refusal("environment-off", { values: { environment }, status: 404 });
  // Interface part 5 says "authentication header". It may mean the standard header or one with that name, so we read both. A proxy may add
  // its own Authorization.
  const given = [request.get("authorization"), request.get("authentication")].flatMap(
    (header) => /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? [],
  );
  const position = secrets.findIndex((secret) => given.some((one) => isSameSecret(secret, one)));
  if (position >= 0) {
    deps.onSecret?.(environment, position === 0 ? "current" : "previous");
    return null;
  }
  return refusal("wrong-secret", { status: 401 });
}

/** Answers the request and frees the connection. */
function refuse(
  deps: WebhookRoutesDeps,
  environment: AccountId,
  { status, code, message, details }: NamedError,
  request: Request,
  response: Response,
): void {
  if (code !== "environment-off") deps.onAnswer(environment, answerOf(code));
  if (status === 401) response.set("WWW-Authenticate", 'Bearer realm="webhooks"');
  const { retryAfterMs = 5_000 } = details;
  if (status === 503 || status === 429)
    response.set("Retry-After", String(Math.ceil(Number(retryAfterMs) / 1_000)));
  leaveUnread(request);
  answer(response, status, code, message);
}

function answerOf(code: string): WebhookAnswer {
  if (code === "account-busy" || code === "allowance-used") return "limited";
  return code === "too-large" || code === "too-slow" || code === "busy" ? code : "refused";
}

async function receive(
  deps: WebhookRoutesDeps,
  environment: AccountId,
  readBody: ReadBody,
  request: Request,
  response: Response,
): Promise<void> {
  const read = await readBody(request, environment)
    .then(async (body) => {
      await deps.checkAllowance(environment, body.length);
      return withDigest(body);
    })
    .catch((thrown: unknown) => {
      if (thrown instanceof NamedError && !isOfStorage(thrown.code)) return thrown;
      throw thrown;
    });
  if (read instanceof NamedError) refuse(deps, environment, read, request, response);
  else await store(deps, environment, read, response);
}

async function store(
  deps: WebhookRoutesDeps,
  environment: AccountId,
  { text, json, digest, bytes }: ReadJson & { digest: string },
  response: Response,
): Promise<void> {
  const now = deps.clock.now();
  try {
    const isNew = await deps.receipts.insert({
      id: deps.ids.id("rcp"),
      environment,
      digest,
      body: text,
      ...(bytes === null ? {} : { bytes }),
      family: familyOf(json),
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
    notStored(deps, environment, thrown, response);
  }
}

function notStored(deps: WebhookRoutesDeps, environment: AccountId, thrown: unknown, response: Response) {
  deps.onAnswer(environment, "failed");
  deps.logger.error({ error: messageOf(thrown) }, "a webhook could not be stored");
  response.set("Retry-After", "30");
  answer(response, 503, "not-stored", "The webhook could not be stored. Please send it again.");
}

/** Reads the body and computes its digest. @throws NamedError unreadable-body */
function withDigest(body: Buffer): ReadJson & { digest: string } {
  return { ...readJson(body), digest: createHash("sha256").update(body).digest("hex") };
}

function answer(response: Response, status: number, error: string, message: string): void {
  response.status(status).json({ error, message });
}
