import express, { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import { type NoticeOutcome, receiveNotice, type ReceiveNoticeDeps } from "../receive-notice.ts";
import { messageOf, NamedError } from "../../../kernel/errors.ts";
import { parseJson } from "../../../kernel/outside-reply.ts";

export type NoticeRoutesDeps = ReceiveNoticeDeps & {
  /** For the metrics. */
  onNotice: (outcome: NoticeOutcome | "refused" | "failed") => void;
};

const largestBody = "256kb";
const maxNotices = 100;

/** PNS 1.0: a batch of signed notices. */
const batchSchema = z.object({
  notices: z
    .array(z.object({ jwt: z.string().min(1) }))
    .min(1)
    .max(maxNotices),
});

/**
 * Nobody is logged in: each notice proves its origin by its signature. The answer is 200 when all were taken, else the
 * worst of their statuses; when the LMS repeats the batch, those taken have no further effect.
 */
export function noticeRoutes(deps: NoticeRoutesDeps): Router {
  const router = Router();
  const read = express.raw({ type: isJson, limit: largestBody, inflate: false });
  router.post("/notices", read, async (request, response) => {
    const body: unknown = request.body;
    const batch = batchSchema.safeParse(Buffer.isBuffer(body) ? parseJson(body.toString("utf8")) : null);
    if (!batch.success) {
      deps.onNotice("refused");
      answer(response, 400, "unreadable-notices", 'The body is not {"notices": [{"jwt": "..."}]}.');
      return;
    }
    const failures: Failure[] = [];
    for (const { jwt } of batch.data.notices) {
      const failure = await taken(deps, jwt);
      if (failure !== null) failures.push(failure);
    }
    const [worst] = failures.sort((a, b) => b.status - a.status);
    if (worst === undefined) response.status(200).json({ received: batch.data.notices.length });
    else answer(response, worst.status, worst.code, worst.message);
  });
  router.all("/notices", (_request, response) => {
    response.set("Allow", "POST");
    answer(response, 405, "method-not-allowed", "An LMS sends notices with POST.");
  });
  router.use((thrown: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const status = typeof thrown === "object" && thrown !== null && "status" in thrown ? thrown.status : 500;
    if (status === 413) answer(response, 413, "too-large", `The body is larger than ${largestBody}.`);
    else answer(response, 400, "unreadable-notices", "The body could not be read.");
  });
  return router;
}

type Failure = { status: number; code: string; message: string };

/** Null when the notice was taken. */
async function taken(deps: NoticeRoutesDeps, jwt: string): Promise<Failure | null> {
  try {
    deps.onNotice(await receiveNotice(deps, jwt));
    return null;
  } catch (thrown) {
    if (thrown instanceof NamedError) {
      const { status, code, message, details } = thrown;
      deps.onNotice(thrown.temporary ? "failed" : "refused");
      deps.logger.info({ code, details }, "a notice was refused");
      return { status, code, message };
    }
    deps.onNotice("failed");
    deps.logger.error({ error: messageOf(thrown) }, "a notice could not be taken");
    return { status: 503, code: "not-stored", message: "The notice could not be stored. Send it again." };
  }
}

function isJson(request: { headers: Record<string, unknown> }): boolean {
  const type = request.headers["content-type"];
  return typeof type === "string" && /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}

function answer(response: Response, status: number, error: string, message: string): void {
  response.status(status).json({ error, message });
}
