import express, { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { messageOf, NamedError } from "../../../kernel/errors.ts";
import { parseJson } from "../../../kernel/outside-reply.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type NoticeOutcome, type NoticesApp, receiveNotice } from "../notices.ts";
import { sheetAt } from "../rules/branding.ts";

/** What an address here leads to never changes, because the address names a colour or the digest of a file. */
const forGood = "public, max-age=31536000, immutable";

const sheetName = /^([\da-f]{6})\.css$/;
const logoName = /^([\w-]{16})\.(png|jpg|webp)$/;

const types = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

/** GET /brand/<name> is the style sheet of a colour, or a logo. Neither is secret, and neither says whose it is. */
export function brandRoutes(app: Pick<App, "brandings">): Router {
  const router = Router();
  router.get("/brand/:name", async ({ params: { name } }, response) => {
    const [, colour] = sheetName.exec(name) ?? [];
    const sheet = colour === undefined ? null : sheetAt(`#${colour}`);
    if (sheet !== null) {
      brandFile(response, "text/css", Buffer.from(sheet));
      return;
    }
    const [, digest, kind] = logoName.exec(name) ?? [];
    const logo = digest === undefined ? null : await app.brandings.findLogo(digest);
    if (logo === null || logo.kind !== kind) throw refusal("not-found", { status: 404 });
    brandFile(response, types[logo.kind], Buffer.from(logo.data, "base64"));
  });
  return router;
}

function brandFile(response: Response, type: string, body: Buffer): void {
  response.set("Cache-Control", forGood).type(type).send(body);
}

/** `onNotice` is for the metrics. */
type NoticeRoutesApp = NoticesApp & { onNotice: (outcome: NoticeOutcome | "refused" | "failed") => void };

const largestBody = "256kb";
const maxNotices = 100;
/** After this many notices that no registered LMS has signed, the rest of a batch is skipped. */
const maxUnsigned = 3;
const unsigned: readonly string[] = [
  "platform-unknown",
  "token-malformed",
  "token-key-unknown",
  "token-signature",
];

/** PNS 1.0: a batch of signed notices. */
const batchSchema = z.object({
  notices: z
    .array(z.object({ jwt: z.string().min(1) }))
    .min(1)
    .max(maxNotices),
});

/**
 * Nobody is logged in: each notice proves its origin by its signature. The answer is 200 if all were taken, otherwise the worst of their
 * statuses. If the LMS repeats the batch, notices taken before have no further effect.
 */
export function noticeRoutes(app: NoticeRoutesApp): Router {
  const router = Router();
  const read = express.raw({ type: isJson, limit: largestBody, inflate: false });
  router.post("/notices", read, async (request, response) => {
    const body: unknown = request.body;
    const batch = batchSchema.safeParse(Buffer.isBuffer(body) ? parseJson(body.toString("utf8")) : null);
    if (!batch.success) {
      app.onNotice("refused");
      answerTo(response, 400, "unreadable-notices", 'The body is not {"notices": [{"jwt": "..."}]}.');
      return;
    }
    const failures: Failure[] = [];
    for (const { jwt } of batch.data.notices) {
      const failure = await taken(app, jwt);
      if (failure !== null) failures.push(failure);
      if (failures.filter(({ code }) => unsigned.includes(code)).length >= maxUnsigned) break;
    }
    const [worst] = failures.sort((a, b) => b.status - a.status);
    if (worst === undefined) response.status(200).json({ received: batch.data.notices.length });
    else answerTo(response, worst.status, worst.code, worst.message);
  });
  router.all("/notices", (_request, response) => {
    response.set("Allow", "POST");
    answerTo(response, 405, "method-not-allowed", "An LMS sends notices with POST.");
  });
  router.use((thrown: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const status = typeof thrown === "object" && thrown !== null && "status" in thrown ? thrown.status : 500;
    if (status === 413) answerTo(response, 413, "too-large", `The body is larger than ${largestBody}.`);
    else answerTo(response, 400, "unreadable-notices", "The body could not be read.");
  });
  return router;
}

type Failure = { status: number; code: string; message: string };

/** Null if the notice was taken. */
async function taken(app: NoticeRoutesApp, jwt: string): Promise<Failure | null> {
  try {
    app.onNotice(await receiveNotice(app, jwt));
    return null;
  } catch (thrown) {
    if (thrown instanceof NamedError) {
      const { status, code, message, details } = thrown;
      app.onNotice(thrown.temporary ? "failed" : "refused");
      app.logger.info({ code, details }, "a notice was refused");
      return { status, code, message };
    }
    app.onNotice("failed");
    app.logger.error({ error: messageOf(thrown) }, "a notice could not be processed");
    return { status: 503, code: "not-stored", message: "The notice could not be stored. Send it again." };
  }
}

function isJson(request: { headers: Record<string, unknown> }): boolean {
  const type = request.headers["content-type"];
  return typeof type === "string" && /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}

function answerTo(response: Response, status: number, error: string, message: string): void {
  response.status(status).json({ error, message });
}
