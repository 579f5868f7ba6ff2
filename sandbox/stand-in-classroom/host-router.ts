import express, { type Request, type Response, Router } from "express";
import type { Clock } from "../../src/kernel/clock.ts";
import { type EndRedirect, endRedirectSetting } from "./end-redirect.ts";
import { hostPage } from "./host-page.ts";
import { parseOrRefuse } from "./run-action.ts";
import type { RunAction } from "./run-action.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import type { World } from "./world.ts";

export function createHostRouter(deps: {
  world: World;
  webhooks: WebhookSender;
  endRedirect: EndRedirect;
  runAction: RunAction;
  clock: Clock;
}): Router {
  const router = Router();
  router.use("/host", express.urlencoded({ extended: false, limit: "100kb" }));
  router.get("/host", (request: Request, response: Response) => {
    const done = typeof request.query.done === "string" ? request.query.done : null;
    response.set("Cache-Control", "no-store");
    const endRedirectUrl = deps.endRedirect.url();
    const { world, webhooks } = deps;
    response.send(hostPage({ world, webhooks, endRedirectUrl, now: deps.clock.now(), done }));
  });
  router.post("/host/end-redirect", (request: Request, response: Response) => {
    const { url = "" } = fieldsOf(request.body);
    deps.endRedirect.set(parseOrRefuse(endRedirectSetting, { url: url === "" ? null : url }));
    response.redirect(303, "/host?done=end-redirect");
  });
  router.post("/host/switches", (request: Request, response: Response) => {
    const ticked = new Set(Object.keys(fieldsOf(request.body)));
    deps.webhooks.setSwitches({
      duplicates: ticked.has("duplicates"),
      reorder: ticked.has("reorder"),
      wrongSecret: ticked.has("wrongSecret"),
      delayMs: Number(fieldsOf(request.body).delayMs ?? 0),
      loseNext: Number(fieldsOf(request.body).loseNext ?? 0),
      headerName: ticked.has("authentication") ? "Authentication" : "Authorization",
    });
    response.redirect(303, "/host?done=switches");
  });
  router.post("/host/:action", (request: Request, response: Response) => {
    const action = String(request.params.action);
    deps.runAction(action, actionInput(fieldsOf(request.body), deps.clock.now()));
    response.redirect(303, `/host?done=${encodeURIComponent(action)}`);
  });
  return router;
}

/** Empty fields are left out, minutes become moments, id lists arrays. */
function actionInput(fields: Readonly<Record<string, string>>, now: number): Record<string, unknown> {
  const { startsInMinutes, lengthMinutes, attendeeIds, organizerIds, ...rest } = fields;
  const given = Object.entries(rest).filter(([, value]) => value !== "");
  const startsAt = now + Number(startsInMinutes ?? 0) * 60_000;
  return {
    ...Object.fromEntries(given),
    ...(startsInMinutes === undefined || startsInMinutes === "" ? {} : { startsAt }),
    ...(lengthMinutes === undefined || lengthMinutes === ""
      ? {}
      : { endsAt: startsAt + Number(lengthMinutes) * 60_000 }),
    ...(attendeeIds === undefined ? {} : { attendeeIds: list(attendeeIds) }),
    ...(organizerIds === undefined ? {} : { organizerIds: list(organizerIds) }),
  };
}

function list(text: string): string[] {
  return text.split(/[\s,]+/).filter((each) => each !== "");
}

function fieldsOf(body: unknown): Record<string, string> {
  if (typeof body !== "object" || body === null) return {};
  const texts = Object.entries(body).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return Object.fromEntries(texts);
}
